#include "io/sdf/value.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <sstream>

#include "io/number.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

std::string trimmed_text(const tinyxml2::XMLElement& element) {
  const char* const found = element.GetText();
  const std::string text = found ? found : "";
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

XmlElement plain_child(const XmlElement& in, const tinyxml2::XMLElement& child) {
  return in.inside(child, {{}, {}, {}});
}

bool is_true(const std::string& word) {
  return word == "1" || word == "true" || word == "True" || word == "TRUE";
}

bool is_false(const std::string& word) {
  return word == "0" || word == "false" || word == "False" || word == "FALSE";
}

Mat3<double> quaternion_turn(const XmlElement& pose, std::vector<double> numbers) {
  if (const auto problem = normalise_quaternion(numbers.data() + 3)) {
    pose.error(*problem);
    return Mat3<double>::identity();
  }
  return rotation_from_quaternion(numbers[3], numbers[4], numbers[5], numbers[6]);
}

}  // namespace

std::string sdf_text(const XmlElement& in, const char* child) {
  const auto* found = in.child(child);
  return found ? trimmed_text(*found) : "";
}

double sdf_bound(const XmlElement& in, const char* child, double otherwise) {
  const auto* found = in.child(child);
  if (!found) return otherwise;
  const std::string text = trimmed_text(*found);
  const auto value = parse_number(text);
  if (value && !std::isnan(*value)) return *value;
  plain_child(in, *found).error("expected a number, found " + in_quotes(text));
  return otherwise;
}

double sdf_number(const XmlElement& in, const char* child, double otherwise) {
  const double value = sdf_bound(in, child, otherwise);
  if (std::isfinite(value)) return value;
  plain_child(in, *in.child(child)).error("expected a finite number");
  return otherwise;
}

std::vector<double> sdf_numbers(const XmlElement& element, std::vector<double> otherwise) {
  const std::string text = trimmed_text(element.xml());
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word;) {
    const auto value = parse_number(word);
    if (!value || !std::isfinite(*value)) break;
    numbers.push_back(*value);
    if (numbers.size() > otherwise.size()) break;
  }
  if (numbers.size() == otherwise.size() && words.eof()) return numbers;
  element.error("expected " + std::to_string(otherwise.size()) + " numbers, found " + in_quotes(text));
  return otherwise;
}

Vec3<double> sdf_vector(const XmlElement& in, const char* child, const Vec3<double>& otherwise) {
  const auto* found = in.child(child);
  if (!found) return otherwise;
  const XmlElement element = in.inside(*found, {{"expressed_in"}, {}, {}});
  return Vec3<double>::load(sdf_numbers(element, {otherwise.x, otherwise.y, otherwise.z}).data());
}

bool sdf_flag(const XmlElement& in, const char* child, bool otherwise) {
  const auto* found = in.child(child);
  if (!found) return otherwise;
  const std::string word = trimmed_text(*found);
  if (is_true(word) || is_false(word)) return is_true(word);
  plain_child(in, *found).error("expected true or false, found " + in_quotes(word));
  return otherwise;
}

SdfPose sdf_pose(const XmlElement& in) {
  SdfPose pose;
  pose.line = in.line();
  const auto* found = in.child("pose");
  if (!found) return pose;
  const XmlElement element = in.inside(*found, {{"relative_to", "frame", "degrees", "rotation_format"}, {}, {}});
  pose.line = element.line();
  for (const char* attribute : {"frame", "relative_to"}) {
    if (element.has(attribute)) pose.relative_to = found->Attribute(attribute);
  }
  const std::string format = element.has("rotation_format") ? found->Attribute("rotation_format") : "euler_rpy";
  const bool degrees = element.has("degrees") && is_true(found->Attribute("degrees"));
  if (format != "euler_rpy" && format != "quat_xyzw") {
    element.error("rotation_format: expected euler_rpy or quat_xyzw, found " + in_quotes(format));
  } else if (format == "quat_xyzw") {
    const std::vector<double> numbers = sdf_numbers(element, {0, 0, 0, 0, 0, 0, 1});
    pose.X = {quaternion_turn(element, numbers), Vec3<double>::load(numbers.data())};
  } else if (!trimmed_text(*found).empty()) {  // an empty pose is none
    const std::vector<double> numbers = sdf_numbers(element, std::vector<double>(6));
    const double unit = degrees ? std::numbers::pi / 180 : 1;
    pose.X = {rotation_rpy(Vec3<double>::load(numbers.data() + 3) * unit), Vec3<double>::load(numbers.data())};
  }
  return pose;
}

}  // namespace verne
