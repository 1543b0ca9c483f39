// Steps of explicit methods along open trees of bodies, where accelerations are formulas: nothing is solved
// (explicit_steps.h).
//
// A system in joint coordinates is stepped as it stands. Of one in redundant coordinates, for methods on the rotation
// group, joint coordinates μ are stepped instead: balls on the group, hinges and slides by their one coordinate, which
// are the methods on the configurations that the joints leave. Its nodes q = F(μ), v = F' μ' lie on the constraints,
// and rotations are products of rotations. λ at a node follows from the equations of motion there, when it is asked
// for.
//
// A node has numbers of its own besides those of the system: μ, μ' and the inputs at its time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "invar/math/linear_solver.h"
#include "invar/scheme/steps/explicit_steps.h"
#include "invar/scheme/steps/tree_places.h"
#include "invar/system/state_function.h"

namespace invar {

// λ where q, v and u are known: equations of motion with constraints at acceleration level.
class NodeMultipliers {
 public:
  NodeMultipliers(const System& system, const Equations& e, std::span<const Reference> references);
  NodeMultipliers(const NodeMultipliers& other);
  NodeMultipliers& operator=(const NodeMultipliers&) = delete;

  void set_parameters(std::span<const double> values);
  // Not a number where the equations do not determine them.
  void operator()(double t, std::span<const double> q, std::span<const double> v, std::span<const double> u,
                  std::span<double> lambda);
  void compile(const Compiler& compiler) { equations_ = equations_.compiled(compiler); }

 private:
  struct Formulas;
  explicit NodeMultipliers(const Formulas& formulas);

  std::vector<std::size_t> places_;  // of λ, by unknown after the accelerations
  std::size_t unknowns_, constraints_, parameters_;
  ReferenceValues given_;
  Function equations_;  // with the Jacobian, which is the same everywhere
  LinearSolver solver_;
  Scratch scratch_;
  std::vector<double> in_, out_, rest_;
};

class TreeSteps {
 public:
  using Inputs = ExplicitSteps::Inputs;

  // Nothing if accelerations of the system are no formulas, or the options ask for something else.
  static std::optional<TreeSteps> of(const System& system, const Equations& e, const Scheme& scheme,
                                     const SchemeOptions& options, std::span<const Reference> references);

  bool is_redundant() const { return nodes_.has_value(); }  // are nodes written in other coordinates?
  std::size_t own_size() const { return own_size_; }
  void set_parameters(std::span<const double> values);

  // The numbers of a node that is given. InputError if the bodies are not where their joints allow.
  void start(const State& state, std::span<double> own);
  // From t to t + h; false, and nothing is changed, if an acceleration is not finite.
  bool advance(double t, double h, std::span<double> q, std::span<double> v, std::span<double> own,
               const Inputs& inputs);
  // At a node, of redundant coordinates.
  void multipliers(double t, std::span<const double> q, std::span<const double> v, std::span<const double> own,
                   std::span<double> lambda);

  // Of the last step, if the method knows them: by how much its end is off, and the motion at a part of it; there λ is
  // zero if coordinates are not redundant.
  bool knows_inside() const { return steps_.knows_inside(); }
  void error_of_step(std::span<double> q, std::span<double> v);
  void inside(double part_of_step, std::span<double> q, std::span<double> v, std::span<double> lambda,
              const Inputs& inputs);

  std::size_t instruction_count() const;
  void compile(const Compiler& compiler);
  bool is_compiled() const { return steps_.is_compiled(); }

 private:
  // From joint coordinates to those of the system.
  struct Nodes {
    Function image;  // q and v of μ, μ' and the parameters
    NodeMultipliers multipliers;
    std::shared_ptr<const TreePlaces> places;
    std::vector<double> start;  // μ to begin with
    // Joint coordinates that are coordinates of the system, too, and where they stand there.
    std::vector<std::pair<std::size_t, std::size_t>> named;
    std::vector<double> in, out;
    Scratch scratch = {};
  };

  TreeSteps(ExplicitSteps steps, std::optional<Nodes> nodes, std::size_t inputs);
  static std::optional<TreeSteps> in_joints(const System& system, const Equations& e, const Scheme& scheme,
                                            const SchemeOptions& options, std::span<const Reference> references);
  // F and F' rate.
  void write(std::span<const double> mu, std::span<const double> rate, std::span<double> q, std::span<double> v);

  ExplicitSteps steps_;
  std::optional<Nodes> nodes_;
  std::size_t joints_ = 0, inputs_ = 0, own_size_ = 0;  // joints_: entries of μ
  double begun_ = 0.0, step_ = 0.0;                     // the last step
  std::vector<double> mu_, rate_, u_, place_;
};

}  // namespace invar
