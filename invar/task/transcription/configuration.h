// Moving configurations onto constraints, for goals and first guesses: Gauss-Newton steps of least length.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "invar/system/state_function.h"
#include "invar/task/transcription/optimize_settings.h"

namespace invar {

// Equations that a configuration shall satisfy, as numbers.
struct LinearRows {
  Eigen::VectorXd value;
  Eigen::MatrixXd gradient;  // by the coordinates
};

// Position constraints, and formulas that shall have given values.
class Constraints {
 public:
  Constraints(const System& system, std::span<const Reference> references, const std::vector<Limit>& conditions = {});

  LinearRows operator()(double t, const std::vector<double>& q);
  const std::vector<std::string>& names() const { return names_; }

  // Values of the conditions at q, and those that they shall have.
  std::vector<double> conditions(double t, const std::vector<double>& q, std::size_t count);
  void want(const std::vector<double>& values);

  // Moves the coordinates that are not held; the largest residual that remains.
  double satisfy(double t, std::vector<double>& q, const std::vector<bool>& held);

 private:
  std::size_t n_;
  std::vector<std::string> names_;
  std::vector<double> values_;  // wanted
  StateFunction function_;
};

// The momenta of a floating system, which nothing changes.
class KeptMomenta {
 public:
  explicit KeptMomenta(const System& system);
  bool any() const { return count_ > 0; }

  // Those of a move from q0 to q in a unit of time, at the mean of both.
  LinearRows operator()(const std::vector<double>& q0, const std::vector<double>& q);

 private:
  std::size_t n_, count_ = 0;
  StateFunction function_;
};

// Moves the coordinates that are not held so that the constraints hold and the move from q0 has no momentum; the
// largest residual that remains, as a distance.
double follow(Constraints& constraints, KeptMomenta& momenta, double t, const std::vector<double>& q0,
              std::vector<double>& q, const std::vector<bool>& held);

// Turns a body evenly about a fixed axis: the part s of the way between two orientations. False if they are none.
bool turn_part_way(const RigidBody& body, const std::vector<double>& from, const std::vector<double>& to, double s,
                   std::vector<double>& q);

}  // namespace invar
