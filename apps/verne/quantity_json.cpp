#include "quantity_json.h"

#include <cmath>
#include <utility>

#include "motion/values/undetermined_json.h"

namespace verne::cli {

namespace {

/// Loops, then contacts that are held.
std::string closure_name(const System& system, int k) {
  const auto loops = static_cast<int>(system.model().loops().size());
  if (k < loops) return system.model().loops()[static_cast<std::size_t>(k)].name;
  const int contact = system.contacts()[static_cast<std::size_t>(k - loops)];
  return system.model().contacts()[static_cast<std::size_t>(contact)].name;
}

std::string item_name(const System& system, QuantityItems items, int k) {
  switch (items) {
    case QuantityItems::joints:
      return system.model().joints()[static_cast<std::size_t>(k)].spec.name;
    case QuantityItems::sites:
      return system.model().site_name(k);
    case QuantityItems::loops:
      return closure_name(system, k);
    case QuantityItems::none:
      break;
  }
  return {};
}

/// The arrays of one quantity of one state.
class StateArrays {
 public:
  StateArrays(const Evaluation& evaluation, std::size_t want, int state, JsonWriter& json)
      : evaluation_(evaluation), arrays_(evaluation.arrays(want)), state_(state), json_(json) {
    const QuantityItems items = info_of(evaluation.wants()[want].quantity).items;
    const bool of_wrenches = items == QuantityItems::joints || items == QuantityItems::loops;
    has_unknown_rows_ = of_wrenches && evaluation.states().system().closures() > 0;
  }

  void append(QuantityItems items) {
    if (items == QuantityItems::none) return append_parts(0, 0);
    json_.begin_object();
    for (int k = 0; k < arrays_[0].shape[0]; ++k) {
      json_.key(item_name(evaluation_.states().system(), items, k));
      append_parts(1, k);
    }
    json_.end_object();
  }

 private:
  /// Of each array the axes from `axis` on, at place `item` of those before it.
  void append_parts(std::size_t axis, int item) {
    if (arrays_.size() == 1 && arrays_[0].part.empty()) return append_axes(arrays_[0], axis, item);
    json_.begin_object();
    for (const QuantityArray& array : arrays_) {
      const bool by_loads = array.part == "loads";
      if (by_loads && evaluation_.loads_of(state_).empty()) continue;  // which others have
      json_.key(array.part);
      if (by_loads) {
        append_loads(array);
      } else {
        append_axes(array, axis, item);
      }
    }
    json_.end_object();
  }

  /// `index` is that of all axes before.
  void append_axes(const QuantityArray& array, std::size_t axis, int index) {
    if (axis == array.shape.size()) {
      json_.value(number(array, index));
      return;
    }
    const int size = array.shape[axis];
    if (has_unknown_rows_ && axis == 2 && axis + 1 == array.shape.size() && has_nan(array, index * size, size)) {
      json_.null();
      return;
    }
    json_.begin_array();
    for (int k = 0; k < size; ++k) append_axes(array, axis + 1, index * size + k);
    json_.end_array();
  }

  /// For each load of the state the columns by its force, moment and point.
  void append_loads(const QuantityArray& array) {
    const int rows = array.shape[1], columns = array.shape[2];
    json_.begin_array();
    for (const int load : evaluation_.loads_of(state_)) {
      json_.begin_object();
      for (const auto& [name, first] : {std::pair{"force", 0}, std::pair{"moment", 3}, std::pair{"point", 6}}) {
        json_.key(name).begin_array();
        for (int i = 0; i < rows; ++i) {
          json_.begin_array();
          for (int j = 0; j < 3; ++j) json_.value(number(array, (load * rows + i) * columns + first + j));
          json_.end_array();
        }
        json_.end_array();
      }
      json_.end_object();
    }
    json_.end_array();
  }

  bool has_nan(const QuantityArray& array, int first, int count) const {
    for (int k = first; k < first + count; ++k) {
      if (std::isnan(array.at(k, state_))) return true;
    }
    return false;
  }
  /// Adding zero turns −0 into 0: whether a zero has a sign may depend on loads of zero that other states bring along.
  double number(const QuantityArray& array, int index) const { return array.at(index, state_) + 0.0; }

  const Evaluation& evaluation_;
  std::span<const QuantityArray> arrays_;
  int state_;
  JsonWriter& json_;
  bool has_unknown_rows_;
};

}  // namespace

void append_quantity(const Evaluation& evaluation, std::size_t want, int state, JsonWriter& json) {
  StateArrays(evaluation, want, state, json).append(info_of(evaluation.wants()[want].quantity).items);
}

void append_special(Quantity quantity, const System& system, SystemData& data, VectorIn<double> q, JsonWriter& json) {
  if (quantity == Quantity::null_space_torques) {
    const MatrixView basis = null_space_torques(system, data, q);
    json.begin_array();
    for (Eigen::Index i = 0; i < basis.rows(); ++i) {
      json.begin_array();
      for (Eigen::Index j = 0; j < basis.cols(); ++j) json.value(basis(i, j) + 0.0);
      json.end_array();
    }
    json.end_array();
    return;
  }
  const DeterminedWrenches known = determined_wrenches(system, data, q);
  const auto components = [&](const char* key, const auto& wrenches, QuantityItems items) {
    append_undetermined(
        json, key, wrenches.size(), [&](std::size_t k) { return item_name(system, items, static_cast<int>(k)); },
        [&](std::size_t k, std::size_t i) { return wrenches[k][i]; });
  };
  json.begin_object();
  components("loop_wrenches", known.loops, QuantityItems::loops);
  components("joint_wrenches", known.joints, QuantityItems::joints);
  json.end_object();
}

}  // namespace verne::cli
