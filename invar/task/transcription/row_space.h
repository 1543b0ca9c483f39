// What rows of numbers say together, and what another one adds to it.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace invar {

class RowSpace {
 public:
  explicit RowSpace(Eigen::Index columns) : basis_(0, columns) {}

  // The length that is left of a row, brought to length one, without what those before say; zero of a zero row.
  double new_in(const Eigen::RowVectorXd& row) const;
  bool contains(const Eigen::RowVectorXd& row) const { return new_in(row) < negligible; }
  void add(const Eigen::RowVectorXd& row);
  void add_all(const Eigen::MatrixXd& rows);

  // Adds as many rows as say something new, at each time the one that says most; these.
  std::vector<bool> add_independent(const Eigen::MatrixXd& rows);

 private:
  static constexpr double negligible = 1e-6;
  Eigen::RowVectorXd rest(Eigen::RowVectorXd row) const;

  Eigen::MatrixXd basis_;  // orthonormal rows
};

}  // namespace invar
