/// Names of SDF files and what they stand for. A model (or the world) is a scope: its links, joints, frames and nested
/// models are frames of it, whose poses may be given in each other; `nested::name` is a frame of a nested model.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/sdf/value.h"

namespace verne {

/// A file that is read, with what there is to say of it.
struct SdfFile {
  std::string path;
  Diagnostics diagnostics;
  XmlLeftovers leftovers;
  int minor = 0;      ///< of its version 1.x
  bool first = true;  ///< not one that another includes
  const SdfFile* includer = nullptr;
};

class SdfScope;

/// Something with a name and a place.
struct SdfName {
  enum class Kind { link, joint, frame, model };
  Kind kind = Kind::frame;
  SdfPose pose;
  std::string base;           ///< what the pose is given in where it does not say; "" is the scope's frame
  std::string attached;       ///< of frames and joints: what they are fixed to; "" is the scope's frame
  int link = 0;               ///< of links: their index
  SdfScope* inner = nullptr;  ///< of models
  std::string placement;      ///< of models: the frame within, which the pose is of; "" is the model's
};

class SdfScope {
 public:
  static constexpr int kWorld = -1;  ///< in place of a link's index

  /// `path` goes before the names of links and joints, as in `arm::`.
  SdfScope(SdfFile& file, std::string path, bool world) : file_(file), path_(std::move(path)), world_(world) {}

  SdfFile& file() const { return file_; }
  const std::string& path() const { return path_; }
  bool is_world() const { return world_; }

  /// Of several things of the same name (before SDF 1.7 a joint may be called as a link is) the first counts.
  void add(const std::string& name, SdfName what);
  bool has(const std::string& name) const { return names_.count(name) > 0; }
  /// A scope within this one, which lives as long as it does.
  SdfScope& add_scope(SdfFile& file, const std::string& path);
  void set_place(const Transform<double>& X_WS) { X_WS_ = X_WS; }
  /// The link that the scope's frame is fixed to; the first one unless the file says another.
  void set_canonical(const std::string& name) { canonical_ = name; }

  /// The pose of a frame in this scope's; the identity after a message about a name that there is not, or a circle.
  Transform<double> pose(const std::string& name, int line);
  /// The index of the link that a name is fixed to, or kWorld; nothing after a message.
  std::optional<int> link_of(const std::string& name, int line);
  /// X_WS of each scope within, once all names are known.
  void place_inner();
  const Transform<double>& place() const { return X_WS_; }

 private:
  struct Entry {
    SdfName what;
    std::optional<Transform<double>> X;
    bool on_way = false;
  };
  bool is_own(const std::string& name) const {
    return name.empty() || name == "__model__" || (world_ && name == "world");
  }
  Entry* find(const std::string& name);
  /// Of `nested::rest`: the nested model, and where the rest begins.
  Entry* find_nested(const std::string& name, std::size_t& rest);
  Transform<double> local_pose(const SdfName& what);
  void unknown(const std::string& name, int line) const;
  std::optional<int> canonical_link(int line);

  SdfFile& file_;
  std::string path_;
  bool world_;
  Transform<double> X_WS_ = Transform<double>::identity();
  std::string canonical_;
  std::map<std::string, Entry> names_;
  std::vector<std::string> order_;  ///< of links and models
  std::vector<std::unique_ptr<SdfScope>> inner_;
  int depth_ = 0;
};

}  // namespace verne
