// See optimization_summary.h.
#include "invar/task/optimize/optimization_summary.h"

#include <cmath>

#include "invar/base/kind_names.h"
#include "invar/record/sentences.h"

namespace invar {

namespace {

// What kind of point was found, in words.
constexpr KindName<SecondOrder> natures[] = {
    {SecondOrder::minimum, "a local minimum (second-order conditions hold)"},
    {SecondOrder::flat,
     "stationary point without negative curvature, flat in some direction: a local minimum as far as second-order "
     "conditions tell"},
    {SecondOrder::saddle,
     "stationary point; second-order conditions could not be confirmed, a direction of negative curvature remains"},
    {SecondOrder::unknown, "stationary point; second-order conditions could not be confirmed"},
};

// Empty if the first guess led straight there and no other was tried.
std::string way_found(const OptimizationSummary& o) {
  std::string words;
  if (o.guesses > 1) words = fmt::format("best of {} guesses ({})", o.guesses, o.guess);
  if (o.saddles > 0)
    words += fmt::format("{}{} left on the way", words.empty() ? "" : ", ",
                         o.saddles == 1 ? "a saddle point was" : fmt::format("{} saddle points were", o.saddles));
  return words;
}

void say_mesh_error(const MeshQuality& mesh, const Summary& s, Sentences& say) {
  if (mesh.error) {
    const MeshQuality::Error& e = *mesh.error;
    if (e.end && !e.grows)
      say("on finer steps these inputs end {:.1e}{} away in {} ({:.2g} % of its way)", *e.end,
          s.unit_behind(e.coordinate), e.coordinate, 100.0 * e.relative);
    else
      say("the steps of the mesh leave out {:.2g} % of the way together; the plant is unstable in open loop and {}",
          100.0 * e.steps,
          e.end ? fmt::format("makes {:.1e}{} in {} of it", *e.end, s.unit_behind(e.coordinate), e.coordinate)
                : "runs away");
  }
  if (mesh.inner_places > 0)
    say("limits had to be asked for between the nodes too ({}); passed there by {:.1e} at most",
        mesh.inner_places == 1 ? "at one place" : fmt::format("at {} places", mesh.inner_places),
        mesh.between ? mesh.between->amount : 0.0);
}

// "phi <= 0.2" is in the unit of phi.
std::string unit_of_bound(const std::string& bound, const Summary& s) {
  return s.unit_behind(bound.substr(0, bound.find(' ')));
}

void add(const MeshQuality& mesh, JsonObject& object) {
  if (mesh.error) {
    const MeshQuality::Error& e = *mesh.error;
    JsonObject error = {{"coordinate", e.coordinate}};
    if (e.end) {
      error.push_back({"end", *e.end});
      error.push_back({"relative", e.relative});
    }
    error.push_back({"steps", e.steps});
    error.push_back({"grows_in_open_loop", e.grows});
    object.push_back({"mesh_error", error});
  }
  if (mesh.between)
    object.push_back({"between_nodes", JsonObject{{"limit", mesh.between->limit},
                                                  {"violation", mesh.between->amount},
                                                  {"t", mesh.between->t},
                                                  {"places_added", mesh.inner_places}}});
  if (!mesh.no_limit.empty()) object.push_back({"no_limit", mesh.no_limit});
}

}  // namespace

std::unique_ptr<SummaryPart> OptimizationSummary::copy() const { return std::make_unique<OptimizationSummary>(*this); }

JsonObject OptimizationSummary::figures() const {
  JsonObject object = {{"method", method},
                       {"cost", cost},
                       {"horizon", horizon},
                       {"intervals", intervals},
                       {"iterations", iterations},
                       {"solver", solver},
                       {"second_order", name_of(second_order)},
                       {"guess", guess},
                       {"guesses", guesses},
                       {"saddles_left", saddles},
                       {"infeasibility", infeasibility},
                       {"kkt_residual", kkt},
                       {"energy_balance", energy_balance},
                       {"energy_balance_relative", energy_balance_relative},
                       {"hamiltonian", hamiltonian},
                       {"hamiltonian_drift", hamiltonian_drift},
                       {"active_bounds", active_bounds}};
  if (replay) object.push_back({"replay", *replay});
  if (joints)
    object.push_back(
        {"joint_coordinates", JsonObject{{"count", joints->count}, {"force_residual", joints->left_over}}});
  add(mesh, object);
  JsonList all;
  for (const Mesh& m : meshes)
    all.push_back(JsonObject{{"intervals", m.intervals}, {"cost", m.cost}, {"hamiltonian", m.hamiltonian}});
  if (!all.empty()) object.push_back({"meshes", all});
  if (limit) object.push_back({"limit", *limit});
  if (order) object.push_back({"order", *order});
  return object;
}

std::vector<std::string> OptimizationSummary::sentences(const Summary& s) const {
  Sentences say;
  const bool found = s.status == RunStatus::done;
  say("{}: cost {:.10g} over {:.6g} s in {} intervals with {}, {} iterations, {}", s.name, cost, horizon, intervals,
      s.method, iterations, duration(s.wall_seconds));
  say("equations satisfied to {:.1e}, KKT residual {:.1e}{}", infeasibility, kkt,
      found ? ": " + name_in(natures, second_order) : "");
  if (const std::string way = way_found(*this); found && !way.empty()) say("{}", way);
  if (joints)
    say("sought in {} joint coordinates instead of {} coordinates, in which forces balance to {:.1e}", joints->count,
        s.counts.coordinates, joints->left_over);
  say_constraints(s, say);
  say("energy change minus work: {:.1e} of the largest change", energy_balance_relative);
  say("control Hamiltonian {:.8g}, constant to {:.1e}", hamiltonian, hamiltonian_drift);
  for (const Mesh& m : meshes) say("{} intervals: cost {:.10g}", m.intervals, m.cost);
  if (limit)
    say("limit of ever finer meshes: cost {:.10g}{}", *limit,
        order ? fmt::format(" (observed order {:.2f})", *order) : "");
  if (!mesh.no_limit.empty()) say("no limit of ever finer meshes: {}", mesh.no_limit);
  if (replay)
    say("a simulation with these inputs{} gives the same motion to {:.1e}", joints ? " in joint coordinates" : "",
        *replay);
  say_mesh_error(mesh, s, say);
  for (const std::string& bound : active_bounds) say("reached: {}{}", bound, unit_of_bound(bound, s));
  return std::move(say).list();
}

std::string OptimizationSummary::headline(const Summary& s, const Trajectory&) const {
  return fmt::format("Cost {:.8g} in {:.6g} s, {} intervals of {}: {}{}.", cost, horizon, intervals, s.method,
                     second_order == SecondOrder::minimum ? "a local minimum" : name_in(natures, second_order),
                     replay ? fmt::format(", reproduced by simulation to {:.0e}", *replay) : "");
}

std::vector<KeyFigure> OptimizationSummary::key_figures(const Summary&) const {
  std::vector<KeyFigure> f = {{"cost", cost},
                              {"horizon", horizon, "s"},
                              {"iterations", static_cast<double>(iterations)},
                              {"control Hamiltonian", hamiltonian},
                              {"control Hamiltonian, largest deviation", hamiltonian_drift},
                              {"energy change minus work, of the largest change", energy_balance_relative}};
  if (limit) f.push_back({"limit of finer meshes", *limit});
  if (mesh.error)
    f.push_back({"left out by the mesh, of the way",
                 100.0 * (mesh.error->grows ? mesh.error->steps : mesh.error->relative), "%"});
  return f;
}

// The costs of ever finer meshes against their limit.
std::optional<ConvergencePlot> OptimizationSummary::convergence() const {
  if (!limit || meshes.size() < 2) return std::nullopt;
  ConvergencePlot plot{"interval [s]", "cost less its limit", {}, {}, order};
  for (auto m = meshes.rbegin(); m != meshes.rend(); ++m) {
    plot.sizes.push_back(horizon / static_cast<double>(m->intervals));
    plot.values.push_back(std::abs(m->cost - *limit));
  }
  return plot;
}

}  // namespace invar
