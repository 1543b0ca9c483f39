// A problem made ready for several runs: what a task derives from its formulas is derived by the first run that needs
// it and shared by all later ones, in any thread. Parameters are arguments of a run.
//
//   const Prepared crane(read_problem("crane.toml"));
//   for (const double m : {80.0, 100.0, 120.0}) simulate(crane, {{"m", m}});
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <typeindex>

#include "invar/model/problem/with_parameters.h"

namespace invar {

// Copies share what was derived. The problem itself cannot be changed any more.
class Prepared {
 public:
  explicit Prepared(Problem problem) : shared_(std::make_shared<Shared>(std::move(problem))) {}

  const Problem& problem() const { return shared_->problem; }

  // What a task derives: a Part is made of the problem, once.
  template <class Part>
  const Part& part() const {
    const std::scoped_lock lock(shared_->making);
    std::shared_ptr<const void>& place = shared_->parts[typeid(Part)];
    if (!place) place = std::make_shared<const Part>(shared_->problem);
    return *static_cast<const Part*>(place.get());
  }

 private:
  struct Shared {
    explicit Shared(Problem p) : problem(std::move(p)) {}
    const Problem problem;
    std::mutex making;
    std::map<std::type_index, std::shared_ptr<const void>> parts;
  };
  std::shared_ptr<Shared> shared_;
};

inline Prepared prepare(Problem problem) { return Prepared(std::move(problem)); }

// With other values of parameters. Tasks that cannot take them as arguments derive what they need again.
inline Prepared with_parameters(const Prepared& prepared, const Overrides& values) {
  return values.empty() ? prepared : Prepared(with_parameters(prepared.problem(), values));
}

}  // namespace invar
