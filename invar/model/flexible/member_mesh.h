// Nodes along the length of a beam or string, and the polynomials between them: elements with p nodes at equal
// distances of arc length, Lagrange polynomials N_a, and p − 1 Gauss points for strains (reduced integration, which
// knows no locking).
#pragma once

#include <cstddef>
#include <vector>

namespace invar {

// A place inside an element: its arc length, its weight as a part of the length, N_a and dN_a/ds there.
struct ShapePoint {
  double s, weight;
  std::vector<double> value, slope;
};

struct MemberElement {
  std::size_t first;  // node; the next ones follow
  double begin, length;
};

class MemberMesh {
 public:
  // About this many elements; a node at each of `places` between 0 and `length`.
  MemberMesh(double length, int elements, int nodes_per_element, std::vector<double> places);

  const std::vector<double>& nodes() const { return nodes_; }  // arc lengths
  const std::vector<MemberElement>& elements() const { return elements_; }
  std::size_t nodes_per_element() const { return per_element_; }
  double length() const { return nodes_.back(); }
  std::size_t nearest(double s) const;  // node

  std::vector<ShapePoint> strain_points(const MemberElement& element) const;
  std::vector<double> all_strain_points() const;  // arc lengths
  // Where polynomials up to the squares of N_a, and loads along the length, are integrated.
  std::vector<ShapePoint> mass_points(const MemberElement& element) const;
  // ∫ N_a N_b ds by rows, and ∫ N_a ds.
  std::vector<double> products(const MemberElement& element) const;
  std::vector<double> shares(const MemberElement& element) const;

 private:
  std::vector<ShapePoint> gauss(const MemberElement& element, std::size_t count) const;

  std::size_t per_element_;
  std::vector<double> nodes_;
  std::vector<MemberElement> elements_;
};

}  // namespace invar
