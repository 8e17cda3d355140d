/// What the readers of MuJoCo's format share: the files, what they say about everything, and the tree.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "io/mjcf/document.h"
#include "io/named_state.h"
#include "io/scene/contact_rules.h"
#include "shapes/mesh.h"
#include "verne/model/spec.h"

namespace verne {

inline constexpr char kMjcfWorld[] = "world";

/// <option>: what of the dynamics is switched off, and what the bodies move in.
struct MjcfOptions {
  double density = 0, viscosity = 0;

  void read(const MjcfElement& option, Vec3<double>& gravity);
  /// Springs, damping and what else is no joint's: newer versions of MuJoCo name the two apart.
  bool springs() const { return !off("passive") && !off("spring"); }
  bool dampers() const { return !off("passive") && !off("damper"); }
  bool passive_forces() const { return springs() || dampers(); }
  bool gravity() const { return !off("gravity"); }
  /// Of constraints: equalities, dry friction and limits.
  bool equalities() const { return !off("constraint") && !off("equality"); }
  bool friction() const { return !off("constraint") && !off("frictionloss"); }
  bool limits() const { return !off("constraint") && !off("limit"); }
  bool actuators() const { return !off("actuation"); }

 private:
  bool off(const char* flag) const { return disabled_.count(flag) > 0; }

  std::set<std::string> disabled_;
};

/// What is said once for each kind of thing, with the line where it is met first.
class MjcfNotes {
 public:
  /// Dynamics that the model does not have: `subject` is what `name` is a name of.
  void not_modelled(const MjcfElement& element, const std::string& what, const std::string& subject,
                    const std::string& name);
  void not_understood(const MjcfElement& element, const std::string& kind);
  void report() const;

 private:
  struct Found {
    MjcfFile* file = nullptr;
    int line = 0, count = 0;
    std::string subject;
    std::vector<std::string> names;
  };
  Found& find(std::map<std::string, Found>& kinds, const MjcfElement& element, const std::string& kind);

  std::map<std::string, Found> not_modelled_, not_understood_;
};

struct MjcfContents {
  ModelSpec& spec;
  Diagnostics& diagnostics;
  std::vector<std::unique_ptr<MjcfDocument>> documents{};  ///< first the file itself, then those that it attaches
  std::deque<MjcfInstance> attached{};
  std::deque<MjcfScope> scopes{};  ///< of copies and attached models
  MjcfOptions options{};
  MjcfNotes notes{};
  bool incomplete = false;  ///< bodies are missing, so that names may be
  std::map<std::string, std::optional<Mesh>>
      read_meshes{};                           ///< by names of files; nothing for those that cannot be read
  std::map<std::size_t, double> references{};  ///< `ref` of joints, by link
  std::vector<NamedState> states{};            ///< key frames that have a name
  ContactRules contacts{};
  int pairs = 0;
  std::map<std::string, std::uint64_t> in_pairs{};  ///< geoms of <pair>: a bit for each one
  std::map<std::string, LoopEnd> sites{};
  std::map<std::string, Transform<double>> poses{};  ///< of bodies in the world, in the pose of the file

  MjcfDocument& file() { return *documents.front(); }
  bool have_errors() const;
};

/// What stands under <worldbody>: links, joints, masses, frames.
void read_mjcf_bodies(MjcfContents& contents);
/// What joins and drives the bodies of the tree: equalities as loops and couplings, actuators as limits of effort, and
/// the configuration in which loops are closed; key frames.
void read_mjcf_constraints(MjcfContents& contents);

}  // namespace verne
