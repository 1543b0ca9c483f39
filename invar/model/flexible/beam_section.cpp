// See beam_section.h.
#include "invar/model/flexible/beam_section.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "invar/base/error.h"

namespace invar {

double SectionShape::area() const {
  switch (kind) {
    case Kind::circle: return std::numbers::pi * size[0] * size[0];
    case Kind::tube: return std::numbers::pi * (size[0] * size[0] - size[1] * size[1]);
    case Kind::rectangle: return size[0] * size[1];
  }
  return 0.0;
}

std::array<double, 2> SectionShape::moments() const {
  if (kind == Kind::rectangle) return {size[0] * std::pow(size[1], 3) / 12.0, size[1] * std::pow(size[0], 3) / 12.0};
  const double inner = kind == Kind::tube ? size[1] : 0.0;
  const double both = std::numbers::pi / 4.0 * (std::pow(size[0], 4) - std::pow(inner, 4));
  return {both, both};
}

double SectionShape::torsion() const {
  if (kind != Kind::rectangle) return 2.0 * moments()[0];
  const double a = std::max(size[0], size[1]) / 2.0, b = std::min(size[0], size[1]) / 2.0;
  return a * std::pow(b, 3) * (16.0 / 3.0 - 3.36 * b / a * (1.0 - std::pow(b / a, 4) / 12.0));
}

double SectionShape::shear_part(double nu) const {
  if (kind == Kind::rectangle) return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
  const double m = kind == Kind::tube ? std::pow(size[1] / size[0], 2) : 0.0, sum = std::pow(1.0 + m, 2);
  return 6.0 * (1.0 + nu) * sum / ((7.0 + 6.0 * nu) * sum + (20.0 + 12.0 * nu) * m);
}

BeamSection section_of(const SectionShape& shape, const Material& material, std::optional<double> shear_part) {
  const double area = shape.area(), poisson = material.young / (2.0 * material.shear) - 1.0;
  const auto [first, second] = shape.moments();
  const double sheared = material.shear * area * shear_part.value_or(shape.shear_part(poisson));
  BeamSection section;
  section.stiffness.diagonal() << sheared, sheared, material.young * area, material.young * first,
      material.young * second, material.shear * shape.torsion();
  section.mass = material.density * area;
  section.inertia = material.density * Vector3(first, second, first + second);
  return section;
}

std::vector<StrainTerm> strain_terms(const Matrix6& stiffness, const std::array<bool, 6>& rigid) {
  constexpr double rounding = 1e-12;
  const double size = stiffness.cwiseAbs().maxCoeff();
  if ((stiffness - stiffness.transpose()).cwiseAbs().maxCoeff() > rounding * size)
    throw InputError("the stiffness is not symmetric");
  Matrix6 c = stiffness;
  for (Eigen::Index i = 0; i < 6; ++i)
    if (rigid[static_cast<std::size_t>(i)]) c.row(i).setZero(), c.col(i).setZero();
  const Eigen::LDLT<Matrix6> factors(c);
  const Matrix6 rows =
      Matrix6(factors.matrixL()).transpose() * Matrix6(factors.transpositionsP() * Matrix6::Identity());
  std::vector<StrainTerm> terms;
  for (Eigen::Index k = 0; k < 6; ++k) {
    const double pivot = factors.vectorD()[k];
    if (pivot < -rounding * size) throw InputError("the stiffness is negative for some strain");
    if (pivot > 0.0) terms.push_back({rows.row(k).transpose(), pivot});
  }
  return terms;
}

}  // namespace invar
