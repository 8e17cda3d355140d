#include "motion/values/motion_columns.h"
#include "model/position_names.h"

#include <fmt/format.h>

#include <cmath>

#include "io/csv.h"
#include "motion/values/ground_forces.h"
#include "verne/base/text.h"
#include "verne/io/json_writer.h"

namespace verne {

namespace {

void add_ground_columns(const Model& model, const SampledMotion& motion, Columns& columns) {
  if (motion.ground.empty()) return;
  const auto add = [&](const std::string& what, const std::string& of, const auto& rows) {
    for (int k = 0; k < 3; ++k) columns.push_back({fmt::format("{}{}{}", what, "xyz"[k], of), rows.row(k).transpose()});
  };
  const Vec3<double> g = model.gravity();
  const double weight = model.moving_mass() * std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
  for (const GroundReaction& reaction : motion.ground) {
    const std::string of = "." + reaction.support;
    add("ground_f", of, reaction.force.eigen());
    add("ground_weights_f", of, Eigen::MatrixXd(reaction.force.eigen() / weight));
    add("ground_p", of, reaction.centre.eigen());
    columns.push_back({"ground_moment" + of, reaction.moment.eigen()});
  }
  add("zmp_", "", zero_moment_points(model, motion));
}

}  // namespace

Columns motion_columns(const Model& model, const SampledMotion& motion) {
  Columns columns{{"time", motion.time.eigen()}};
  const auto add = [&](const std::string& name, const Table& table, Eigen::Index row) {
    columns.push_back({name, table.eigen().row(row).transpose()});
  };
  const std::vector<std::string> positions = position_names(model);
  for (std::size_t i = 0; i < positions.size(); ++i) add("q." + positions[i], motion.q, static_cast<Eigen::Index>(i));
  const auto& dofs = model.dof_names();
  for (const auto& [quantity, table] : {std::pair{"v.", &motion.v}, {"a.", &motion.a}, {"tau.", &motion.tau}}) {
    for (std::size_t i = 0; i < dofs.size(); ++i) add(quantity + dofs[i], *table, static_cast<Eigen::Index>(i));
  }
  const auto add_wrench = [&](const std::string& name, const Table& table, std::size_t index) {
    auto row = 6 * static_cast<Eigen::Index>(index);
    for (const char* part : {"fx.", "fy.", "fz.", "mx.", "my.", "mz."}) add(part + name, table, row++);
  };
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    add_wrench(model.joints()[j].spec.name, motion.joint_wrenches, j);
  }
  for (std::size_t k = 0; k < motion.loops.size(); ++k) add_wrench(motion.loops[k], motion.loop_wrenches, k);
  add_ground_columns(model, motion, columns);
  return columns;
}

void append_table(std::string& out, const Columns& columns, char separator) {
  for (const Column& column : columns) {
    if (&column != &columns.front()) out += separator;
    out += separator == ',' ? csv_cell(escaped(column.name)) : escaped(column.name);
  }
  out += "\n";
  for (Eigen::Index n = 0; n < columns.front().values.size(); ++n) {
    for (const Column& column : columns) {
      if (&column != &columns.front()) out += separator;
      if (!std::isnan(column.values[n])) out += exact(column.values[n]);
    }
    out += "\n";
  }
}

std::string storage_text(const std::string& name, bool degrees, const Columns& columns) {
  std::string out = fmt::format("{}\nversion=1\nnRows={}\nnColumns={}\ninDegrees={}\nendheader\n", escaped(name),
                                columns.front().values.size(), columns.size(), degrees ? "yes" : "no");
  append_table(out, columns, '\t');
  return out;
}

std::string exact(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace verne
