// See transcription.h. The formulas of an interval and of the end, and what is measured on a motion.
#include "invar/task/transcription/transcription.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "invar/base/error.h"
#include "invar/task/transcription/interval_symbols.h"
#include "invar/task/transcription/reduced_interval.h"

namespace invar {

namespace {

Exprs node_symbols(const Equations& e) {
  Exprs node = e.q;
  append(node, e.v);
  return node;
}

// Cost per unit time.
Expr cost_density(const IntervalSymbols& s, const OptimizeSettings& settings) {
  if (settings.cost) return s.at(*settings.cost, s.middle());
  Expr effort = 0.0;
  for (const Expr& u : s.u) effort += 0.5 * u * u;
  return effort;
}

}  // namespace

std::optional<std::size_t> place(const Exprs& symbols, const Expr& f) {
  const auto found = std::find(symbols.begin(), symbols.end(), f);
  if (found == symbols.end()) return std::nullopt;
  return static_cast<std::size_t>(found - symbols.begin());
}

struct Transcription::Formulas {
  Exprs rows, end_rows, impulses;
  Expr cost, end_cost;
};

Transcription::Transcription(const System& system, const Scheme& scheme, const OptimizeSettings& settings,
                             std::span<const Reference> references, std::span<const InnerPlace> places,
                             const std::optional<JointNodes>& joints)
    : n_(system.coordinates.size()),
      inputs_(system.inputs.size()),
      free_horizon_(settings.shortest < settings.longest),
      fixed_horizon_(settings.horizon),
      horizon_range_{settings.shortest, settings.longest},
      parameters_(parameter_values(system)) {
  const IntervalSymbols s(system, scheme);
  const std::optional<ReducedInterval> reduced = reduce(s, system, settings, joints);
  const Exprs w = s.inside();
  m_ = s.multipliers.size();
  further_ = s.further.size();
  for (auto kind = s.symbols.kinds.end() - std::ssize(s.further); kind != s.symbols.kinds.end(); ++kind)
    position_.push_back(*kind == static_cast<int>(Kind::position));
  carried_ = s.carried0.size();
  starts_ = s.start_unknowns.size();
  w_ = w.size();
  const Exprs node0 = reduced ? reduced->node0 : s.x0, node1 = reduced ? reduced->node1 : s.x1;
  const Exprs sought = reduced ? joined(reduced->inside(), s.u) : w;
  node_ = node0.size() + carried_;
  inside_ = sought.size();
  node_ranges_.assign(node0.size(), unbounded);
  w_ranges_.assign(inside_, unbounded);
  const Residual& residual = reduced ? reduced->residual : s.residual;
  names_ = residual.names;
  start_names_ = s.start.names;

  Formulas f{residual.equations,
             {},
             {},
             s.step.h * cost_density(s, settings),
             settings.end_cost ? s.at(*settings.end_cost, s.last()) : Expr(0.0)};
  limit_interval(s, settings.bounds, f.rows);
  limit_inside(s, settings.bounds, places, f.rows);
  limit_end(s, settings, f);
  if (reduced) put_reduced(s, *reduced, f);

  Exprs given;
  for (const InnerRow& row : inner_) given.push_back(row.symbol);
  append(given, parameters(system));
  append(given, set_given(s, references));
  const auto arguments = [&](Exprs& variables) {
    Exprs others = {s.index, s.fraction};
    (free_horizon_ ? variables : others).push_back(s.horizon);
    append(others, given);
    return others;
  };
  const Exprs last = joined(node1, s.carried1), first = joined(joined(node0, s.carried0), sought);
  Exprs inside = joined(first, last), end = joined(last, f.impulses), start = joined(first, s.start_unknowns);
  const Exprs inside_given = arguments(inside), end_given = arguments(end), start_given = arguments(start);
  interval_.emplace(system.graph, inside, inside_given, f.rows, f.cost);
  end_.emplace(system.graph, end, end_given, f.end_rows, f.end_cost);
  start_.emplace(system.graph, start, start_given, s.start.equations, 0.0);
  append(inside, inside_given);
  set_measures(s, f, reduced ? &*reduced : nullptr, inside);
}

// Limits of variables themselves, and rows for those of other formulas.
void Transcription::limit_interval(const IntervalSymbols& s, const std::vector<Limit>& bounds, Exprs& rows) {
  for (const Limit& limit : bounds) {
    const Range range{limit.lower, limit.upper};
    if (const auto i = node_place(s, limit.formula)) {
      node_ranges_[*i] = both(node_ranges_[*i], range);
    } else if (const auto j = place(s.e.u, limit.formula)) {
      Range& own = w_ranges_[inside_ - inputs_ + *j];
      own = both(own, range);
    } else {
      if (depends(limit.formula, s.e.lambda)) s.expect_multipliers(limit.name);
      rows.push_back(s.at(limit.formula, belongs_to_intervals(limit.formula, s.e) ? s.middle() : s.last()));
      names_.push_back("bound on " + limit.name);
      path_ranges_.push_back(range);
    }
  }
}

// Places of one limit share rows as far as they lie in different intervals.
void Transcription::limit_inside(const IntervalSymbols& s, const std::vector<Limit>& bounds,
                                 std::span<const InnerPlace> places, Exprs& rows) {
  for (const InnerPlace& place : places) {
    const Limit& limit = bounds[place.limit];
    const auto free = std::find_if(inner_.begin(), inner_.end(), [&](const InnerRow& row) {
      return row.limit == place.limit && std::none_of(row.fractions.begin(), row.fractions.end(),
                                                      [&](const auto& f) { return f.first == place.interval; });
    });
    if (free != inner_.end()) {
      free->fractions.emplace_back(place.interval, place.fraction);
      continue;
    }
    const Expr fraction = s.graph.parameter("place");
    inner_.push_back({place.limit, fraction, {limit.lower, limit.upper}, {{place.interval, place.fraction}}});
    rows.push_back(s.at(limit.formula, s.inside_at(fraction)));
    names_.push_back("bound on " + limit.name + " between nodes");
  }
}

std::vector<double> Transcription::InnerRow::per_interval(std::size_t intervals) const {
  std::vector<double> values(intervals, std::numeric_limits<double>::quiet_NaN());
  for (const auto& [interval, fraction] : fractions) values[interval] = fraction;
  return values;
}

void Transcription::limit_end(const IntervalSymbols& s, const OptimizeSettings& settings, Formulas& f) {
  const Exprs node = node_symbols(s.e);
  for (const Limit& limit : settings.final)
    if (!node_place(s, limit.formula)) {
      if (const auto entry = place(node, limit.formula)) goal_rows_.emplace_back(f.end_rows.size(), *entry);
      f.end_rows.push_back(s.at(limit.formula, s.last()));
      end_names_.push_back("final condition on " + limit.name);
      end_ranges_.push_back({limit.lower, limit.upper});
    }
  if (settings.rest && !s.step.constraints.empty()) end_at_rest(s, f);
}

void Transcription::end_at_rest(const IntervalSymbols& s, Formulas& f) {
  for (const std::string& name : s.step.constraints) f.impulses.push_back(s.graph.parameter(name));
  impulses_ = f.impulses.size();
  Point end = s.last();
  end.lambda = f.impulses;
  append(f.end_rows, difference(at(s.e, s.e.momentum, end), at(s.e, s.e.reaction, end)));
  for (const std::string& name : s.step.coordinates) end_names_.push_back("rest of " + name);
  end_ranges_.insert(end_ranges_.end(), n_, Range{0.0, 0.0});
}

// Equations without reactions, unless somebody asks for these.
std::optional<ReducedInterval> Transcription::reduce(const IntervalSymbols& s, const System& system,
                                                     const OptimizeSettings& settings,
                                                     const std::optional<JointNodes>& joints) {
  for (std::size_t i = 0; i < 2 * n_; ++i) plain_.emplace_back(i);
  Exprs asked;
  for (const std::vector<Limit>* limits : {&settings.final, &settings.bounds})
    for (const Limit& limit : *limits) asked.push_back(limit.formula);
  for (const std::optional<Expr>* cost : {&settings.cost, &settings.end_cost})
    if (*cost) asked.push_back(**cost);
  if (!joints || std::ranges::any_of(asked, [&](const Expr& f) { return depends(f, s.e.lambda); })) return std::nullopt;
  std::optional<ReducedInterval> reduced = ReducedInterval::of(s, system, *joints);
  if (!reduced) return std::nullopt;
  joints_ = joints;
  rates_ = reduced->rates;
  plain_ = reduced->plain;
  return reduced;
}

// Formulas in the variables of the nodes, and rest along what the joints leave free.
void Transcription::put_reduced(const IntervalSymbols& s, const ReducedInterval& r, Formulas& f) {
  if (impulses_ > 0) {
    f.impulses.clear();
    impulses_ = 0;
    for (std::size_t i = 0; i < n_; ++i) f.end_rows.pop_back(), end_names_.pop_back(), end_ranges_.pop_back();
    const Exprs momenta = r.momenta_at_end(s);
    append(f.end_rows, momenta);
    end_ranges_.insert(end_ranges_.end(), momenta.size(), Range{0.0, 0.0});
    for (std::size_t i = 1; i <= momenta.size(); ++i) end_names_.push_back(fmt::format("rest of freedom {}", i));
  }
  f.rows = r.put(f.rows);
  f.end_rows = r.put(f.end_rows);
  f.cost = r.put({&f.cost, 1}).front();
  f.end_cost = r.put({&f.end_cost, 1}).front();
}

// Where a formula stands among the variables of a node.
std::optional<std::size_t> Transcription::node_place(const IntervalSymbols& s, const Expr& formula) const {
  const auto entry = place(node_symbols(s.e), formula);
  return entry ? plain_[*entry] : std::nullopt;
}

// The symbols that stand for given functions of time at instants of an interval.
Exprs Transcription::set_given(const IntervalSymbols& s, std::span<const Reference> references) {
  Exprs values, instants;
  for (const StepSymbols::Given& g : s.symbols.given)
    for (const Reference& r : references)
      if (invar::at(r.value) == g.symbol.derivative(0)) {
        values.push_back(g.value);
        instants.push_back(g.t);
        given_.push_back({r.function, static_cast<std::size_t>(g.symbol.order())});
      }
  if (free_horizon_ && !given_.empty())
    throw InputError("[optimize]: signals cannot be used together with a free horizon");
  Exprs where = {s.index, s.fraction, s.horizon};
  for (const InnerRow& row : inner_) where.push_back(row.symbol);
  instants_.emplace(where, instants);
  return values;
}

void Transcription::set_measures(const IntervalSymbols& s, const Formulas& f, const ReducedInterval* r,
                                 const Exprs& inputs) {
  const auto put = [&](const Exprs& formulas) { return r == nullptr ? formulas : r->put(formulas); };
  const Exprs none(r == nullptr ? 0 : m_, 0.0);  // multipliers are no variables there
  unknowns_guess_.emplace(inputs, put(substitute(s.guess, r == nullptr ? Exprs() : s.multipliers, none)));
  if (r == nullptr) carried_guess_.emplace(inputs, s.carried_guess());
  const Point middle = s.middle();
  const Exprs applied = at(s.e, s.e.applied, middle);
  const Expr first = s.at(s.e.energy, s.first()), last = s.at(s.e.energy, s.last());
  Expr gained = last - first;
  for (std::size_t i = 0; i < n_; ++i) gained -= s.step.h * middle.v[i] * applied[i];
  balance_.emplace(inputs, put({gained}));
  energy_.emplace(inputs, put({first, last}));
  Exprs weighted = inputs;
  Expr lagrangian = f.cost;
  for (const Expr& row : f.rows) {
    weighted.push_back(s.graph.parameter("weight"));
    lagrangian += weighted.back() * row;
  }
  hamiltonian_.emplace(weighted, Exprs{-gradient(lagrangian, Exprs{s.horizon}).front() / s.fraction});
  if (r != nullptr) set_recovery(*r, inputs, weighted);
}

std::size_t Transcription::variable_count(std::size_t intervals) const {
  return intervals * stride() + node_ + impulses_ + starts_ + (free_horizon_ ? 1 : 0);
}

std::string Transcription::row_name(std::size_t row, std::size_t intervals) const {
  const std::size_t inside = names_.size() * intervals;
  if (row >= inside + end_names_.size()) return start_names_[row - inside - end_names_.size()];
  if (row >= inside) return end_names_[row - inside];
  return fmt::format("{} in interval {}", names_[row / intervals], row % intervals + 1);
}

std::size_t Transcription::interval_of(std::size_t row, std::size_t intervals) const {
  const std::size_t inside = names_.size() * intervals;
  if (row >= inside + end_names_.size()) return 0;
  return row < inside ? row % intervals : intervals;
}

std::vector<double> Transcription::per_interval(const Function& f, std::size_t N) const {
  std::vector<double> out(f.output_count() * N);
  Scratch scratch;
  f.lanes(N, std::span(in_).first(f.input_count() * N), out, scratch);
  return out;
}

void Transcription::guess_unknowns(MeshMotion& motion) {
  const std::size_t N = motion.intervals();
  const bool follow = joints_ && stages_.empty();  // from the rest
  if (follow || (further_ == 0 && carried_ == 0) || motion.unknowns == Unknowns::known) return;
  if (carried_ > 0) guess_carried(motion);
  gather(pack(motion), N);
  const std::vector<double> guess = per_interval(*unknowns_guess_, N);
  for (std::size_t i = 0; i < further_; ++i)
    if (motion.unknowns == Unknowns::open || position_[i])
      for (std::size_t k = 0; k < N; ++k) motion.w[k][m_ + i] = guess[i * N + k];
}

// From the change of the velocities.
void Transcription::guess_carried(MeshMotion& motion) {
  const std::size_t N = motion.intervals();
  motion.carried.assign(N + 1, std::vector<double>(carried_, 0.0));
  motion.start.assign(starts_, 0.0);
  gather(pack(motion), N);
  const std::vector<double> ends = per_interval(*carried_guess_, N);
  for (std::size_t i = 0; i < carried_; ++i) {
    for (std::size_t k = 0; k < N; ++k) motion.carried[k][i] = ends[i * N + k];
    motion.carried[N][i] = ends[(carried_ + i) * N + N - 1];
  }
  const double h = motion.horizon / static_cast<double>(N);
  for (std::size_t i = 0; i < n_; ++i) motion.start[i] = (motion.x[1][n_ + i] - motion.x[0][n_ + i]) / h;
  std::copy_n(motion.w[0].begin(), m_, motion.start.begin() + static_cast<std::ptrdiff_t>(n_));
}

std::vector<double> Transcription::energy_balance(const MeshMotion& motion) {
  gather(pack(motion), motion.intervals());
  return per_interval(*balance_, motion.intervals());
}

std::vector<double> Transcription::energy(const MeshMotion& motion) {
  const std::size_t N = motion.intervals();
  gather(pack(motion), N);
  std::vector<double> ends = per_interval(*energy_, N);
  std::vector<double> result(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(N));
  result.push_back(ends.back());
  return result;
}

std::vector<double> Transcription::hamiltonian(const MeshMotion& motion, std::span<const double> weight) {
  return weighted(*hamiltonian_, motion, weight);
}

std::vector<double> Transcription::costates(const MeshMotion& motion, std::span<const double> weight) {
  if (joints_) return weighted(*costate_values_, motion, weight);
  return {weight.begin(), weight.begin() + static_cast<std::ptrdiff_t>(equation_names().size() * motion.intervals())};
}

std::vector<double> Transcription::weighted(const Function& f, const MeshMotion& motion,
                                            std::span<const double> weight) {
  const std::size_t N = motion.intervals();
  gather(pack(motion), N);
  std::copy_n(weight.begin(), interval_->row_count() * N,
              in_.begin() + static_cast<std::ptrdiff_t>(interval_->input_count() * N));
  return per_interval(f, N);
}

}  // namespace invar
