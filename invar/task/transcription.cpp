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

Range both(const Range& a, const Range& b) { return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)}; }

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
  Exprs positions_of(const Exprs& x) const { return {x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2)}; }
  Exprs velocities_of(const Exprs& x) const { return {x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end()}; }

  Expr at_end(const Expr& f) const {
    return at(e, {&f, 1}, {step.n1.t, positions_of(x1), velocities_of(x1), {}, {}, u}).front();
  }
  Expr at_start(const Expr& f) const {
    return at(e, {&f, 1}, {step.n0.t, positions_of(x0), velocities_of(x0), {}, {}, u}).front();
  }
  Point middle() const {
    return {step.t(0.5), mean(positions_of(x0), positions_of(x1)), mean(velocities_of(x0), velocities_of(x1)), {}, {}, u};
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
  return intervals * (2 * n_ + w_) + 2 * n_ + (free_horizon_ ? 1 : 0);
}

std::vector<double> Transcription::pack(const MeshMotion& motion) const {
  std::vector<double> x;
  for (std::size_t k = 0; k < motion.x.size(); ++k) {
    x.insert(x.end(), motion.x[k].begin(), motion.x[k].end());
    if (k < motion.w.size()) x.insert(x.end(), motion.w[k].begin(), motion.w[k].end());
  }
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

// Fills the lanes of both blocks with the variables and what is given.
void Transcription::gather(std::span<const double> x, std::size_t intervals) {
  const std::size_t N = intervals, stride = 2 * n_ + w_, local = stride + 2 * n_;
  in_.resize(interval_->weighted_input_count() * N);
  end_in_.resize(end_->weighted_input_count());
  std::size_t i = 0;
  for (; i < local; ++i)
    for (std::size_t k = 0; k < N; ++k) in_[i * N + k] = x[k * stride + i];
  const auto all = [&](double value) {
    std::fill_n(in_.begin() + static_cast<std::ptrdiff_t>(i++ * N), N, value);
  };
  if (free_horizon_) all(x.back());
  for (std::size_t k = 0; k < N; ++k) in_[i * N + k] = static_cast<double>(k);
  ++i;
  all(1.0 / static_cast<double>(N));
  if (!free_horizon_) all(fixed_horizon_);
  for (const double p : parameters_) all(p);

  auto end = std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(N * stride), 2 * n_, end_in_.begin());
  if (free_horizon_) *end++ = x.back();
  *end++ = static_cast<double>(N - 1);
  *end++ = 1.0 / static_cast<double>(N);
  if (!free_horizon_) *end++ = fixed_horizon_;
  std::copy(parameters_.begin(), parameters_.end(), end);
}

NonlinearProgram Transcription::program(std::size_t N, std::span<const double> start, std::span<const Range> goal) {
  NonlinearProgram p;
  const std::size_t stride = 2 * n_ + w_, count = variable_count(N), horizon = count - 1;
  const std::size_t rows = interval_->row_count(), end_rows = end_->row_count(), first_end = rows * N;
  // Variables, by their places in an interval and at the end.
  const auto at_interval = [=, this](std::size_t i, std::size_t k) {
    return static_cast<int>(free_horizon_ && i == stride + 2 * n_ ? horizon : k * stride + i);
  };
  const auto at_end = [=, this](std::size_t i) {
    return static_cast<int>(free_horizon_ && i == 2 * n_ ? horizon : N * stride + i);
  };

  for (std::size_t k = 0; k <= N; ++k) {
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      const Range r = k == 0   ? Range{start[i], start[i]}
                      : k == N ? both(node_ranges_[i], goal[i])
                               : node_ranges_[i];
      p.lower.push_back(r.lower);
      p.upper.push_back(r.upper);
    }
    if (k == N) break;
    for (const Range& r : w_ranges_) {
      p.lower.push_back(r.lower);
      p.upper.push_back(r.upper);
    }
  }
  if (free_horizon_) {
    p.lower.push_back(horizon_range_.lower);
    p.upper.push_back(horizon_range_.upper);
  }
  // Rows of the same formula stand together, as they come out of the lanes.
  const std::size_t equations = rows - path_ranges_.size();
  for (std::size_t r = 0; r < rows; ++r) {
    const Range range = r < equations ? Range{0.0, 0.0} : path_ranges_[r - equations];
    p.row_lower.insert(p.row_lower.end(), N, range.lower);
    p.row_upper.insert(p.row_upper.end(), N, range.upper);
  }
  for (const Range& range : end_ranges_) {
    p.row_lower.push_back(range.lower);
    p.row_upper.push_back(range.upper);
  }

  const auto entries = [](const Pattern& pattern, const auto& each) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(pattern.cols); ++j)
      for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e)
        each(static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)]), j);
  };
  entries(interval_->jacobian(), [&](std::size_t r, std::size_t c) {
    for (std::size_t k = 0; k < N; ++k) p.jacobian.push_back({static_cast<int>(r * N + k), at_interval(c, k)});
  });
  entries(end_->jacobian(), [&](std::size_t r, std::size_t c) {
    p.jacobian.push_back({static_cast<int>(first_end + r), at_end(c)});
  });
  const auto lower = [&](int a, int b) { p.hessian.push_back({std::max(a, b), std::min(a, b)}); };
  entries(interval_->hessian(), [&](std::size_t r, std::size_t c) {
    for (std::size_t k = 0; k < N; ++k) lower(at_interval(r, k), at_interval(c, k));
  });
  entries(end_->hessian(), [&](std::size_t r, std::size_t c) { lower(at_end(r), at_end(c)); });

  const auto evaluate = [=, this](auto part, std::size_t size, std::size_t end_size, std::size_t inputs,
                                  std::size_t end_inputs) {
    out_.resize(size * N);
    end_out_.resize(end_size);
    ((*interval_).*part)(N, std::span<const double>(in_).first(inputs * N), out_);
    ((*end_).*part)(1, std::span<const double>(end_in_).first(end_inputs), end_out_);
  };
  const auto values = [=, this](std::span<const double> x) {
    gather(x, N);
    evaluate(&Block::values, rows + 1, end_rows + 1, interval_->input_count(), end_->input_count());
  };
  const std::size_t entries_inside = interval_->jacobian().size(), entries_end = end_->jacobian().size();
  const auto derivatives = [=, this](std::span<const double> x) {
    gather(x, N);
    evaluate(&Block::derivatives, entries_inside + interval_->variable_count(),
             entries_end + end_->variable_count(), interval_->input_count(), end_->input_count());
  };
  p.cost = [=, this](std::span<const double> x) {
    values(x);
    double sum = end_out_[end_rows];
    for (std::size_t k = 0; k < N; ++k) sum += out_[rows * N + k];
    return sum;
  };
  p.rows = [=, this](std::span<const double> x, std::span<double> g) {
    values(x);
    std::copy_n(end_out_.begin(), end_rows, std::copy_n(out_.begin(), rows * N, g.begin()));
  };
  p.cost_gradient = [=, this](std::span<const double> x, std::span<double> slope) {
    derivatives(x);
    std::fill(slope.begin(), slope.end(), 0.0);
    for (std::size_t i = 0; i < interval_->variable_count(); ++i)
      for (std::size_t k = 0; k < N; ++k)
        slope[static_cast<std::size_t>(at_interval(i, k))] += out_[(entries_inside + i) * N + k];
    for (std::size_t i = 0; i < end_->variable_count(); ++i)
      slope[static_cast<std::size_t>(at_end(i))] += end_out_[entries_end + i];
  };
  p.jacobian_values = [=, this](std::span<const double> x, std::span<double> j) {
    derivatives(x);
    std::copy_n(end_out_.begin(), entries_end, std::copy_n(out_.begin(), entries_inside * N, j.begin()));
  };
  p.hessian_values = [=, this](std::span<const double> x, double factor, std::span<const double> weight,
                               std::span<double> h) {
    gather(x, N);
    auto to = std::copy_n(weight.begin(), rows * N, in_.begin() + static_cast<std::ptrdiff_t>(interval_->input_count() * N));
    std::fill_n(to, N, factor);
    to = std::copy_n(weight.begin() + static_cast<std::ptrdiff_t>(rows * N), end_rows,
                     end_in_.begin() + static_cast<std::ptrdiff_t>(end_->input_count()));
    *to = factor;
    evaluate(&Block::curvature, interval_->hessian().size(), end_->hessian().size(),
             interval_->weighted_input_count(), end_->weighted_input_count());
    std::copy(end_out_.begin(), end_out_.end(), std::copy(out_.begin(), out_.end(), h.begin()));
  };
  return p;
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
