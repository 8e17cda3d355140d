// Systems: quantities by their names, of trees, loops, held contacts and given accelerations.
#include "system.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "call.h"
#include "verne/base/error.h"
#include "verne/dynamics/configuration.h"

namespace verne::python {

std::vector<std::string> words_of(const py::object& want) {
  if (py::isinstance<py::str>(want)) return {want.cast<std::string>()};
  std::vector<std::string> words;
  for (const py::handle word : want) {
    if (!py::isinstance<py::str>(word)) throw py::type_error("want: expected a name or a list of names");
    words.push_back(word.cast<std::string>());
  }
  if (words.empty()) throw InputError("want: nothing is wanted");
  return words;
}

EvaluationPool::Kept EvaluationPool::take(const std::vector<std::string>& wants, int capacity, unsigned inputs) {
  std::string key = std::to_string(capacity) + " " + std::to_string(inputs);
  for (const std::string& want : wants) key += "," + want;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(free_, key, &Kept::key);
    if (found != free_.end()) {
      Kept kept = std::move(*found);
      free_.erase(found);
      return kept;
    }
  }
  return {std::move(key), std::make_unique<Evaluation>(system_, wants, capacity)};
}

void EvaluationPool::give_back(Kept kept) {
  constexpr std::size_t kMostKept = 8;
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(kept));
  if (free_.size() > kMostKept) free_.erase(free_.begin());
}

namespace {

constexpr int kStatesAtOnce = 256;
constexpr const char* kNotConnected =
    " of the states cannot be reached straight from home, or from the guess: they were closed on whatever branch was "
    "near; a nearer guess chooses one";

/// Where quaternions of the system's own configuration begin, with the names of their joints.
std::vector<std::pair<int, std::string>> own_quaternions(const System& system) {
  std::vector<std::pair<int, std::string>> all = quaternions_of(system.model());
  if (system.model().loops().empty()) return all;
  const auto places = system.mechanism().independent_positions();
  std::vector<std::pair<int, std::string>> own;
  for (const auto& [first, joint] : all) {
    const auto at = std::ranges::find(places, first);
    if (at != places.end()) own.emplace_back(static_cast<int>(at - places.begin()), joint);
  }
  return own;
}

/// One array, or several by their names.
py::object result_of(const Evaluation& evaluation, std::size_t want, const std::vector<py::array_t<double>>& arrays) {
  if (arrays.size() == 1 && evaluation.arrays(want)[0].part.empty()) return arrays[0];
  py::dict parts;
  for (std::size_t k = 0; k < arrays.size(); ++k) parts[py::str(evaluation.arrays(want)[k].part)] = arrays[k];
  return parts;
}

/// The states of a call, of which any may be missing: then it is home, or zero.
class EvaluateCall {
 public:
  EvaluateCall(const System& system, const StateArguments& given) {
    const auto inputs = state_inputs();
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (given[k].is_none()) continue;
      require_input(inputs[k], system);
      states_.add(given[k], inputs[k].name, inputs[k].size(system));
      places_.push_back(&inputs[k]);
      inputs_ |= 1U << k;
      if (inputs[k].positive) states_.require_positive();
      if (k > 0 && !inputs[k].of_tree) continue;
      const auto quaternions = inputs[k].of_tree ? quaternions_of(system.model()) : own_quaternions(system);
      for (const auto& [first, joint] : quaternions) states_.require_unit_quaternion(first, joint);
    }
    if (places_.empty()) throw InputError("evaluate: there are no states: give q, v, a or tau");
  }

  using Results = std::vector<std::vector<py::array_t<double>>>;
  /// Leaves in `strayed` how many states were not reached from their guesses.
  Results run(Evaluation& evaluation, const Loads<double>& loads, long& strayed) const {
    evaluation.set_loads(std::span(&loads, 1));
    Results results(evaluation.wants().size());
    std::vector<std::pair<const QuantityArray*, double*>> to;
    for (std::size_t w = 0; w < results.size(); ++w) {
      for (const QuantityArray& array : evaluation.arrays(w)) {
        results[w].push_back(states_.empty({array.shape.begin(), array.shape.end()}, true));
        to.emplace_back(&array, results[w].back().mutable_data());
      }
    }
    const py::gil_scoped_release release;
    SystemBatch& batch = evaluation.states();
    for (int first = 0; first < states_.count(); first += kStatesAtOnce) {
      const int here = std::min(kStatesAtOnce, states_.count() - first);
      for (std::size_t k = 0; k < places_.size(); ++k)
        states_.put(static_cast<int>(k), first, here, places_[k]->rows(batch));
      batch.count_from(static_cast<std::size_t>(first));
      evaluation.compute();
      strayed += std::ranges::count(batch.connected().first(static_cast<std::size_t>(here)), char{0});
      for (const auto& [array, out] : to) array->copy(0, here, out + static_cast<py::ssize_t>(first) * array->size());
    }
    return results;
  }

  int count() const { return states_.count(); }
  unsigned inputs() const { return inputs_; }

 private:
  States states_;
  std::vector<const StateInput*> places_;
  unsigned inputs_ = 0;
};

int contact_of(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const ContactSpec& contact : model.contacts()) {
    if (contact.name == name) return static_cast<int>(names.size());
    names.push_back(contact.name);
  }
  const std::string near = suggestion(name, names);
  throw InputError("contacts: there is no contact '" + name + "'" +
                   (!near.empty()   ? near
                    : names.empty() ? ": the model has none"
                                    : ""));
}

PythonSystem make_system(const PythonModel& model, const py::object& contacts, const py::object& given) {
  SystemOptions options;
  if (!contacts.is_none()) {
    for (const std::string& name : words_of(contacts)) options.contacts.push_back(contact_of(model.model, name));
  }
  if (!given.is_none()) {
    std::vector<int> joints;
    for (const std::string& name : words_of(given)) joints.push_back(model.model.joint(name));
    options.given = GivenAccelerations(model.model, joints);
  }
  const py::gil_scoped_release release;
  return {model, System(model.model, options)};
}

std::vector<std::string> names_of(const Model& model, std::span<const int> velocities) {
  std::vector<std::string> names;
  for (const int k : velocities) names.push_back(model.dof_names()[static_cast<std::size_t>(k)]);
  return names;
}

std::vector<std::string> torque_names(const PythonSystem& s) {
  const Model& model = s.system.model();
  if (model.loops().empty()) return {model.dof_names().begin(), model.dof_names().end()};
  return names_of(model, s.system.mechanism().actuated());
}

py::array home(const PythonSystem& s) {
  const Model& model = s.system.model();
  const Values values =
      model.loops().empty() ? Values(neutral_configuration(model)) : s.system.mechanism().independent_home();
  return py::array_t<double>(values.size(), values.data());
}

std::vector<std::string> contact_names(const PythonSystem& s) {
  std::vector<std::string> names;
  for (const int k : s.system.contacts()) {
    names.push_back(s.system.model().contacts()[static_cast<std::size_t>(k)].name);
  }
  return names;
}

std::vector<std::string> closure_names(const PythonSystem& s) {
  std::vector<std::string> names;
  for (const LoopSpec& loop : s.system.model().loops()) names.push_back(loop.name);
  const std::vector<std::string> contacts = contact_names(s);
  names.insert(names.end(), contacts.begin(), contacts.end());
  return names;
}

std::vector<std::string> given_names(const PythonSystem& s) {
  std::vector<std::string> names;
  if (!s.system.given()) return names;
  for (const Joint& joint : s.system.model().joints()) {
    if (joint.nv > 0 && (*s.system.given())[joint.v]) names.push_back(joint.spec.name);
  }
  return names;
}

/// A closed configuration of the tree, and memory for one state.
struct OneState {
  OneState(const PythonSystem& s, const py::object& q, const py::object& guess) : data(s.system) {
    const auto tree =
        s.model.model.loops().empty()
            ? py::object()
            : s.evaluate(py::str("tree"), {q, py::none(), py::none(), py::none(), guess, py::none()}, py::none());
    const Array values = numbers(tree ? py::object(tree["q"]) : q, "q");
    if (values.ndim() != 1 || values.size() != s.system.model().nq()) throw InputError("q: expected one state");
    configuration = Eigen::Map<const Eigen::VectorXd>(values.data(), values.size());
  }
  SystemData data;
  Eigen::VectorXd configuration;
};

py::array stresses(const PythonSystem& s, const py::object& q, const py::object& guess) {
  OneState at(s, q, guess);
  const MatrixView basis = null_space_torques(s.system, at.data, at.configuration);
  py::array_t<double> out({basis.rows(), basis.cols()});
  for (Eigen::Index i = 0; i < basis.rows(); ++i) {
    for (Eigen::Index j = 0; j < basis.cols(); ++j) out.mutable_at(i, j) = basis(i, j);
  }
  return out;
}

py::dict undetermined(const PythonSystem& s, const py::object& q, const py::object& guess) {
  OneState at(s, q, guess);
  const DeterminedWrenches known = determined_wrenches(s.system, at.data, at.configuration);
  const auto names_of_wrenches = [](const auto& wrenches, const std::vector<std::string>& names) {
    constexpr const char* kComponents[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    py::dict out;
    for (std::size_t k = 0; k < wrenches.size(); ++k) {
      py::list components;
      for (std::size_t i = 0; i < 6; ++i) {
        if (!wrenches[k][i]) components.append(kComponents[i]);
      }
      if (!components.empty()) out[py::str(names[k])] = components;
    }
    return out;
  };
  std::vector<std::string> joints;
  for (const Joint& joint : s.system.model().joints()) joints.push_back(joint.spec.name);
  py::dict out;
  out["loop_wrenches"] = names_of_wrenches(known.loops, closure_names(s));
  out["joint_wrenches"] = names_of_wrenches(known.joints, joints);
  return out;
}

}  // namespace

py::object PythonSystem::evaluate(const py::object& want, const StateArguments& given, const py::object& loads) const {
  const EvaluateCall call(system, given);
  const std::vector<std::string> words = words_of(want);
  const Loads<double> external = loads_of(system.model(), loads);
  EvaluationPool::Kept kept = pool_->take(words, std::min(kStatesAtOnce, call.count()), call.inputs());
  const Evaluation& evaluation = *kept.evaluation;
  long strayed = 0;
  const auto arrays = call.run(*kept.evaluation, external, strayed);
  if (strayed > 0 && PyErr_WarnEx(PyExc_RuntimeWarning, (std::to_string(strayed) + kNotConnected).c_str(), 1) < 0) {
    throw py::error_already_set();
  }
  py::object out;
  if (py::isinstance<py::str>(want)) {
    out = result_of(evaluation, 0, arrays[0]);
  } else {
    py::dict all;
    for (std::size_t w = 0; w < arrays.size(); ++w) {
      all[py::str(evaluation.wants()[w].key)] = result_of(evaluation, w, arrays[w]);
    }
    out = std::move(all);
  }
  pool_->give_back(std::move(kept));
  return out;
}

const PythonSystem& PythonModel::system() const {
  const std::scoped_lock lock(own_->mutex);
  if (!own_->made) own_->made = std::make_shared<const PythonSystem>(PythonModel(model), System(model));
  return *own_->made;
}

void bind_system(py::module_& module) {
  using py::arg;
  const auto none = [](const char* name) { return arg(name) = py::none(); };
  py::class_<PythonSystem>(module, "System",
                           "What moves: a model with its closed loops, the contacts that are held, and the joints "
                           "whose accelerations are given in place of torques. Never changes; threads may share it.")
      .def(py::init(&make_system), arg("model"), none("contacts"), none("given"),
           "contacts: names of the model's contacts that are held; given: names of joints.")
      .def_property_readonly(
          "model", [](const PythonSystem& s) { return s.model; }, "The model.")
      .def_property_readonly(
          "nq", [](const PythonSystem& s) { return s.system.nq(); },
          "Number of positions: with loops of independent ones.")
      .def_property_readonly(
          "nv", [](const PythonSystem& s) { return s.system.nv(); },
          "Number of velocities: with loops of independent ones.")
      .def_property_readonly(
          "dof_names",
          [](const PythonSystem& s) { return names_of(s.system.model(), s.system.mechanism().independent()); },
          "A name for each velocity.")
      .def_property_readonly("torque_names", &torque_names, "A name for each entry of tau: with loops of the motors.")
      .def_property_readonly("closure_names", &closure_names,
                             "Loops, then the contacts that are held: the first axis of loop_wrenches.")
      .def_property_readonly("contacts", &contact_names, "Contacts that are held.")
      .def_property_readonly("given", &given_names, "Joints whose accelerations are given.")
      .def_property_readonly("home", &home, "Positions that stand for missing ones.")
      .def_property_readonly(
          "method", [](const PythonSystem& s) { return s.system.method(); }, "How dynamics are computed, in words.")
      .def(
          "evaluate",
          [](const PythonSystem& s, const py::object& want, const py::object& q, const py::object& v,
             const py::object& a, const py::object& tau, const py::object& loads, const py::object& guess,
             const py::object& weights) {
            return s.evaluate(want, {q, v, a, tau, guess, weights}, loads);
          },
          arg("want"), none("q"), none("v"), none("a"), none("tau"), none("loads"), none("guess"), none("weights"),
          "Any of verne.quantities() by its name: an array, or a dict of arrays where it has several; of a list of "
          "names a dict of these. With loops q, v, a are independent ones, closed from home or from `guess`, "
          "configurations of the tree. Where accelerations are given all is of the motion that they complete. Torques "
          "that are not unique are those of the least sum of weights * tau**2.")
      .def("null_space_torques", &stresses, arg("q"), none("guess"),
           "Torques that move nothing and only stress the system, as orthonormal columns: of one state.")
      .def(
          "undetermined", &undetermined, arg("q"), none("guess"),
          "Components of loop_wrenches and joint_wrenches that motion and torques do not tell, by name: of one state.");
}

}  // namespace verne::python
