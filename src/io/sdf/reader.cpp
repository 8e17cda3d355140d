#include <tinyxml2.h>

#include <algorithm>

#include "io/number.h"
#include "io/sdf/contents.h"
#include "io/sdf/include.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// Mass and inertia that the format gives to links that do not say theirs.
constexpr double kSdfMass = 1, kSdfInertia = 1;

const XmlNames kSdfModel{{"name", "canonical_link", "placement_frame"},
                         {"static", "include", "model", "frame", "pose", "link", "joint"},
                         {"self_collide", "allow_auto_disable", "enable_wind", "plugin", "gripper"}};
const XmlNames kSdfWorld{{"name"},
                         {"gravity", "include", "model", "frame", "joint"},
                         {"actor", "atmosphere", "audio", "gui", "light", "magnetic_field", "physics", "plugin",
                          "population", "road", "scene", "spherical_coordinates", "state", "wind"}};
const XmlNames kSdfLink{{"name"},
                        {"pose", "inertial", "visual", "collision", "gravity", "kinematic"},
                        {"audio_sink", "audio_source", "battery", "enable_wind", "light", "must_be_base_link",
                         "particle_emitter", "plugin", "projector", "self_collide", "sensor", "velocity_decay"}};

/// Reads models and what they include into one list of links and joints.
class SdfReader {
 public:
  SdfReader(ModelSpec& spec, const std::string& file) : spec_(spec), files_(file) {}

  void read(const std::string& text, Diagnostics& diagnostics) {
    SdfDocument& document = files_.open_first(text);
    std::unique_ptr<SdfScope> top;
    if (document.root) top = read_top(document);
    if (top && document.file.diagnostics.errors().empty()) {
      top->place_inner();
      make_sdf_tree(std::move(contents_), document.file.diagnostics, spec_);
    }
    files_.report(diagnostics);
  }

 private:
  std::unique_ptr<SdfScope> read_top(SdfDocument& document) {
    SdfFile& file = document.file;
    const XmlElement sdf(*document.root, "sdf", {{"version"}, {"world", "model"}, {"actor", "light"}}, file.diagnostics,
                         file.leftovers);
    const auto* world = sdf.child("world");
    const auto* model = sdf.child("model");
    auto scope = std::make_unique<SdfScope>(file, "", true);
    if (world) {
      read_world(*world, *scope);
    } else if (model) {
      spec_.name = name_of(*model);
      contents_.fixed = is_static(*model, nullptr);
      read_model({model, nullptr, &file, spec_.name}, *scope, "");
    } else {
      sdf.error("it has no <model>");
    }
    return scope;
  }

  static std::string name_of(const tinyxml2::XMLElement& element) {
    const char* const name = element.Attribute("name");
    return name ? name : "";
  }

  /// Of a model, or of one that is included, where the including file has the last word.
  static bool is_static(const tinyxml2::XMLElement& model, const tinyxml2::XMLElement* include) {
    const auto* flag = include ? include->FirstChildElement("static") : nullptr;
    if (!flag) flag = model.FirstChildElement("static");
    const std::string word = flag && flag->GetText() ? flag->GetText() : "";
    return word == "1" || word == "true";
  }

  /// A <model> that stands in a file, or that an <include> names.
  struct Found {
    const tinyxml2::XMLElement* model = nullptr;
    const tinyxml2::XMLElement* include = nullptr;
    SdfFile* file = nullptr;
    std::string name;
  };

  /// The models and includes in an element, in their order.
  std::vector<Found> models_in(const XmlElement& owner, SdfScope& scope) {
    std::vector<Found> models;
    for (auto* child = owner.xml().FirstChildElement(); child; child = child->NextSiblingElement()) {
      const std::string tag = child->Name();
      Found found{child, nullptr, &scope.file(), ""};
      if (tag != "model" && (tag != "include" || !follow(owner, *child, found))) continue;
      const auto* renamed = found.include ? found.include->FirstChildElement("name") : nullptr;
      found.name = renamed && renamed->GetText() ? renamed->GetText() : name_of(*found.model);
      models.push_back(std::move(found));
    }
    return models;
  }

  bool follow(const XmlElement& owner, const tinyxml2::XMLElement& include, Found& found) {
    const XmlElement in = owner.inside(
        include, {{"merge"}, {"uri", "name", "pose", "static", "placement_frame"}, {"plugin", "allow_auto_disable"}});
    SdfDocument* const document = files_.include(in, *found.file);
    if (!document) return false;
    found = {document->root->FirstChildElement("model"), &include, &document->file, ""};
    if (!found.model) in.error("the file that it names has no <model>");
    return found.model != nullptr;
  }

  /// What stands still is scenery: it is left out, but for a frame of its name.
  void read_world(const tinyxml2::XMLElement& element, SdfScope& scope) {
    const XmlElement in(element, "world", kSdfWorld, scope.file().diagnostics, scope.file().leftovers);
    spec_.name = name_of(element);
    spec_.gravity = sdf_vector(in, "gravity", {0, 0, -9.8});
    const std::vector<Found> models = models_in(in, scope);
    const auto moving =
        std::ranges::count_if(models, [](const Found& found) { return !is_static(*found.model, found.include); });
    contents_.fixed = moving == 0;
    for (const Found& found : models) {
      if (contents_.fixed || !is_static(*found.model, found.include)) {
        read_model(found, scope, (contents_.fixed ? models.size() > 1 : moving > 1) ? found.name + "::" : "");
      } else {
        const XmlElement placed(found.include ? *found.include : *found.model, "", {{}, {}, {}}, unheard_, unseen_);
        scope.add(found.name, {SdfName::Kind::frame, sdf_pose(placed), "", "world", 0, nullptr, ""});
      }
    }
    if (models.empty()) in.error("it has no <model>");
    read_rest(element, scope, "");
  }

  /// A model as a scope of its own within `outer`; links and joints get `prefix`.
  void read_model(const Found& found, SdfScope& outer, const std::string& prefix) {
    SdfFile& own = *found.file;
    const XmlElement in(*found.model, "model " + in_quotes(found.name), kSdfModel, own.diagnostics, own.leftovers);
    if (found.name.empty()) in.error("it has no name");
    if (outer.has(found.name)) in.error("something else has this name already");
    SdfScope& scope = outer.add_scope(own, prefix);
    if (in.has("canonical_link")) scope.set_canonical(found.model->Attribute("canonical_link"));
    SdfName what{SdfName::Kind::model,        placed_by(in, found.include, outer), "", "", 0, &scope,
                 placement(in, found.include)};
    outer.add(found.name, std::move(what));
    read_contents(in, scope, "__model__");
  }

  /// The pose of an <include> counts in place of the model's own.
  SdfPose placed_by(const XmlElement& model, const tinyxml2::XMLElement* include, SdfScope& outer) {
    if (!include || !include->FirstChildElement("pose")) return sdf_pose(model);
    Diagnostics& diagnostics = outer.file().diagnostics;
    return sdf_pose(XmlElement(*include, "include", {{}, {}, {}}, diagnostics, unseen_));
  }

  static std::string placement(const XmlElement& model, const tinyxml2::XMLElement* include) {
    const auto* given = include ? include->FirstChildElement("placement_frame") : nullptr;
    if (given && given->GetText()) return given->GetText();
    return model.has("placement_frame") ? model.xml().Attribute("placement_frame") : "";
  }

  /// Links, joints, frames and models of a model. `own` is the name of its frame in the scope.
  void read_contents(const XmlElement& in, SdfScope& scope, const std::string& own) {
    const tinyxml2::XMLElement& model = in.xml();
    for (auto* link = model.FirstChildElement("link"); link; link = link->NextSiblingElement("link")) {
      read_link(*link, scope, own);
    }
    for (const Found& found : models_in(in, scope)) {
      const char* const merge = found.include ? found.include->Attribute("merge") : nullptr;
      if (merge && std::string(merge) == "true") {
        merge_model(found, scope, own);
      } else {
        read_model(found, scope, scope.path() + found.name + "::");
      }
    }
    read_rest(model, scope, own);
  }

  /// The parts of an included model become parts of this one; a frame stands for its own.
  void merge_model(const Found& found, SdfScope& scope, const std::string& outer) {
    SdfFile& file = *found.file;
    const XmlElement in(*found.model, "model " + in_quotes(found.name), kSdfModel, file.diagnostics, file.leftovers);
    const std::string own = "_merged__" + found.name + "__model__";
    if (!placement(in, found.include).empty()) in.error("placement_frame together with merge is not read");
    scope.add(own, {SdfName::Kind::frame, placed_by(in, found.include, scope), outer, outer, 0, nullptr, ""});
    read_contents(in, scope, own);
  }

  /// Joints and frames.
  void read_rest(const tinyxml2::XMLElement& model, SdfScope& scope, const std::string& own) {
    for (auto* joint = model.FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
      if (auto read = read_sdf_joint(*joint, scope, own)) contents_.joints.push_back(std::move(*read));
    }
    for (auto* frame = model.FirstChildElement("frame"); frame; frame = frame->NextSiblingElement("frame")) {
      read_frame(*frame, scope, own);
    }
  }

  static std::string in_scope(const std::string& name, const std::string& own) {
    return name == "__model__" ? own : name;
  }

  void read_frame(const tinyxml2::XMLElement& element, SdfScope& scope, const std::string& own) {
    const XmlElement in(element, "frame " + in_quotes(scope.path() + name_of(element)),
                        {{"name", "attached_to"}, {"pose"}, {}}, scope.file().diagnostics, scope.file().leftovers);
    const std::string name = in.require_word("name");
    const std::string attached = in_scope(in.has("attached_to") ? element.Attribute("attached_to") : "", own);
    const std::string base = attached.empty() ? own : attached;
    SdfPose pose = sdf_pose(in);
    pose.relative_to = in_scope(pose.relative_to, own);
    scope.add(name, {SdfName::Kind::frame, pose, base, base, 0, nullptr, ""});
    contents_.frames.push_back({scope.path() + name, &scope, name, in.line()});
  }

  void read_link(const tinyxml2::XMLElement& element, SdfScope& scope, const std::string& own) {
    SdfFile& file = scope.file();
    const std::string name = name_of(element);
    const XmlElement in(element, "link " + in_quotes(scope.path() + name), kSdfLink, file.diagnostics, file.leftovers);
    if (in.require_word("name").empty()) in.error("its name is empty");
    if (scope.has(name)) in.error("something else has this name already");
    SdfLink link;
    link.scope = &scope, link.name = name;
    link.spec.name = scope.path() + name;
    link.spec.line = file.first ? in.line() : 0;
    read_inertial(in, link.spec);
    read_sdf_shapes(in, link);
    if (!sdf_flag(in, "gravity", true)) {
      file.diagnostics.warning(in.line(), "not modelled: " + in.place() + ", which gravity does not pull");
    }
    if (sdf_flag(in, "kinematic", false)) {
      file.diagnostics.warning(in.line(), "not modelled: " + in.place() + ", which forces do not move");
    }
    SdfPose pose = sdf_pose(in);
    pose.relative_to = in_scope(pose.relative_to, own);
    scope.add(name, {SdfName::Kind::link, pose, own, "", static_cast<int>(contents_.links.size()), nullptr, ""});
    contents_.links.push_back(std::move(link));
  }

  void read_inertial(const XmlElement& owner, LinkSpec& link) const {
    if (contents_.fixed && !owner.child("inertial")) return;
    link.has_inertial = true;
    link.mass = kSdfMass;
    Sym3<double> I{kSdfInertia, 0, 0, kSdfInertia, 0, kSdfInertia};
    const auto* found = owner.child("inertial");
    if (!found) {
      owner.warning("<inertial> is missing: taken for 1 kg and 1 kg m², as the format says");
      link.inertia = I;
      return;
    }
    const XmlElement in = owner.inside(*found, {{"auto"}, {"mass", "pose", "inertia", "fluid_added_mass"}, {}});
    if (in.has("auto") && std::string(found->Attribute("auto")) == "true") {
      in.warning("not modelled: mass and inertia that follow from <collision> (auto): they are those of the file");
    }
    if (in.child("fluid_added_mass")) in.warning("not modelled: <fluid_added_mass>");
    link.mass = sdf_number(in, "mass", kSdfMass);
    const Transform<double> X_LC = sdf_pose(in).X;
    link.com = X_LC.p;
    if (const auto* inertia = in.child("inertia")) {
      const XmlElement of = in.inside(*inertia, {{}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}});
      I = {sdf_number(of, "ixx", kSdfInertia), sdf_number(of, "ixy", 0), sdf_number(of, "ixz", 0),
           sdf_number(of, "iyy", kSdfInertia), sdf_number(of, "iyz", 0), sdf_number(of, "izz", kSdfInertia)};
    }
    link.inertia = rotate(X_LC.R, I);
  }

  ModelSpec& spec_;
  SdfFiles files_;
  SdfContents contents_;
  Diagnostics unheard_;
  XmlLeftovers unseen_;
};

}  // namespace

ModelSpec read_sdf(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  ModelSpec spec;
  spec.file = file;
  SdfReader(spec, file).read(text, diagnostics);
  return spec;
}

}  // namespace verne
