// See transcription.h.
#include "invar/task/transcription.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "invar/expr/error.h"

namespace invar {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Exprs fresh(const Graph& graph, const std::vector<std::string>& names) {
  Exprs symbols;
  for (const std::string& name : names) symbols.push_back(graph.parameter(name));
  return symbols;
}

void append(Exprs& all, const Exprs& more) { all.insert(all.end(), more.begin(), more.end()); }

std::optional<std::size_t> place(const Exprs& symbols, const Expr& f) {
  const auto found = std::find(symbols.begin(), symbols.end(), f);
  if (found == symbols.end()) return std::nullopt;
  return static_cast<std::size_t>(found - symbols.begin());
}

}  // namespace

// The symbols of one interval, the equations between its ends, and the formulas that a user gave in them.
struct Transcription::Symbols {
  Graph graph;
  Equations e;
  Interval step;
  Expr horizon, index, fraction;  // of the interval k: t0 = k·fraction·horizon, h = fraction·horizon
  Exprs x0, x1, multipliers, further, guess, u;
  Residual residual;

  Symbols(const System& system, const Scheme& scheme) : graph(system.graph), e(equations(system)) {
    const Graph& g = graph;
    for (const Variable& x : system.coordinates) step.coordinates.push_back(x.name());
    for (const Constraint& c : system.constraints) step.constraints.push_back(c.name);
    std::vector<std::string> inputs;
    for (const Input& input : system.inputs) inputs.push_back(input.name);
    horizon = g.parameter("horizon");
    index = g.parameter("interval");
    fraction = g.parameter("fraction");
    u = fresh(g, inputs);
    step.h = fraction * horizon;
    step.n0 = {index * step.h, fresh(g, step.coordinates), fresh(g, step.coordinates), fresh(g, step.constraints), {}};
    const Exprs q1 = fresh(g, step.coordinates), v1 = fresh(g, step.coordinates);
    step.n1.t = step.t(1.0);
    x0 = step.n0.q;
    append(x0, step.n0.v);
    x1 = q1;
    append(x1, v1);
    if (!scheme.info.own_unknowns) {
      multipliers = fresh(g, step.constraints);
      step.n1.q = q1;
      step.n1.v = v1;
      step.n1.lambda = multipliers;
    }
    step.input = [this](double) { return u; };
    step.unknowns = [this](Kind, const Exprs& first) {
      const Exprs symbols = fresh(graph, std::vector<std::string>(first.size(), "an unknown inside the step"));
      append(further, symbols);
      append(guess, first);
      return symbols;
    };
    if (!scheme.start(e, step.h).empty()) refuse(scheme);
    residual = scheme.residual(e, step, {});
    if (scheme.info.own_unknowns) {
      residual.add("end of", step.coordinates, difference(q1, step.n1.q));
      residual.add("velocity at the end of", step.coordinates, difference(v1, step.n1.v));
    }
    for (const Expr& equation : residual.equations)
      if (depends(equation, step.n0.lambda)) refuse(scheme);
  }
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  [[noreturn]] static void refuse(const Scheme& scheme) {
    throw InputError(fmt::format(
        "scheme {}: remembers more than positions and velocities from step to step, so it cannot be used for optimal "
        "control; try energy-momentum or midpoint",
        scheme.info.name));
  }

  Exprs w() const {
    Exprs all = multipliers;
    append(all, further);
    append(all, u);
    return all;
  }
  Exprs positions_of(const Exprs& x) const {
    return {x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2)};
  }
  Exprs velocities_of(const Exprs& x) const { return {x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end()}; }

  Expr at_end(const Expr& f) const {
    return at(e, {&f, 1}, {step.n1.t, positions_of(x1), velocities_of(x1), {}, {}, u}).front();
  }
  Expr at_start(const Expr& f) const {
    return at(e, {&f, 1}, {step.n0.t, positions_of(x0), velocities_of(x0), {}, {}, u}).front();
  }
  Point middle() const {
    return {
        step.t(0.5), mean(positions_of(x0), positions_of(x1)), mean(velocities_of(x0), velocities_of(x1)), {}, {}, u};
  }
};

Transcription::Transcription(const System& system, const Scheme& scheme, const OptimizeSettings& settings)
    : n_(system.coordinates.size()),
      inputs_(system.inputs.size()),
      free_horizon_(settings.shortest < settings.longest),
      fixed_horizon_(settings.horizon),
      horizon_range_{settings.shortest, settings.longest},
      parameters_(parameter_values(system)),
      node_ranges_(2 * n_, Range{-infinity, infinity}) {
  Symbols s(system, scheme);
  const Exprs w = s.w();
  m_ = s.multipliers.size();
  further_ = s.further.size();
  w_ = w.size();
  w_ranges_.assign(w_, Range{-infinity, infinity});
  names_ = s.residual.names;
  Exprs rows = s.residual.equations;
  Exprs node = s.e.q;
  append(node, s.e.v);
  for (const Limit& limit : settings.bounds) {
    const Range range{limit.lower, limit.upper};
    if (const auto i = place(node, limit.formula)) {
      node_ranges_[*i] = both(node_ranges_[*i], range);
    } else if (const auto j = place(s.e.u, limit.formula)) {
      w_ranges_[first_input() + *j] = both(w_ranges_[first_input() + *j], range);
    } else {
      rows.push_back(s.at_end(limit.formula));
      names_.push_back("bound on " + limit.name);
      path_ranges_.push_back(range);
    }
  }
  Expr density = 0.0;
  if (settings.cost)
    density = at(s.e, {&*settings.cost, 1}, s.middle()).front();
  else
    for (const Expr& u : s.u) density += 0.5 * u * u;
  const Expr cost = s.step.h * density;

  Exprs variables = s.x0, given = {s.index, s.fraction};
  append(variables, w);
  append(variables, s.x1);
  (free_horizon_ ? variables : given).push_back(s.horizon);
  append(given, parameters(system));
  interval_.emplace(s.graph, variables, given, rows, cost);

  Exprs end_rows, end_variables = s.x1, end_given = {s.index, s.fraction};
  for (const Limit& limit : settings.final)
    if (!place(node, limit.formula)) {
      end_rows.push_back(s.at_end(limit.formula));
      end_names_.push_back("final condition on " + limit.name);
      end_ranges_.push_back({limit.lower, limit.upper});
    }
  if (settings.rest && !s.step.constraints.empty()) {
    const Exprs impulse = fresh(s.graph, s.step.constraints);
    const Point end = {s.step.n1.t, s.positions_of(s.x1), s.velocities_of(s.x1), {}, impulse, s.u};
    append(end_rows, difference(at(s.e, s.e.momentum, end), at(s.e, s.e.reaction, end)));
    for (const std::string& name : s.step.coordinates) end_names_.push_back("rest of " + name);
    end_ranges_.insert(end_ranges_.end(), n_, Range{0.0, 0.0});
    append(end_variables, impulse);
    impulses_ = impulse.size();
  }
  (free_horizon_ ? end_variables : end_given).push_back(s.horizon);
  append(end_given, parameters(system));
  const Expr end_cost = settings.end_cost ? s.at_end(*settings.end_cost) : Expr(0.0);
  end_.emplace(s.graph, end_variables, end_given, end_rows, end_cost);

  Exprs inputs = variables;
  append(inputs, given);
  unknowns_guess_.emplace(inputs, s.guess);
  const Point middle = s.middle();
  const Exprs applied = at(s.e, s.e.applied, middle);
  Expr gained = s.at_end(s.e.energy) - s.at_start(s.e.energy);
  for (std::size_t i = 0; i < n_; ++i) gained -= s.step.h * middle.v[i] * applied[i];
  balance_.emplace(inputs, Exprs{gained});
  energy_.emplace(inputs, Exprs{s.at_start(s.e.energy), s.at_end(s.e.energy)});
  Exprs weights;
  Expr lagrangian = cost;
  for (const Expr& row : rows) {
    weights.push_back(s.graph.parameter("weight"));
    lagrangian += weights.back() * row;
  }
  append(inputs, weights);
  hamiltonian_.emplace(inputs, Exprs{-gradient(lagrangian, Exprs{s.horizon}).front() / s.fraction});
}

std::size_t Transcription::variable_count(std::size_t intervals) const {
  return intervals * (2 * n_ + w_) + 2 * n_ + impulses_ + (free_horizon_ ? 1 : 0);
}

std::vector<double> Transcription::pack(const MeshMotion& motion) const {
  std::vector<double> x;
  for (std::size_t k = 0; k < motion.x.size(); ++k) {
    x.insert(x.end(), motion.x[k].begin(), motion.x[k].end());
    if (k < motion.w.size()) x.insert(x.end(), motion.w[k].begin(), motion.w[k].end());
  }
  x.insert(x.end(), impulses_, 0.0);
  if (free_horizon_) x.push_back(motion.horizon);
  return x;
}

MeshMotion Transcription::unpack(std::span<const double> x, std::size_t intervals) const {
  MeshMotion motion{free_horizon_ ? x.back() : fixed_horizon_, {}, {}};
  const std::size_t stride = 2 * n_ + w_;
  for (std::size_t k = 0; k <= intervals; ++k) {
    const auto node = x.subspan(k * stride, 2 * n_);
    motion.x.emplace_back(node.begin(), node.end());
    if (k == intervals) break;
    const auto inner = x.subspan(k * stride + 2 * n_, w_);
    motion.w.emplace_back(inner.begin(), inner.end());
  }
  return motion;
}

std::string Transcription::row_name(std::size_t row, std::size_t intervals) const {
  const std::size_t inside = names_.size() * intervals;
  if (row >= inside) return end_names_[row - inside];
  return fmt::format("{} in interval {}", names_[row / intervals], row % intervals + 1);
}

std::vector<double> Transcription::per_interval(const Function& f, std::size_t N, std::span<const double> in) const {
  std::vector<double> out(f.output_count() * N);
  Scratch scratch;
  f.lanes(N, in.first(f.input_count() * N), out, scratch);
  return out;
}

void Transcription::guess_unknowns(MeshMotion& motion) {
  const std::size_t N = motion.intervals();
  if (further_ == 0) return;
  gather(pack(motion), N);
  const std::vector<double> guess = per_interval(*unknowns_guess_, N, in_);
  for (std::size_t i = 0; i < further_; ++i)
    for (std::size_t k = 0; k < N; ++k) motion.w[k][m_ + i] = guess[i * N + k];
}

std::vector<double> Transcription::energy_balance(const MeshMotion& motion) {
  gather(pack(motion), motion.intervals());
  return per_interval(*balance_, motion.intervals(), in_);
}

std::vector<double> Transcription::energy(const MeshMotion& motion) {
  const std::size_t N = motion.intervals();
  gather(pack(motion), N);
  std::vector<double> ends = per_interval(*energy_, N, in_);
  std::vector<double> result(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(N));
  result.push_back(ends.back());
  return result;
}

std::vector<double> Transcription::hamiltonian(const MeshMotion& motion, std::span<const double> weight) {
  const std::size_t N = motion.intervals();
  gather(pack(motion), N);
  std::copy_n(weight.begin(), interval_->row_count() * N,
              in_.begin() + static_cast<std::ptrdiff_t>(interval_->input_count() * N));
  return per_interval(*hamiltonian_, N, in_);
}

}  // namespace invar
