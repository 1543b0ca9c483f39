// What a beam is like across its length: stiffness, mass and inertia, given or from material and shape.
//
// Section forces (Q1, Q2, N, M1, M2, T) = C (Γ1, Γ2, Γ3, K1, K2, K3). Shear areas by G. R. Cowper, J. Appl. Mech. 33
// (1966) 335; torsion of a rectangle by W. C. Young, R. G. Budynas, Roark's Formulas for Stress and Strain, table 10.1.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "invar/model/mechanism/mechanism.h"

namespace invar {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

inline constexpr std::array<std::string_view, 6> section_force_names = {"Q1", "Q2", "N", "M1", "M2", "T"};

struct BeamSection {
  Matrix6 stiffness = Matrix6::Zero();
  double mass = 0.0;                  // per length
  Vector3 inertia = Vector3::Zero();  // per length, about d1, d2, d3

  // E of T = ½ Σ E_ii d_i'·d_i'
  Vector3 euler() const { return Vector3::Constant(0.5 * inertia.sum()) - inertia; }
};

// Area and its moments about d1, d2, and for torsion.
struct SectionShape {
  enum class Kind { circle, tube, rectangle };
  Kind kind;
  std::vector<double> size;  // radius; outer and inner radius; lengths along d1 and d2

  double area() const;
  std::array<double, 2> moments() const;
  double torsion() const;
  double shear_part(double poisson) const;  // of the area
};

struct Material {
  double young = 0.0, shear = 0.0, density = 0.0;
};

BeamSection section_of(const SectionShape& shape, const Material& material, std::optional<double> shear_part);

// ½ eᵀ C e = Σ ½ k (w·e)² over the strains that are not rigid.
struct StrainTerm {
  Vector6 weights;
  double stiffness;
};
// InputError if C is not symmetric, or negative for some strain.
std::vector<StrainTerm> strain_terms(const Matrix6& stiffness, const std::array<bool, 6>& rigid);

}  // namespace invar
