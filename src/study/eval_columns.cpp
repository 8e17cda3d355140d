#include "study/eval_columns.h"

#include <sstream>

namespace verne {

namespace {

using Names = std::vector<std::string>;

Names dof_names(const System& system, std::span<const int> which) {
  Names names;
  for (const int dof : which) names.push_back(system.model().dof_names()[static_cast<std::size_t>(dof)]);
  return names;
}

Names item_names(QuantityItems items, const System& system, int count) {
  const Model& model = system.model();
  Names names;
  for (int k = 0; k < count; ++k) {
    if (items == QuantityItems::joints) names.push_back(model.joints()[static_cast<std::size_t>(k)].spec.name);
    if (items == QuantityItems::sites) names.push_back(model.site_name(k));
    if (items == QuantityItems::loops) names.push_back(model.loops()[static_cast<std::size_t>(k)].name);
  }
  return names;
}

/// The axes of the shape's text: `q, v, a: m x n` has m and n. Empty where there are other words.
Names axes_of(const std::string& shape) {
  const std::size_t colon = shape.find(": ");
  std::istringstream words(colon == std::string::npos ? shape : shape.substr(colon + 2));
  Names axes;
  for (std::string word; words >> word;) {
    if (word == "x") continue;
    if (word != "n" && word != "m" && word != "6" && word != "3") return {};
    axes.push_back(word);
  }
  return axes;
}

Names axis_names(const std::string& axis, int size, const System& system) {
  const bool closed = !system.model().loops().empty();
  const Mechanism& mechanism = system.mechanism();
  if (axis == "n" && closed) return dof_names(system, mechanism.independent());
  if (axis == "m" && closed) return dof_names(system, mechanism.actuated());
  if (axis == "n" || axis == "m") return {system.model().dof_names().begin(), system.model().dof_names().end()};
  if (size == 3) return {"x", "y", "z"};
  Names numbers;
  for (int k = 1; k <= size; ++k) numbers.push_back(std::to_string(k));
  return numbers;
}

/// The names of each axis of an array.
std::vector<Names> names_of_axes(const QuantityInfo& info, const QuantityArray& array, const System& system) {
  const bool items = info.items != QuantityItems::none;
  const Names axes = items ? Names{} : axes_of(info.shape);
  std::vector<Names> names;
  for (std::size_t k = 0; k < array.shape.size(); ++k) {
    const int size = array.shape[k];
    const std::string axis = axes.size() == array.shape.size() ? axes[k] : "";
    names.push_back(items && k == 0 ? item_names(info.items, system, size) : axis_names(axis, size, system));
  }
  return names;
}

}  // namespace

std::vector<std::string> column_names(const Evaluation& evaluation, std::size_t want, const System& system) {
  const WantedQuantity& wanted = evaluation.wants()[want];
  Names columns;
  for (const QuantityArray& array : evaluation.arrays(want)) {
    Names names{array.part.empty() ? wanted.key : wanted.key + "." + array.part};
    for (const Names& axis : names_of_axes(info_of(wanted.quantity), array, system)) {
      Names longer;
      for (const std::string& name : names) {
        for (const std::string& entry : axis) longer.emplace_back(name).append(".").append(entry);
      }
      names = std::move(longer);
    }
    columns.insert(columns.end(), names.begin(), names.end());
  }
  return columns;
}

}  // namespace verne
