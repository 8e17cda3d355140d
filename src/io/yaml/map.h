/// Typed access to a map of a YAML file that reports every mistake with line and key, and goes on with a default.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/expression.h"
#include "io/yaml/tree.h"
#include "verne/base/small_matrix.h"
#include "verne/spatial/transform.h"

namespace verne {

/// What a message is about: the place in the file, as in `link 'arm': joint: limits`. Numbers may use the named
/// `parameters`, which must outlive the reader.
class VERNE_API YamlReader {
 public:
  YamlReader(std::string place, Diagnostics& diagnostics, const std::map<std::string, double>* parameters = nullptr)
      : place_(std::move(place)), diagnostics_(&diagnostics), parameters_(parameters) {}

  const std::string& place() const { return place_; }
  Diagnostics& diagnostics() const { return *diagnostics_; }
  YamlReader inside(const std::string& key) const;
  /// The same file, about another place.
  YamlReader at(const std::string& place) const { return {place, *diagnostics_, parameters_}; }
  void error(int line, const std::string& text) const;
  void expected(const std::string& what, const YamlNode& found) const;
  /// With the value of what may be written as an expression.
  void expected(const std::string& what, const YamlNode& found, double value) const;

  /// A finite number, possibly written as an expression; with `infinite`, also inf. With a `unit` such as "rad/s" it
  /// may be followed by this unit (angles also by degrees), and no other; without, by none.
  std::optional<double> number(const YamlNode& node, bool infinite = false, const std::string& unit = "") const;
  /// A finite number whose meaning is not known yet: a parameter. It may be given in degrees.
  std::optional<double> number_or_angle(const YamlNode& node) const;
  std::optional<std::string> word(const YamlNode& node) const;
  /// Exactly `count` finite numbers; nothing when any is wrong.
  std::optional<std::vector<double>> numbers(const YamlNode& node, std::size_t count,
                                             const std::string& unit = "") const;
  std::optional<Vec3<double>> vector(const YamlNode& node, const std::string& unit = "") const;
  /// {xyz: [...], rpy: [...]} or {xyz: [...], quaternion: [x, y, z, w]}
  Transform<double> pose(const YamlNode& node) const;

 private:
  std::optional<Evaluated> evaluate(const YamlNode& node, const std::string& wanted, bool units) const;

  std::string place_;
  Diagnostics* diagnostics_;
  const std::map<std::string, double>* parameters_;
};

/// A map whose keys are all known.
class VERNE_API YamlMap {
 public:
  /// Reports a node that is not a map (the map is then empty) and every key that is not in `keys`.
  YamlMap(const YamlNode& node, YamlReader reader, const std::vector<std::string>& keys);

  int line() const { return node_->line; }
  const YamlReader& reader() const { return reader_; }
  YamlReader reader(const char* key) const { return reader_.inside(key); }
  /// The value of a key, or null.
  const YamlNode* find(const char* key) const;
  /// The same, and a message when the key is missing.
  const YamlNode* require(const char* key) const;

  double number(const char* key, double otherwise, const std::string& unit = "") const;
  std::string word(const char* key, const std::string& otherwise) const;
  bool flag(const char* key, bool otherwise) const;
  Vec3<double> vector(const char* key, const Vec3<double>& otherwise, const std::string& unit = "") const;
  /// Keys rpy or quaternion; the identity when both are missing.
  Mat3<double> rotation() const;
  Transform<double> pose(const char* key) const;  ///< the identity when missing
  /// The items of a list; empty when missing.
  const std::vector<YamlNode>& items(const char* key) const;

 private:
  const YamlNode* node_;
  YamlReader reader_;
};

}  // namespace verne
