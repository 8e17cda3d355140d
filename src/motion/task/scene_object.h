/// Objects of a task's scene that something holds: taken out of it, and read as links.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/yaml/map.h"
#include "verne/motion/task.h"

namespace verne {

/// The entry of a key, or null.
const YamlEntry* entry_named(const YamlNode& map, const std::string& key);

/// The scene that a task names, as its file has it; nothing where it is in the task, or in no format of ours.
struct SceneFile {
  std::string path;
  YamlNode root;
};
std::optional<SceneFile> scene_file_of(const YamlNode& task, const std::string& folder, const TaskFiles& files);

/// An object of the scene that is held, as the file has it.
struct HeldObject {
  std::string name;
  int line = 0;
  YamlNode node;
  std::string file{};  ///< of the scene; "": the task's
};
/// Takes it out of the scene of a task, which does not stand around then; nothing where there is none of this name.
std::optional<HeldObject> take_scene_object(YamlNode& task, const std::optional<SceneFile>& file,
                                            const std::string& name);

/// Objects of another file as an entry of the task, and its key: the text of a solution has all that acts.
inline constexpr char kHeldObjects[] = "held_objects";
std::string entry_of(const std::vector<HeldObject>& held);

/// The object as a link whose frame is that of its shape; its pose is where it stands.
struct SceneObject {
  LinkSpec link;
  std::optional<Transform<double>> stands;
};
/// Where a model has no collision shapes, those of its picture stand in for all of them: the object has none, too.
void fit_shapes(const ModelSpec& model, LinkSpec& object);

/// Says that the scene has no such object, or that its file has none with a mass.
void refuse_object(const YamlMap& task, const YamlNode& name, const YamlReader& reader);

/// What holds something: a frame in a link.
struct Holder {
  std::string link;
  Transform<double> X_LF = Transform<double>::identity();
};
/// Of a link or frame; what is unknown is reported.
std::optional<Holder> find_holder(const YamlNode& node, const YamlReader& reader, const Model& model);

/// What is wrong with it is reported, or thrown where it is in another file. `in`: anywhere in the task.
SceneObject read_scene_object(const HeldObject& held, const YamlReader& in);

}  // namespace verne
