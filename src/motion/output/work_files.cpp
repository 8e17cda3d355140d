#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "motion/output/json_entries.h"
#include "motion/output/solution_json.h"
#include "motion/output/work_scores.h"
#include "motion/values/undetermined.h"

namespace verne {

namespace {

void append_end(JsonWriter& json, const char* key, const WorkScores::LiftEnd& end) {
  json.key(key).begin_object();
  append(json, "time", end.time);
  append(json, "horizontal", end.place.horizontal);
  append(json, "vertical", end.place.vertical);
  append(json, "asymmetry", end.place.asymmetry);
  json.key("multipliers").begin_object();
  append(json, "horizontal", end.weight.horizontal);
  append(json, "vertical", end.weight.vertical);
  append(json, "distance", end.weight.distance);
  append(json, "asymmetry", end.weight.asymmetry);
  append(json, "frequency", end.weight.frequency);
  append(json, "coupling", end.weight.coupling);
  json.end_object();
  append(json, "recommended_weight", end.weight.limit);
  append(json, "index", end.index);
  json.end_object();
}

std::string end_text(const char* name, const WorkScores::LiftEnd& end) {
  const std::string index = std::isfinite(end.index) ? fmt::format("{:.2f}", end.index) : "beyond the equation";
  return fmt::format("  {:<22} {}   recommended {:.1f} kg (hands {:.2f} m ahead, {:.2f} m high, {:.0f} deg aside)\n",
                     name, index, end.weight.limit, end.place.horizontal, end.place.vertical, end.place.asymmetry);
}

std::string zone_name(const WorkScores::Zone& zone) {
  if (std::isinf(zone.from)) return fmt::format("below {:g}", zone.to);
  if (std::isinf(zone.to)) return fmt::format("above {:g}", zone.from);
  return fmt::format("{:g} to {:g}", zone.from, zone.to);
}

void append_fatigue(JsonWriter& json, const FatigueCourse& course) {
  json.key("fatigue").begin_object();
  json.key("times").value(course.times);
  append(json, "period", course.period);
  json.key("endured").value(course.endured);
  if (!course.weakest.empty()) json.key("weakest").value(course.weakest);
  json.key("muscles").begin_array();
  for (const TiringMuscles& who : course.muscles) {
    json.begin_object();
    json.key("joint").value(who.joint);
    json.key("direction").value(who.positive ? "positive" : "negative");
    json.key("group").value(who.rates->group);
    append(json, "fatigue", who.rates->fatigue);
    append(json, "recovery", who.rates->recovery);
    append(json, "rest", who.rates->rest);
    json.key("source").value(who.rates->source);
    append(json, "capacity", Values(who.capacity));
    json.end_object();
  }
  json.end_array().end_object();
}

void append_adapted(JsonWriter& json, const Task& task, const Solution& solution,
                    const std::vector<WorkScores::Adapted>& rows) {
  json.key("adapted").begin_array();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const WorkScores::Adapted& row = rows[k];
    const AdaptedMotion& next = solution.adapted[k];
    json.begin_object();
    json.key("from").value(row.from);
    json.key("found").value(row.found);
    json.key("status").value(to_string(next.status));
    if (row.found) {
      json.key("motion").begin_object();
      append_motion(json, task.model, next.motion, mechanisms_of(task));
      json.end_object();
    }
    append(json, "cost", row.cost);
    append(json, "compression", row.compression);
    append(json, "trunk_flexion", row.trunk_flexion);
    json.end_object();
  }
  json.end_array();
}

std::string adapted_text(const WorkScores::Adapted& row) {
  if (!row.found) return fmt::format("  after {:<16} no motion was found for what strength is left\n", row.from);
  return fmt::format("  after {:<16} cost {:.4g}, L5/S1 compression {:.0f} N, trunk flexion {:.0f} deg at most\n",
                     row.from, row.cost, row.compression, row.trunk_flexion);
}

std::string fatigue_text(const FatigueCourse& course) {
  constexpr std::size_t kNamed = 4;
  std::vector<const TiringMuscles*> tired;
  for (const TiringMuscles& who : course.muscles) tired.push_back(&who);
  std::stable_sort(tired.begin(), tired.end(), [](const TiringMuscles* a, const TiringMuscles* b) {
    return a->capacity.back() < b->capacity.back();
  });
  std::string out =
      fmt::format("  fatigue                {} repetitions, one every {:.4g} s: ", course.times, course.period);
  out += course.weakest.empty() ? "all are endured\n"
                                : fmt::format("{} are endured, then {} fails\n", course.endured, course.weakest);
  out += "  left of the strength  ";
  for (std::size_t k = 0; k < std::min(kNamed, tired.size()); ++k) {
    out += fmt::format("{} {}{} {:.0f} %", k > 0 ? "," : "", tired[k]->positive ? "+" : "-", tired[k]->joint,
                       100 * tired[k]->capacity.back());
  }
  return out + "\n";
}

}  // namespace

void append_work(JsonWriter& json, const Task& task, const Solution& solution, const WorkScores& work) {
  json.key("work").begin_object();
  if (work.lift) {
    json.key("lift").begin_object();
    append(json, "load", work.lift->load);
    append(json, "distance", work.lift->distance);
    append_end(json, "origin", work.lift->origin);
    append_end(json, "destination", work.lift->destination);
    json.end_object();
  }
  json.key("scores").begin_array();
  for (const WorkScores::Score& score : work.scores) {
    json.begin_object();
    json.key("name").value(score.name);
    json.key("unit").value(score.unit);
    append(json, "most", score.most);
    append(json, "time", score.time);
    append(json, "mean", score.mean);
    json.key("meaning").value(score.meaning).end_object();
  }
  json.end_array().key("loads").begin_object();
  for (const WorkScores::Load& load : work.loads) {
    json.key(load.name).begin_object();
    append(json, "compression", Values(load.compression));
    append(json, "shear", Values(load.shear));
    append(json, "total", load.total);
    json.end_object();
  }
  json.end_object();
  if (work.fatigue) append_fatigue(json, *work.fatigue);
  if (!work.adapted.empty()) append_adapted(json, task, solution, work.adapted);
  json.key("zones").begin_array();
  for (const WorkScores::Zone& zone : work.zones) {
    json.begin_object();
    json.key("of").value(zone.of);
    json.key("zone").value(zone_name(zone) + " deg");
    append(json, "share", zone.share);
    json.end_object();
  }
  json.end_array().key("assumed").begin_array();
  for (const std::string& one : work.assumed) json.value(one);
  json.end_array().end_object();
}

std::string work_text(const WorkScores& work) {
  std::string out = "work                   at most\n";
  if (work.lift) {
    out += end_text("lifting index, origin", work.lift->origin);
    out += end_text("    destination", work.lift->destination);
  }
  for (const WorkScores::Score& score : work.scores) {
    const std::string value =
        score.unit.empty() ? fmt::format("{:g}", score.most) : fmt::format("{:.0f} {}", score.most, score.unit);
    const std::string mean = score.unit.empty() ? fmt::format("{:.1f}", score.mean) : fmt::format("{:.0f}", score.mean);
    out +=
        fmt::format("  {:<22} {} at {:.3g} s, {} over time: {}\n", score.name, value, score.time, mean, score.meaning);
  }
  std::string of;
  for (const WorkScores::Zone& zone : work.zones) {
    if (zone.of != of) out += fmt::format("{}  {:<30}", of.empty() ? "" : "\n", zone.of);
    out += fmt::format("{} {} deg {:.0f} %", zone.of == of ? "," : "", zone_name(zone), 100 * zone.share);
    of = zone.of;
  }
  if (!of.empty()) out += "\n";
  if (work.fatigue) out += fatigue_text(*work.fatigue);
  for (const WorkScores::Adapted& row : work.adapted) out += adapted_text(row);
  if (!work.assumed.empty()) out += fmt::format("  assumed                {}\n", fmt::join(work.assumed, "; "));
  return out;
}

}  // namespace verne
