// The matrices of a problem at its start, with names of rows and columns:
//
//   M         mass matrix                                        coordinates × coordinates
//   G         gradients of the constraints                       constraints × coordinates
//   B         directions of the inputs (force Bᵀ u)              inputs × coordinates
//   P         velocities that the constraints allow, G P = 0     coordinates × independent coordinates
//   S         gradients of the outputs                           outputs × coordinates
//   S M⁻¹ Bᵀ  accelerations of the outputs for each unit of input, with M⁻¹ = P (Pᵀ M P)⁻¹ Pᵀ on the constraints
//
// A column of P is the velocity in which one independent coordinate has speed one and the other independent ones rest.
// They are those that are left when columns of G have been taken as long as they are independent, the longest first
// [G. H. Golub, C. F. Van Loan, Matrix Computations, sec. 5.4.2]. The rank of S M⁻¹ Bᵀ says in how many ways the inputs
// accelerate the outputs at once: of as many as there are, an inverse problem has index 3.
#pragma once

#include <string>
#include <vector>

#include "invar/math/matrix.h"
#include "invar/model/problem/problem.h"
#include "invar/record/summary_part.h"
#include "invar/record/trajectory.h"
#include "invar/task/check/verdict.h"

namespace invar {

struct NamedMatrix {
  std::string name, file;  // "S M⁻¹ Bᵀ", without .csv
  std::vector<std::string> rows, columns;
  Matrix values;
  int rank = 0;              // whatever the units of rows and columns
  Vector singular_values{};  // in these units, descending
};

// In the order above; the last one is missing if Pᵀ M P is singular. Outputs are those that have trajectories, or all
// if none has.
std::vector<NamedMatrix> matrices(const Problem& problem, const Verdict& verdict);

// As text: names of the columns, then in each line the name of a row and its numbers.
std::string to_csv(const NamedMatrix& matrix);

// What `invar check --matrices` has to say.
class MatricesSummary : public SummaryPart {
 public:
  explicit MatricesSummary(std::vector<NamedMatrix> list) : list_(std::move(list)) {}

  std::unique_ptr<SummaryPart> copy() const override { return std::make_unique<MatricesSummary>(*this); }
  std::string_view key() const override { return "matrices"; }
  JsonObject figures() const override;
  std::vector<std::string> sentences(const Summary& summary) const override;
  std::string headline(const Summary&, const Trajectory&) const override { return {}; }
  std::vector<KeyFigure> key_figures(const Summary&) const override { return {}; }

  const std::vector<NamedMatrix>& list() const { return list_; }

 private:
  std::vector<NamedMatrix> list_;
};

}  // namespace invar
