#include "wants.h"

#include <algorithm>
#include <array>

namespace verne::cli {

namespace {

struct Entry {
  const char* name;
  Quantity quantity;
  bool of_frame = false;  ///< written NAME:FRAME
  bool old_name = false;  ///< still answered, no longer shown
};

constexpr std::array kEntries{
    Entry{"tau", Quantity::tau},
    Entry{"acceleration", Quantity::acceleration},
    Entry{"bias", Quantity::bias},
    Entry{"gravity", Quantity::gravity},
    Entry{"mass_matrix", Quantity::mass_matrix},
    Entry{"inverse_mass_matrix", Quantity::inverse_mass_matrix},
    Entry{"coriolis_matrix", Quantity::coriolis_matrix},
    Entry{"joint_wrenches", Quantity::joint_wrenches},
    Entry{"link_poses", Quantity::link_poses},
    Entry{"link_velocities", Quantity::link_velocities},
    Entry{"link_accelerations", Quantity::link_accelerations},
    Entry{"jacobian", Quantity::jacobian, true},
    Entry{"jacobian_rate", Quantity::jacobian_rate, true},
    Entry{"energy", Quantity::energy},
    Entry{"momentum", Quantity::momentum},
    Entry{"com", Quantity::com},
    Entry{"centroidal_momentum_matrix", Quantity::centroidal_momentum_matrix},
    Entry{"d_tau", Quantity::d_tau},
    Entry{"d_acceleration", Quantity::d_acceleration},
    Entry{"d_joint_wrenches", Quantity::d_joint_wrenches},
    Entry{"d_loop_wrenches", Quantity::d_loop_wrenches},
    Entry{"d_link_poses", Quantity::d_link_poses},
    Entry{"d_link_velocities", Quantity::d_link_velocities},
    Entry{"d_link_accelerations", Quantity::d_link_accelerations},
    Entry{"d_com", Quantity::d_com},
    Entry{"d_momentum", Quantity::d_momentum},
    Entry{"regressor", Quantity::regressor},
    Entry{"tree", Quantity::tree},
    Entry{"loop_wrenches", Quantity::loop_wrenches},
    Entry{"undetermined", Quantity::undetermined},
    Entry{"null_space_torques", Quantity::null_space_torques},
    Entry{"idle_torques", Quantity::null_space_torques, false, true},
};

/// What is known of mechanisms with closed loops.
constexpr std::array kOfMechanisms{Quantity::tau,
                                   Quantity::acceleration,
                                   Quantity::bias,
                                   Quantity::gravity,
                                   Quantity::mass_matrix,
                                   Quantity::inverse_mass_matrix,
                                   Quantity::joint_wrenches,
                                   Quantity::link_poses,
                                   Quantity::link_velocities,
                                   Quantity::link_accelerations,
                                   Quantity::energy,
                                   Quantity::momentum,
                                   Quantity::com,
                                   Quantity::d_tau,
                                   Quantity::d_acceleration,
                                   Quantity::d_joint_wrenches,
                                   Quantity::d_loop_wrenches,
                                   Quantity::tree,
                                   Quantity::loop_wrenches,
                                   Quantity::undetermined,
                                   Quantity::null_space_torques};

void check_structure(const std::string& word, Quantity quantity, const Model& model) {
  const bool loops = !model.loops().empty();
  const bool of_reactions = quantity == Quantity::loop_wrenches || quantity == Quantity::d_loop_wrenches ||
                            quantity == Quantity::undetermined || quantity == Quantity::null_space_torques;
  if (!loops && (quantity == Quantity::tree || (of_reactions && model.contacts().empty()))) {
    throw InputError("--want " + word + ": the model has no loops" + (of_reactions ? " and no contacts" : ""));
  }
  if (loops && std::find(kOfMechanisms.begin(), kOfMechanisms.end(), quantity) == kOfMechanisms.end()) {
    throw InputError("--want " + word + ": is not known for a model with closed loops");
  }
}

Want parse_want(const std::string& word, const Model& model) {
  const std::size_t colon = word.find(':');
  const std::string name = word.substr(0, colon);
  const auto entry = std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& e) { return name == e.name; });
  if (entry == kEntries.end()) {
    std::vector<std::string> names;
    for (const Entry& known : kEntries) names.push_back(known.name);
    const std::string near = suggestion(name, names);
    throw InputError("--want: unknown quantity '" + name + "'" +
                     (near.empty() ? "; known are " + known_wants() : near));
  }
  check_structure(word, entry->quantity, model);
  const bool has_frame = colon != std::string::npos;
  if (has_frame && !entry->of_frame) throw InputError("--want " + word + ": '" + name + "' takes no frame");
  if (!entry->of_frame) return {entry->quantity, word};
  if (!has_frame) throw InputError("--want " + word + ": which link or frame? Write " + name + ":NAME");
  return {entry->quantity, word, model.site(word.substr(colon + 1))};
}

}  // namespace

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<Want> parse_wants(const std::string& list, const Model& model) {
  std::vector<Want> wants;
  std::vector<Diagnostic> problems;
  for (const std::string& word : split_list(list)) {
    const bool repeated = std::any_of(wants.begin(), wants.end(), [&](const Want& w) { return w.key == word; });
    if (repeated) continue;
    try {
      wants.push_back(parse_want(word, model));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return wants;
}

std::string known_wants() {
  std::string list;
  for (const Entry& entry : kEntries) {
    if (entry.old_name) continue;
    list += (list.empty() ? "" : ", ") + std::string(entry.name) + (entry.of_frame ? ":FRAME" : "");
  }
  return list;
}

}  // namespace verne::cli
