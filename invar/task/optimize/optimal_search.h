// The direct method: a transcription solved from one first guess after the other. What is found is left again if it is
// a saddle, and held against what other guesses lead to, as far as their effort is small beside the one already made.
#pragma once

#include <functional>
#include <utility>

#include "invar/task/optimize/optimal_task.h"
#include "invar/task/run/run_options.h"

namespace invar {

// Where a search can begin: a first guess, or a straight line that was perturbed.
struct Beginning {
  GuessKind kind;
  unsigned perturbation = 0;  // its number; zero: none

  std::string name() const;  // "line", "perturbed 2"
};

// A guess, and what an optimisation of its own took to find it.
struct Guess {
  MeshMotion motion;
  int saddles = 0, iterations = 0;
};
// Nothing where that leads nowhere.
using CostlyGuess = std::function<std::optional<Guess>(std::size_t intervals)>;

class OptimalSearch {
 public:
  // `joints` is the guess of that name, if there can be one.
  OptimalSearch(const OptimalTask& task, Transcription& form, const RunOptions& options, CostlyGuess joints = {})
      : task_(task), form_(form), options_(options), joints_(std::move(joints)) {}

  // From the guesses. Others than the first are not tried if it leads to the cost of a motion on which all agreed.
  OptimalMotion run(std::size_t intervals, const OptimalMotion* known = nullptr);
  // From a motion on any mesh, and how it was found.
  OptimalMotion improve(const MeshMotion& from, std::size_t intervals, const Origin& origin = {});
  // From the optimum with fewer places inside the intervals where limits hold.
  OptimalMotion improve_with_places(const OptimalMotion& from);

  bool stopped() const { return stopped_; }
  int iterations() const { return iterations_; }  // of all attempts
  // What is left of a search that was interrupted: the best motion so far on the finest mesh, if there is any.
  std::optional<OptimalMotion> so_far();

 private:
  OptimalMotion attempt(MeshMotion guess, const std::string& name, int most_iterations, const Solution* near = nullptr);
  OptimalMotion from_coarse(std::size_t few, std::size_t intervals, const Beginning& beginning);
  std::optional<Guess> guess(std::size_t intervals, const Beginning& beginning) const;
  OptimalMotion attempt(Guess guess, const std::string& name, int most_iterations);
  double cost_of(MeshMotion guess);
  MeshMotion on_mesh(const MeshMotion& motion, std::size_t intervals) const;
  OptimalMotion first_solved(std::size_t intervals, std::vector<Beginning>& beginnings);
  bool try_others(std::size_t intervals, const std::vector<Beginning>& beginnings, double spent, OptimalMotion& best);
  void leave_saddles(OptimalMotion& found);
  bool step_off(const NonlinearProgram& program, const Curvature& c, OptimalMotion& found);
  std::vector<bool> controls(std::size_t intervals) const;
  void note(const OptimalMotion& found);
  void examine(OptimalMotion& found);
  void finish(OptimalMotion& found, const Origin& origin);
  void name_worst_row(std::size_t intervals, Solution& solution) const;
  void measure(OptimalMotion& found);

  const OptimalTask& task_;
  Transcription& form_;
  const RunOptions& options_;
  const CostlyGuess joints_;
  int iterations_ = 0;
  double work_ = 0.0;  // numbers computed in all iterations
  bool stopped_ = false;
  OptimalMotion so_far_;
};

bool cheaper(double a, double b);  // clearly

// Is one the better answer: solved, without doubts, clearly cheaper?
bool better(const OptimalMotion& a, const OptimalMotion& b);

}  // namespace invar
