// The nodes of a motion of bodies in an open tree of joints, by joint coordinates: q = F(μ), so that the constraints
// hold by themselves (nodal reparametrisation)
// [S. Leyendecker, S. Ober-Blöbaum, J. E. Marsden, M. Ortiz, Optim. Control Appl. Meth. 31 (2010) 505].
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "invar/math/matrix.h"
#include "invar/model/problem/problem.h"
#include "invar/tape/function.h"

namespace invar {

class JointNodes {
 public:
  // Nothing if the coordinates are not those of bodies in an open tree, or if angles cannot describe all of their
  // positions.
  static std::optional<JointNodes> of(const Problem& problem, const System& system, const std::vector<double>& q0);

  const Exprs& coordinates() const { return mu_; }  // the symbols μ
  const Exprs& image() const { return image_; }     // F
  const std::vector<double>& start() const { return start_; }

  // Coordinates of which all others are linear functions, q = constant + combination · q(independent), whatever μ is:
  // points and axes that two bodies share need one vector, not two.
  const std::vector<std::size_t>& independent() const { return independent_; }
  const Matrix& combination() const { return combination_; }

  // μ of the configuration that is nearest to q, by steps from a near one.
  void follow(std::span<const double> q, std::vector<double>& mu) const;
  // Rates that come nearest to velocities, ∂F/∂μ μ' = v.
  std::vector<double> rates(std::span<const double> mu, std::span<const double> v) const;

 private:
  struct Image {
    Vector q;
    Matrix slope;  // ∂F/∂μ
  };
  JointNodes(Exprs mu, Exprs image, std::vector<double> start);

  Image at(std::span<const double> mu) const;
  bool regular() const;
  void find_independent();

  Exprs mu_, image_;
  std::vector<double> start_;
  Function function_;  // F, then ∂F/∂μ by rows
  std::vector<std::size_t> independent_;
  Matrix combination_;
};

}  // namespace invar
