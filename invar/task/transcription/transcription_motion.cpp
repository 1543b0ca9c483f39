// See transcription.h: motions as variables of a program, and back.
#include <Eigen/QR>
#include <algorithm>

#include "invar/task/transcription/reduced_interval.h"
#include "invar/task/transcription/transcription.h"

namespace invar {

std::vector<double> Transcription::pack(const MeshMotion& motion) const {
  std::vector<double> x, near = joints_ ? joints_->start() : std::vector<double>();
  for (std::size_t k = 0; k < motion.x.size(); ++k) {
    const std::vector<double> node = node_variables(motion.x[k], near);
    x.insert(x.end(), node.begin(), node.end());
    if (carried_ > 0) x.insert(x.end(), motion.carried[k].begin(), motion.carried[k].end());
    if (k == motion.w.size()) break;
    const std::vector<double> inside = interval_variables(motion.w[k], near);
    x.insert(x.end(), inside.begin(), inside.end());
  }
  x.insert(x.end(), impulses_, 0.0);
  x.insert(x.end(), motion.start.begin(), motion.start.end());
  if (free_horizon_) x.push_back(motion.horizon);
  return x;
}

MeshMotion Transcription::unpack(std::span<const double> x, std::size_t intervals) {
  MeshMotion motion{free_horizon_ ? x.back() : fixed_horizon_, {}, {}};
  Scratch scratch;
  for (std::size_t k = 0; k <= intervals; ++k) {
    const auto node = x.subspan(k * stride(), node_ - carried_);
    motion.x.emplace_back(node.begin(), node.end());
    if (joints_) {
      motion.x.back().resize(2 * n_);
      (*node_values_)(node, motion.x.back(), scratch);
    }
    const auto carried = x.subspan(k * stride() + node_ - carried_, carried_);
    if (carried_ > 0) motion.carried.emplace_back(carried.begin(), carried.end());
    if (k == intervals) break;
    const auto inner = x.subspan(k * stride() + node_, inside_);
    const std::size_t plain = joints_ ? inputs_ : inside_;
    motion.w.emplace_back(w_ - plain, 0.0);
    for (std::size_t i = 0; i < stages_.size(); ++i)
      (*node_values_)(inner.subspan(i * node_, node_), std::span(motion.w.back()).subspan(stages_[i], 2 * n_), scratch);
    motion.w.back().insert(motion.w.back().end(), inner.end() - static_cast<std::ptrdiff_t>(plain), inner.end());
  }
  const auto start = x.subspan(intervals * stride() + node_ + impulses_, starts_);
  motion.start.assign(start.begin(), start.end());
  motion.unknowns = Unknowns::known;
  if (joints_) recover_multipliers(x, motion);
  return motion;
}

// Of a node with these q and v; `near` are the joint coordinates of one that is not far away, and become its own.
std::vector<double> Transcription::node_variables(std::span<const double> x, std::vector<double>& near) const {
  if (!joints_) return {x.begin(), x.end()};
  // Coordinates that have a name in the model say by themselves how often a joint has turned.
  for (std::size_t i = 0; i < n_; ++i)
    if (plain_[i]) near[*plain_[i]] = x[i];
  joints_->follow(x.first(n_), near);
  std::vector<double> node = near;
  const auto v = x.subspan(n_);
  if (rates_) {
    const std::vector<double> rates = joints_->rates(near, v);
    node.insert(node.end(), rates.begin(), rates.end());
  } else {
    for (const std::size_t i : joints_->independent()) node.push_back(v[i]);
  }
  return node;
}

// Of an interval after the node with these joint coordinates.
std::vector<double> Transcription::interval_variables(std::span<const double> w, std::vector<double> near) const {
  if (!joints_) return {w.begin(), w.end()};
  std::vector<double> inside;
  for (const std::size_t stage : stages_) {
    const std::vector<double> node = node_variables(w.subspan(stage, 2 * n_), near);
    inside.insert(inside.end(), node.begin(), node.end());
  }
  inside.insert(inside.end(), w.end() - static_cast<std::ptrdiff_t>(inputs_), w.end());
  return inside;
}

// `weighted` ends with the weights of the rows.
void Transcription::set_recovery(const ReducedInterval& r, const Exprs& inputs, const Exprs& weighted) {
  costate_names_ = r.names_in_scheme();
  costate_values_.emplace(weighted, r.weights_of_scheme({weighted.begin() + std::ssize(inputs), weighted.end()}));
  node_values_.emplace(r.node1, r.last_node());
  for (const ReducedInterval::Stage& stage : r.stages) stages_.push_back(stage.first);
  Exprs all;
  for (const ReducedInterval::Reactions& of : r.reactions) {
    reactions_.push_back({of.first, of.by_multiplier.pattern});
    all.insert(all.end(), of.by_multiplier.value.begin(), of.by_multiplier.value.end());
    all.insert(all.end(), of.rest.begin(), of.rest.end());
  }
  reaction_values_.emplace(inputs, all);
}

// Multipliers of the intervals from C λ + rest = 0, which has more rows than unknowns and no contradiction.
void Transcription::recover_multipliers(std::span<const double> x, MeshMotion& motion) {
  const std::size_t N = motion.intervals();
  gather(x, N);
  const std::vector<double> numbers = per_interval(*reaction_values_, N);
  for (std::size_t k = 0; k < N; ++k) {
    std::size_t place = k;
    const auto next = [&] { return numbers[std::exchange(place, place + N)]; };
    for (const Reactions& of : reactions_) {
      Matrix c = Matrix::Zero(of.pattern.rows, of.pattern.cols);
      for (int j = 0; j < of.pattern.cols; ++j)
        for (int e = of.pattern.start[static_cast<std::size_t>(j)];
             e < of.pattern.start[static_cast<std::size_t>(j) + 1]; ++e)
          c(of.pattern.row[static_cast<std::size_t>(e)], j) = next();
      Vector rest(of.pattern.rows);
      for (double& value : rest) value = next();
      const Vector lambda = c.householderQr().solve(-rest);
      std::copy(lambda.begin(), lambda.end(), motion.w[k].begin() + static_cast<std::ptrdiff_t>(of.first));
    }
  }
}

}  // namespace invar
