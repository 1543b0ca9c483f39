// The derived columns as one Function; the largest residuals are picked from its last outputs.
#include "invar/record/observer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"

namespace invar {

struct Observer::Formulas {
  std::vector<std::string> columns;
  std::vector<Conserved> conserved;
  std::vector<std::size_t> sizes;
  std::size_t position_count = 0;
  Exprs inputs, outputs;
  ReferenceValues signals{{}, {}};

  Formulas(const System& system, std::span<const Reference> references) : conserved(conserved_quantities(system)) {
    add_state(system);
    const std::unordered_map<std::string, Expr> places = places_of_bodies(system);
    for (const Quantity& y : system.outputs)
      if (!is_among(y, places)) add_derived(y.name, y.expr);
    std::unordered_map<std::string, Expr> known;
    for (const Quantity& y : system.outputs) known.try_emplace(y.name, y.expr);
    for (const Quantity& y : system.shown)
      if (!is_among(y, known)) add_derived(y.name, y.expr);
    add_derived("energy.kinetic", system.kinetic);
    add_derived("energy.potential", system.potential);
    for (const Conserved& c : conserved) add_derived(c.column, c.expr);
    columns.insert(columns.end(), {"drift.position", "drift.velocity"});
    add_residuals(system);
    signals = ReferenceValues(outputs, references);
    inputs.insert(inputs.end(), signals.symbols().begin(), signals.symbols().end());
    check_names();
  }

  void add_state(const System& system) {
    columns = {"t"};
    for (const Variable& x : system.coordinates) columns.push_back(x.name());
    for (const Variable& x : system.coordinates) columns.push_back(x.name() + "'");
    for (const Constraint& c : system.constraints) columns.push_back("lambda." + c.name);
    for (const Input& u : system.inputs) columns.push_back(u.name);
    inputs = {system.graph.time()};
    for (const Exprs& part :
         {positions(system), velocities(system), multipliers(system), invar::inputs(system), parameters(system)}) {
      sizes.push_back(part.size());
      inputs.insert(inputs.end(), part.begin(), part.end());
    }
  }

  // A body's place may be a coordinate and an output under the same name; one column is enough.
  static std::unordered_map<std::string, Expr> places_of_bodies(const System& system) {
    std::unordered_map<std::string, Expr> places;
    for (const RigidBody& body : system.bodies)
      for (std::size_t i = body.first; i < body.first + body.size(); ++i)
        places.try_emplace(system.coordinates[i].name(), at(system.coordinates[i]));
    return places;
  }
  static bool is_among(const Quantity& y, const std::unordered_map<std::string, Expr>& known) {
    const auto found = known.find(y.name);
    return found != known.end() && found->second == y.expr;
  }

  void add_derived(const std::string& name, const Expr& expr) {
    columns.push_back(name);
    outputs.push_back(expr);
  }

  void add_residuals(const System& system) {
    for (const Constraint& c : system.constraints)
      if (c.level == Level::position) {
        outputs.push_back(c.expr);
        ++position_count;
      }
    for (const Constraint& c : system.constraints)
      if (c.level != Level::acceleration) outputs.push_back(c.level == Level::position ? ddt(c.expr) : c.expr);
  }

  void check_names() const {
    std::set<std::string> seen;
    for (const std::string& name : columns)
      if (!seen.insert(name).second)
        throw InputError("two columns of the results would be named \"" + name + "\"; rename one of them");
  }
};

namespace {

double largest(std::span<const double> residuals) {
  double most = 0.0;
  for (double r : residuals) most = std::isnan(r) || std::isnan(most) ? NAN : std::max(most, std::abs(r));
  return most;
}

}  // namespace

Observer::Observer(const System& system, std::span<const Reference> signals) : Observer(Formulas(system, signals)) {}

Observer::Observer(const Formulas& formulas)
    : columns_(formulas.columns),
      conserved_(formulas.conserved),
      sizes_(formulas.sizes),
      position_count_(formulas.position_count),
      signals_(formulas.signals),
      function_(formulas.inputs, formulas.outputs, "recorded quantities"),
      in_(formulas.inputs.size()),
      out_(formulas.outputs.size()) {}

void Observer::observe(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda,
                       std::span<const double> u, std::span<const double> parameters, std::span<double> row) {
  expects(row.size() == columns_.size(), "one number per column");
  in_[0] = t;
  auto end = in_.begin() + 1;
  auto size = sizes_.begin();
  for (std::span<const double> part : {q, v, lambda, u, parameters}) {
    expects(part.size() == *size++, "values for every symbol of the system");
    end = std::ranges::copy(part, end).out;
  }
  const std::size_t signal_count = signals_.symbols().size();
  signals_(t, std::span(in_).last(signal_count));
  function_(in_, out_, scratch_);

  const std::size_t state =
      in_.size() - parameters.size() - signal_count;  // the leading columns are the leading inputs
  const std::size_t derived = columns_.size() - state - 2;
  const std::span residuals = std::span<const double>(out_).subspan(derived);
  auto next = std::copy_n(in_.begin(), state, row.begin());
  next = std::copy_n(out_.begin(), derived, next);
  *next++ = largest(residuals.first(position_count_));
  *next = largest(residuals.subspan(position_count_));
}

}  // namespace invar
