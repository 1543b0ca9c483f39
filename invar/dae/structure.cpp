// See structure.h.
#include "invar/dae/structure.h"

#include <algorithm>
#include <limits>
#include <map>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"

namespace invar {

namespace {

constexpr int none = -1;

// Largest transversal by shortest augmenting paths with prices (the Hungarian method); cost = -σ.
class Assignment {
 public:
  explicit Assignment(const Signature& s)
      : s_(s), n_(s.order.size()), row_price_(n_, 0.0), col_price_(n_, 0.0), row_of_(n_, none) {}

  // partner[i] is the unknown of equation i, or none where the structure is singular.
  std::vector<int> solve() {
    for (std::size_t i = 0; i < n_; ++i) augment(static_cast<int>(i));
    std::vector<int> partner(n_, none);
    for (std::size_t j = 0; j < n_; ++j)
      if (row_of_[j] != none) partner[static_cast<std::size_t>(row_of_[j])] = static_cast<int>(j);
    return partner;
  }

 private:
  double cost(int i, std::size_t j) const {
    const int order = s_.order[static_cast<std::size_t>(i)][j];
    return order == Signature::absent ? infinite : -order - row_price_[static_cast<std::size_t>(i)] - col_price_[j];
  }

  void augment(int start) {
    std::vector<double> distance(n_, infinite);
    std::vector<int> from(n_, none);  // column before, on the path
    std::vector<bool> done(n_, false);
    int row = start, last = none;
    double so_far = 0.0;
    for (;;) {
      int nearest = none;
      for (std::size_t j = 0; j < n_; ++j) {
        if (done[j]) continue;
        const double through = so_far + cost(row, j);
        if (through < distance[j]) {
          distance[j] = through;
          from[j] = last;
        }
        if (distance[j] < infinite && (nearest == none || distance[j] < distance[static_cast<std::size_t>(nearest)]))
          nearest = static_cast<int>(j);
      }
      if (nearest == none) return;  // this equation stays unmatched
      last = nearest;
      so_far = distance[static_cast<std::size_t>(last)];
      done[static_cast<std::size_t>(last)] = true;
      if (row_of_[static_cast<std::size_t>(last)] == none) break;
      row = row_of_[static_cast<std::size_t>(last)];
    }
    reprice(start, distance, done, so_far);
    flip(start, last, from);
  }

  void reprice(int start, const std::vector<double>& distance, const std::vector<bool>& done, double total) {
    row_price_[static_cast<std::size_t>(start)] += total;
    for (std::size_t j = 0; j < n_; ++j) {
      if (!done[j]) continue;
      const double slack = total - distance[j];
      col_price_[j] -= slack;
      if (row_of_[j] != none) row_price_[static_cast<std::size_t>(row_of_[j])] += slack;
    }
  }

  void flip(int start, int column, const std::vector<int>& from) {
    while (column != none) {
      const int before = from[static_cast<std::size_t>(column)];
      row_of_[static_cast<std::size_t>(column)] = before == none ? start : row_of_[static_cast<std::size_t>(before)];
      column = before;
    }
  }

  static constexpr double infinite = std::numeric_limits<double>::infinity();
  const Signature& s_;
  std::size_t n_;
  std::vector<double> row_price_, col_price_;
  std::vector<int> row_of_;  // equation of each unknown
};

// Smallest offsets: raise d to what every equation asks for, then c to keep the transversal tight, until nothing moves.
void set_offsets(const Signature& s, Offsets& o) {
  const std::size_t n = s.order.size();
  o.c.assign(n, 0);
  o.d.assign(n, 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        if (s.order[i][j] != Signature::absent) o.d[j] = std::max(o.d[j], s.order[i][j] + o.c[i]);
    for (std::size_t i = 0; i < n; ++i) {
      const auto j = static_cast<std::size_t>(o.partner[i]);
      const int tight = o.d[j] - s.order[i][j];
      moved = moved || tight != o.c[i];
      o.c[i] = tight;
    }
  }
}

// Strongly connected parts of "equation i needs the unknown that equation k is matched with", by Tarjan's algorithm
// with an explicit stack; parts come out in an order in which each needs only earlier ones.
class Parts {
 public:
  Parts(const Signature& s, const Offsets& o)
      : visited_(s.order.size(), none), low_(s.order.size()), open_(s.order.size(), false) {
    const std::size_t n = s.order.size();
    std::vector<int> equation_of(n);
    for (std::size_t i = 0; i < n; ++i) equation_of[static_cast<std::size_t>(o.partner[i])] = static_cast<int>(i);
    needs_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (s.order[i][j] != Signature::absent && s.order[i][j] == o.d[j] - o.c[i]) needs_[i].push_back(equation_of[j]);
    for (std::size_t i = 0; i < n; ++i)
      if (visited_[i] == none) visit(static_cast<int>(i));
  }

  std::vector<std::vector<int>> found;

 private:
  void visit(int root) {
    struct Frame {
      int equation;
      std::size_t next;
    };
    std::vector<Frame> frames = {{root, 0}};
    enter(root);
    while (!frames.empty()) {
      const int v = frames.back().equation;
      const auto at = static_cast<std::size_t>(v);
      if (frames.back().next < needs_[at].size()) {
        const int w = needs_[at][frames.back().next++];
        const auto other = static_cast<std::size_t>(w);
        if (visited_[other] == none) {
          enter(w);
          frames.push_back({w, 0});
        } else if (open_[other]) {
          low_[at] = std::min(low_[at], visited_[other]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        const auto parent = static_cast<std::size_t>(frames.back().equation);
        low_[parent] = std::min(low_[parent], low_[at]);
      }
      if (low_[at] == visited_[at]) close(v);
    }
  }

  void enter(int v) {
    visited_[static_cast<std::size_t>(v)] = low_[static_cast<std::size_t>(v)] = count_++;
    open_[static_cast<std::size_t>(v)] = true;
    stack_.push_back(v);
  }

  void close(int v) {
    std::vector<int> part;
    for (int w = none; w != v;) {
      w = stack_.back();
      stack_.pop_back();
      open_[static_cast<std::size_t>(w)] = false;
      part.push_back(w);
    }
    std::sort(part.begin(), part.end());
    found.push_back(std::move(part));
  }

  std::vector<std::vector<int>> needs_;
  std::vector<int> visited_, low_, stack_;
  std::vector<bool> open_;
  int count_ = 0;
};

}  // namespace

Signature signature(const Dae& dae) {
  expects(dae.equations.size() == dae.unknowns.size(), "as many equations as unknowns");
  std::map<std::uint32_t, std::size_t> unknown;  // by the id of its symbol
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) unknown[at(dae.unknowns[j].variable).id()] = j;
  Signature s;
  for (const DaeEquation& equation : dae.equations) {
    std::vector<int> row(dae.unknowns.size(), Signature::absent);
    for (const Expr& symbol : symbols({&equation.expr, 1})) {
      if (symbol.kind() != SymbolKind::variable) continue;
      if (const auto found = unknown.find(symbol.derivative(0).id()); found != unknown.end())
        row[found->second] = std::max(row[found->second], symbol.order());
    }
    s.order.push_back(std::move(row));
  }
  return s;
}

Offsets offsets(const Signature& s) {
  Offsets o;
  o.partner = Assignment(s).solve();
  std::vector<bool> matched(s.order.size(), false);
  for (std::size_t i = 0; i < o.partner.size(); ++i) {
    if (o.partner[i] == none)
      o.unmatched_equations.push_back(static_cast<int>(i));
    else
      matched[static_cast<std::size_t>(o.partner[i])] = true;
  }
  for (std::size_t j = 0; j < matched.size(); ++j)
    if (!matched[j]) o.unmatched_unknowns.push_back(static_cast<int>(j));
  o.regular = o.unmatched_equations.empty();
  if (!o.regular) return o;
  set_offsets(s, o);
  o.blocks = Parts(s, o).found;
  int largest = 0;
  for (std::size_t i = 0; i < o.c.size(); ++i) {
    largest = std::max(largest, o.c[i]);
    o.degrees_of_freedom += o.d[i] - o.c[i];
  }
  const bool algebraic = std::find(o.d.begin(), o.d.end(), 0) != o.d.end();
  o.index = largest + (algebraic ? 1 : 0);
  return o;
}

}  // namespace invar
