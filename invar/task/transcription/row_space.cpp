// See row_space.h.
#include "invar/task/transcription/row_space.h"

namespace invar {

// Twice, since once leaves errors of the size of what was taken away.
Eigen::RowVectorXd RowSpace::rest(Eigen::RowVectorXd row) const {
  const double length = row.norm();
  if (!(length > 0.0)) return Eigen::RowVectorXd::Zero(row.size());
  row /= length;
  for (int i = 0; i < 2; ++i) row -= (row * basis_.transpose()) * basis_;
  return row;
}

double RowSpace::new_in(const Eigen::RowVectorXd& row) const { return rest(row).norm(); }

void RowSpace::add(const Eigen::RowVectorXd& row) {
  const Eigen::RowVectorXd left = rest(row);
  if (left.norm() < negligible) return;
  basis_.conservativeResize(basis_.rows() + 1, Eigen::NoChange);
  basis_.bottomRows(1) = left.normalized();
}

void RowSpace::add_all(const Eigen::MatrixXd& rows) {
  for (Eigen::Index i = 0; i < rows.rows(); ++i) add(rows.row(i));
}

std::vector<bool> RowSpace::add_independent(const Eigen::MatrixXd& rows) {
  std::vector<bool> chosen(static_cast<std::size_t>(rows.rows()), false);
  for (;;) {
    Eigen::Index best = -1;
    double most = negligible;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      if (chosen[static_cast<std::size_t>(i)]) continue;
      if (const double left = new_in(rows.row(i)); left > most) {
        most = left;
        best = i;
      }
    }
    if (best < 0) return chosen;
    add(rows.row(best));
    chosen[static_cast<std::size_t>(best)] = true;
  }
}

}  // namespace invar
