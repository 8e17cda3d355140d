#include "motion/task/passive_torques.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/csv.h"
#include "io/number.h"

namespace verne {

namespace {

constexpr int kSlackGrid = 12,
              kSlackRounds = 6;  // of the search for the slack range: places along either side, and zooms
constexpr double kRadPerDegree = M_PI / 180;
constexpr double kPoorFit = 0.15;  // of the table's largest torque: more is told
constexpr std::size_t kFewestAngles = 3;

/// Least squares of stiffness, constant and ligament, without negative coefficients, for a slack range.
PassiveFit fit_within(const std::vector<PassivePoint>& table, double lower, double upper) {
  const auto count = static_cast<Eigen::Index>(table.size());
  Eigen::MatrixXd columns(count, 3);
  Eigen::VectorXd torque(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const PassivePoint& point = table[static_cast<std::size_t>(i)];
    const double x = point.angle - std::clamp(point.angle, lower, upper);
    columns.row(i) << point.angle, 1, x * x * x;
    torque[i] = -point.torque;
  }
  const auto solve = [&](const std::vector<int>& used) {
    Eigen::MatrixXd A(count, std::ssize(used));
    for (Eigen::Index k = 0; k < A.cols(); ++k) A.col(k) = columns.col(used[static_cast<std::size_t>(k)]);
    const Eigen::VectorXd found = A.completeOrthogonalDecomposition().solve(torque);
    Eigen::Vector3d all = Eigen::Vector3d::Zero();
    for (Eigen::Index k = 0; k < A.cols(); ++k) all[used[static_cast<std::size_t>(k)]] = found[k];
    return all;
  };
  for (const std::vector<int>& used : {std::vector{0, 1, 2}, {2}, {0, 1}}) {  // the first that has no negative ones
    const Eigen::Vector3d found = solve(used);
    if (found[0] < 0 || found[2] < 0 || (found[0] == 0 && found[1] != 0)) continue;
    const double misfit = (columns * found - torque).norm();
    return {found[0], found[0] > 0 ? -found[1] / found[0] : 0, found[2], lower, upper, misfit};
  }
  return {0, 0, 0, lower, upper, torque.norm()};
}

double torque_of(const PassiveFit& fit, double angle) {
  const double x = angle - std::clamp(angle, fit.slack_lower, fit.slack_upper);
  return -fit.stiffness * (angle - fit.rest) - fit.ligament * x * x * x;
}

}  // namespace

PassiveFit fit_passive(const std::vector<PassivePoint>& table) {
  const double first = table.front().angle, range = table.back().angle - first;
  PassiveFit best = fit_within(table, first, first + range);
  double low = first, high = first + range, step = range / kSlackGrid;
  for (int round = 0; round < kSlackRounds; ++round, step /= kSlackGrid / 4.0) {
    const double middle_low = round == 0 ? first + range / 2 : low, middle_high = round == 0 ? first + range / 2 : high;
    for (int i = -kSlackGrid / 2; i <= kSlackGrid / 2; ++i) {
      for (int k = -kSlackGrid / 2; k <= kSlackGrid / 2; ++k) {
        const double lower = std::clamp(middle_low + i * step, first, first + range);
        const double upper = std::clamp(middle_high + k * step, first, first + range);
        if (lower > upper) continue;
        const PassiveFit fit = fit_within(table, lower, upper);
        if (fit.misfit < best.misfit) best = fit;
      }
    }
    low = best.slack_lower, high = best.slack_upper;
  }
  best.misfit = 0;
  for (const PassivePoint& point : table) {
    best.misfit = std::max(best.misfit, std::abs(torque_of(best, point.angle) - point.torque));
  }
  return best;
}

namespace {

/// Where in a spec a freedom is.
struct FreedomOf {
  std::size_t link, k;
};

/// One that turns: with its own name, or that of its joint.
std::vector<FreedomOf> freedoms_named(const std::string& name, const ModelSpec& spec) {
  const std::size_t star = name.find('*');
  const auto is_it = [&](const std::string& joint) {
    if (star == std::string::npos) return joint == name;
    const std::string begin = name.substr(0, star), end = name.substr(star + 1);
    return joint.size() >= begin.size() + end.size() && joint.starts_with(begin) && joint.ends_with(end);
  };
  std::vector<FreedomOf> found;
  for (std::size_t l = 0; l < spec.links.size(); ++l) {
    const JointSpec& joint = spec.links[l].joint;
    const bool one = joint.dofs.size() == 1 && !is_linear(joint.type, 0);
    if (one && is_it(joint.name)) found.push_back({l, 0});
  }
  return found;
}

/// By how much stronger the person is than that of the file.
double strength_ratio(const DofSpec& now, const DofSpec& before) {
  const bool known = std::isfinite(now.effort_upper) && std::isfinite(before.effort_upper) && before.effort_upper > 0;
  return known ? now.effort_upper / before.effort_upper : 1;
}

class PassiveReader {
 public:
  PassiveReader(YamlReader reader, const ModelSpec& plain, ModelSpec& spec)
      : reader_(std::move(reader)), plain_(plain), spec_(spec) {}

  /// Reports by `fail` what is wrong with it.
  void put(const std::string& name, const std::vector<PassivePoint>& table,
           const std::function<void(const std::string&)>& fail) {
    const std::vector<FreedomOf> freedoms = freedoms_named(name, spec_);
    if (freedoms.empty()) return fail("the model has no joint " + in_quotes(name) + " that turns about one axis");
    if (table.size() < kFewestAngles) return fail(in_quotes(name) + ": expected at least three angles");
    for (std::size_t i = 1; i < table.size(); ++i) {
      if (table[i].angle <= table[i - 1].angle) return fail(in_quotes(name) + ": expected angles that grow");
    }
    const PassiveFit fit = fit_passive(table);
    double largest = 0;
    for (const PassivePoint& point : table) largest = std::max(largest, std::abs(point.torque));
    if (fit.misfit > kPoorFit * largest) {
      poor_.push_back(name + " by " + format_number(std::round(100 * fit.misfit / largest)) + " %");
    }
    for (const auto& [link, k] : freedoms) {
      DofSpec& dof = spec_.links[link].joint.dofs[k];
      const double by = strength_ratio(dof, plain_.links[link].joint.dofs[k]);
      dof.stiffness = by * fit.stiffness, dof.rest = fit.rest;
      dof.ligament = by * fit.ligament, dof.slack_lower = fit.slack_lower, dof.slack_upper = fit.slack_upper;
    }
  }

  /// Tables that a spring and ligaments do not follow well.
  const std::vector<std::string>& poor() const { return poor_; }

 private:
  YamlReader reader_;
  const ModelSpec& plain_;
  ModelSpec& spec_;
  std::vector<std::string> poor_;
};

/// `joint,angle_deg,torque_Nm`, the rows of a joint one behind the other. Throws InputError.
void put_file(const std::string& text, const std::string& path, PassiveReader& passive) {
  CsvReader csv(text, path);
  const auto refuse = [&](int line, const std::string& why) { throw InputError({Diagnostic{path, line, why}}); };
  const std::vector<std::string> wanted{"joint", "angle_deg", "torque_Nm"};
  if (csv_header(csv, path) != wanted) refuse(1, "expected the columns joint, angle_deg, torque_Nm");
  std::string joint;
  int first_line = 0;
  std::vector<PassivePoint> table;
  const auto end = [&] {
    if (!joint.empty()) passive.put(joint, table, [&](const std::string& why) { refuse(first_line, why); });
    table.clear();
  };
  std::vector<std::string> cells;
  while (csv.next(cells)) {
    if (cells.size() != wanted.size()) refuse(csv.line(), "expected three cells");
    if (cells[0] != joint) {
      end();
      joint = cells[0], first_line = csv.line();
    }
    const auto angle = parse_number(cells[1]), torque = parse_number(cells[2]);
    const bool sound = angle && torque && std::isfinite(*angle) && std::isfinite(*torque);
    if (!sound) refuse(csv.line(), "expected an angle and a torque, found " + in_quotes(cells[1] + "," + cells[2]));
    table.push_back({*angle * kRadPerDegree, *torque});
  }
  end();
}

void put_entry(const YamlEntry& entry, const YamlReader& reader, PassiveReader& passive) {
  std::vector<PassivePoint> table;
  for (const YamlNode& row : entry.value.items) {
    if (row.items.size() != 2) return reader.expected("[angle, torque] for each angle", row);
    const auto angle = reader.number(row.items[0], false, "rad"), torque = reader.number(row.items[1], false, "N m");
    if (!angle || !torque) return;
    table.push_back({*angle, *torque});
  }
  passive.put(entry.key, table, [&](const std::string& why) { reader.error(entry.line, why); });
}

}  // namespace

bool put_passive_torques(const YamlMap& map, const Surroundings& around, const ModelSpec& plain, ModelSpec& spec) {
  const YamlNode* const node = map.find("passive");
  if (!node) return false;
  const YamlReader reader = map.reader("passive");
  PassiveReader passive(reader, plain, spec);
  if (node->is_map()) {
    for (const YamlEntry& entry : node->entries) put_entry(entry, reader.inside(entry.key), passive);
  } else if (const auto name = reader.word(*node)) {
    const std::string path = (std::filesystem::path(around.folder) / *name).lexically_normal().string();
    put_file(around.files.read(path), path, passive);
  }
  if (!passive.poor().empty()) {
    std::string all;
    for (const std::string& one : passive.poor()) all += (all.empty() ? "" : ", ") + one;
    map.reader().diagnostics().warning(
        node->line, "model: passive: a spring and ligaments do not follow these tables everywhere: " + all +
                        " of their largest torque");
  }
  return true;
}

}  // namespace verne
