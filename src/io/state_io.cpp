#include "verne/io/state_io.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "io/number.h"
#include "verne/base/error.h"

namespace verne {

namespace {

using Json = nlohmann::json;

/// Index in q of the quaternion of a joint, or nothing.
std::optional<int> quaternion_index(const Joint& joint) {
  if (joint.coupled()) return std::nullopt;
  if (joint.spec.type == JointType::spherical) return joint.q;
  if (joint.spec.type == JointType::free) return joint.q + 3;
  return std::nullopt;
}

/// What was found where something else was expected.
std::string found(const Json& value) {
  if (value.is_array()) return "an array of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  return in_quotes(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Reads JSON without keeping it. Knows the last key, for the message about a line that is cut off, and refuses keys
/// given twice, of which an object would silently keep the last.
class KeyWatcher final : public nlohmann::json_sax<Json> {
 public:
  std::string last_key;
  std::size_t position = 0;  ///< of the problem, from 1
  bool key_twice = false, out_of_range = false;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(Json::number_integer_t) override { return true; }
  bool number_unsigned(Json::number_unsigned_t) override { return true; }
  bool number_float(Json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool start_object(std::size_t) override {
    open_objects_.emplace_back();
    return true;
  }
  bool end_object() override {
    open_objects_.pop_back();
    return true;
  }
  bool key(std::string& name) override {
    last_key = name;
    key_twice = !open_objects_.back().insert(name).second;
    return !key_twice;
  }
  bool parse_error(std::size_t where, const std::string&, const Json::exception& problem) override {
    position = where;
    out_of_range = dynamic_cast<const Json::out_of_range*>(&problem) != nullptr;
    return false;
  }

 private:
  std::vector<std::set<std::string>> open_objects_;
};

/// Turns one line into a state; the first problem ends it, as the line cannot be used then.
class StateReader {
 public:
  StateReader(const Model& model, const StateShape& shape, const std::string& file, int line)
      : model_(model), shape_(shape), file_(file), line_(line) {}

  StateLine read(const std::string& text) {
    const Json root = parse(text);
    if (!root.is_object()) fail("expected a JSON object, found " + found(root));
    std::vector<std::string> keys{"q", "v", "a", "tau", "loads"};
    if (shape_.mechanism) keys.insert(keys.end(), {"guess", "tree"});
    if (!model_.contacts().empty()) keys.push_back("contacts");
    if (shape_.mechanism || !model_.contacts().empty()) keys.push_back("weights");
    check_keys(root, "", keys);
    StateLine state;
    state.tau = numbers(root, "tau", "tau", std::vector<double>(static_cast<std::size_t>(shape_.torques)));
    if (root.contains("tree")) {
      read_tree(root, state);
    } else {
      read_motion(root, "", shape_, state);
    }
    if (root.contains("guess")) {
      const StateShape tree = state_shape(model_);
      state.guess = numbers(root, "guess", "guess", tree.q);
      normalise_quaternions("guess", tree.quaternions, state.guess);
    }
    if (root.contains("weights")) {
      state.weights = numbers(root, "weights", "weights", state.tau);
      for (std::size_t i = 0; i < state.weights.size(); ++i) {
        if (!(state.weights[i] > 0)) fail(entry("weights", i) + ": expected a positive number");
      }
    }
    if (root.contains("loads")) read_loads(root["loads"], state.loads);
    if (root.contains("contacts")) read_contacts(root["contacts"], state.contacts);
    return state;
  }

 private:
  void read_motion(const Json& object, const std::string& place, const StateShape& shape, StateLine& state) const {
    const std::vector<double> zero(static_cast<std::size_t>(shape.velocities));
    state.q = numbers(object, "q", place + "q", shape.q);
    state.v = numbers(object, "v", place + "v", zero);
    state.a = numbers(object, "a", place + "a", zero);
    normalise_quaternions(place + "q", shape.quaternions, state.q);
  }

  void read_tree(const Json& root, StateLine& state) const {
    const Json& tree = root["tree"];
    if (!tree.is_object()) fail("tree: expected an object, found " + found(tree));
    check_keys(tree, "tree: ", {"q", "v", "a"});
    for (const char* key : {"q", "v", "a", "guess"}) {
      if (root.contains(key)) fail(std::string(key) + ": give either that or tree, not both");
    }
    state.of_tree = true;
    read_motion(tree, "tree: ", state_shape(model_), state);
  }

  [[noreturn]] void fail(const std::string& text) const { throw InputError({Diagnostic{file_, line_, text}}); }

  Json parse(const std::string& text) const {
    KeyWatcher watcher;
    if (Json::sax_parse(text, &watcher)) return Json::parse(text);
    const std::string place = watcher.last_key.empty() ? "" : "key " + in_quotes(watcher.last_key) + ": ";
    if (watcher.key_twice) fail("key " + in_quotes(watcher.last_key) + " is given twice");
    if (watcher.out_of_range) fail(place + "a number is out of range");
    if (watcher.position > text.size()) fail(place + "the JSON is cut off at the end of the line");
    fail(place + "not JSON at column " + std::to_string(watcher.position));
  }

  void check_keys(const Json& object, const std::string& place, const std::vector<std::string>& known) const {
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      fail(place + "unknown key " + in_quotes(key) + suggestion(key, known));
    }
  }

  /// An array of as many finite numbers as `otherwise` has, which stands for a missing one.
  std::vector<double> numbers(const Json& object, const char* key, const std::string& place,
                              std::vector<double> otherwise) const {
    const auto member = object.find(key);
    if (member == object.end()) return otherwise;
    std::vector<double>& values = otherwise;
    if (!member->is_array() || member->size() != values.size()) {
      fail(place + ": expected an array of " + std::to_string(values.size()) + " numbers, found " + found(*member));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Json& item = (*member)[i];
      if (!item.is_number()) fail(entry(place, i) + ": expected a number, found " + found(item));
      values[i] = item.get<double>();
      if (!std::isfinite(values[i])) fail(entry(place, i) + ": expected a finite number");
    }
    return otherwise;
  }

  static std::string entry(const std::string& place, std::size_t index) {
    return place + "[" + std::to_string(index) + "]";
  }

  void normalise_quaternions(const std::string& place, const std::vector<StateShape::Quaternion>& quaternions,
                             std::vector<double>& q) const {
    for (const auto& [index, joint] : quaternions) {
      if (const auto problem = normalise_quaternion(q.data() + index)) {
        fail(entry(place, static_cast<std::size_t>(index)) + ", joint " + in_quotes(joint) + ": " + *problem);
      }
    }
  }

  void read_loads(const Json& list, std::vector<LoadLine>& loads) const {
    if (!list.is_array()) fail("loads: expected an array, found " + found(list));
    for (std::size_t i = 0; i < list.size(); ++i) loads.push_back(read_load(list[i], entry("loads", i)));
  }

  void read_contacts(const Json& list, std::vector<int>& contacts) const {
    if (!list.is_array()) fail("contacts: expected an array of names, found " + found(list));
    std::vector<std::string> names;
    for (const ContactSpec& contact : model_.contacts()) names.push_back(contact.name);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_string()) fail(entry("contacts", i) + ": expected a name, found " + found(list[i]));
      const auto& name = list[i].get_ref<const std::string&>();
      const auto known = std::find(names.begin(), names.end(), name);
      if (known == names.end())
        fail(entry("contacts", i) + ": unknown contact " + in_quotes(name) + suggestion(name, names));
      const int contact = static_cast<int>(known - names.begin());
      if (std::find(contacts.begin(), contacts.end(), contact) != contacts.end())
        fail(entry("contacts", i) + ": " + in_quotes(name) + " is listed twice");
      contacts.push_back(contact);
    }
  }

  LoadLine read_load(const Json& object, const std::string& place) const {
    if (!object.is_object()) fail(place + ": expected an object, found " + found(object));
    check_keys(object, place + ": ", {"frame", "link", "point", "at", "force", "moment"});
    LoadLine load;
    load.site = read_site(object, place);
    load.world_point = read_at(object, place);
    load.point = vector(object, "point", place);
    load.force = vector(object, "force", place);
    load.moment = vector(object, "moment", place);
    return load;
  }

  /// `link` is what earlier versions called it.
  int read_site(const Json& object, const std::string& place) const {
    const auto frame = object.find("frame"), link = object.find("link");
    if (frame != object.end() && link != object.end()) fail(place + ": give either frame or link, not both");
    if (frame == object.end() && link == object.end()) fail(place + ": frame is missing");
    const std::string key = frame != object.end() ? "frame" : "link";
    const Json& member = object[key];
    if (!member.is_string()) fail(place + ": " + key + ": expected a name, found " + found(member));
    const auto& name = member.get_ref<const std::string&>();
    std::vector<std::string> names;
    for (int site = 0; site < model_.site_count(); ++site) {
      if (model_.site_name(site) == name) return site;
      names.push_back(model_.site_name(site));
    }
    fail(place + ": " + key + ": unknown link or frame " + in_quotes(name) + suggestion(name, names));
  }

  bool read_at(const Json& object, const std::string& place) const {
    const auto member = object.find("at");
    if (member == object.end() || *member == "frame" || *member == "link") return false;
    if (*member == "world") return true;
    fail(place + ": at: expected \"frame\" or \"world\", found " + found(*member));
  }

  Vec3<double> vector(const Json& object, const char* key, const std::string& place) const {
    return Vec3<double>::load(numbers(object, key, place + ": " + key, {0, 0, 0}).data());
  }

  const Model& model_;
  const StateShape& shape_;
  const std::string& file_;
  int line_;
};

}  // namespace

StateShape state_shape(const Model& model) {
  StateShape shape{std::vector<double>(static_cast<std::size_t>(model.nq())), {}, model.nv(), model.nv()};
  for (const Joint& joint : model.joints()) {
    const auto index = quaternion_index(joint);
    if (!index) continue;
    shape.q[static_cast<std::size_t>(*index) + 3] = 1;
    shape.quaternions.push_back({*index, joint.spec.name});
  }
  return shape;
}

StateLine parse_state(const std::string& line, const Model& model, const std::string& file, int line_number) {
  return parse_state(line, model, state_shape(model), file, line_number);
}

StateLine parse_state(const std::string& line, const Model& model, const StateShape& shape, const std::string& file,
                      int line_number) {
  return StateReader(model, shape, file, line_number).read(line);
}

}  // namespace verne
