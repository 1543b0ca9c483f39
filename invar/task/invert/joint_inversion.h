// An inverse problem of bodies solved in joint coordinates, q = F(μ), which are fewer: inputs are the same in all
// coordinates. What was found is written in those that were asked for: q and its derivatives by power series of F,
// multipliers by the equations of motion
//
//   [ M  Gᵀ ] ( Δa )   ( -f )
//   [ G  0  ] ( λ  ) = (  0 ),   f: their residual with a = q'' and λ = 0,
//
// where Δa is zero if the motion is right. The equations in these coordinates judge it afterwards.
#pragma once

#include <memory>
#include <vector>

#include "invar/dae/equation_residual.h"
#include "invar/math/linear_solver.h"
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/run/prepared.h"

namespace invar {

class JointInversion {
 public:
  // Nothing if the problem is not one of bodies in directors that joint coordinates describe, if constraints say
  // something twice, or if another method or structure needs the coordinates that were asked for.
  static std::unique_ptr<JointInversion> of(const Problem& problem);

  const Prepared& prepared() const { return prepared_; }
  const InverseStructure& structure() const { return structure_; }
  // Of the problem in its own coordinates.
  const Dae& dae() const { return dae_; }

  // A jet of that Dae, with derivatives up to accelerations of coordinates and values of the other unknowns: good until
  // the next call. InputError if these are not determined.
  const Jet& as_asked(const Jet& jet);
  // Of its equations.
  EquationResidual residual() { return {dae_, evaluator_}; }

 private:
  JointInversion(const Problem& asked, Problem joints, const Exprs& image);
  void write_motion(const Jet& jet);
  void write_multipliers();
  bool starts_alike(const Problem& asked);

  // An entry of the matrix above and the partial that it is.
  struct Entry {
    int row, column;
    std::size_t partial;
  };
  static std::vector<Entry> entries(const Dae& dae, const JetEvaluator& evaluator);
  static Pattern pattern_of(const std::vector<Entry>& entries, std::size_t size);

  Prepared prepared_;
  InverseStructure structure_;
  Dae dae_;
  JetEvaluator image_, evaluator_;
  std::size_t coordinates_, multipliers_;
  std::vector<Entry> entries_;
  LinearSolver solver_;
  Jet asked_;
  Matrix q_, f_, partials_;
  std::vector<double> values_, right_;
};

}  // namespace invar
