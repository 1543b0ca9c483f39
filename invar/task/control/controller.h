// A controller sees the measured state once per sample and says which inputs to hold until the next one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/system/state_function.h"
#include "invar/task/control/control_settings.h"

namespace invar {

struct Sample {
  double t;
  std::span<const double> q, v;  // as measured
  std::span<const double> held;  // the inputs so far
};

class Controller {
 public:
  virtual ~Controller() = default;

  // The state that the motion shall have at the first sample: where the loop is at rest if the references are constant.
  virtual const State& wanted_start() const = 0;
  // The inputs that keep it there.
  virtual std::vector<double> inputs_at_start() const = 0;
  // Forgets what it remembers.
  virtual void start() = 0;
  // Writes the inputs. False if there are none; fault() says why.
  virtual bool sample(const Sample& sample, std::span<double> u) = 0;
  virtual std::string fault() const { return {}; }
  // What the user must know about it beforehand.
  virtual std::vector<std::string> doubts() const { return {}; }
  // Does it look at the measured state?
  virtual bool feeds_back() const { return true; }

  // All that the next sample depends on besides what it sees.
  virtual std::vector<double> memory() const { return {}; }
  virtual void remember(std::span<const double>) {}
};

// What outputs follow, and the signals in the formulas.
std::vector<Reference> all_references(const Problem& problem);

// The problem with references and signals held at their first values, for one sample.
Problem standing_still(Problem problem);

}  // namespace invar
