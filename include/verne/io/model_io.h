/// Model files: URDF, SDF, MuJoCo's MJCF and Verne YAML, read and (but SDF) written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/base/export.h"
#include "verne/model/model.h"
#include "verne/model/spec.h"

namespace verne {

/// Notes of readers that start so say that a file means other dynamics than the model has (tendons, masses of meshes,
/// …).
inline constexpr char kNotModelled[] = "not modelled";
/// Whether a note says so.
VERNE_API bool is_not_modelled(const Diagnostic& note);

/// Parse only: what is wrong or not understood is gathered in `diagnostics`, what could be read is returned. Whether it
/// makes a model (one root, no cycle, sound masses, ...) is decided by build_model(). `file` is for messages.
///
/// URDF: a limit of 1e9 or more in size means "no limit", as URDF has no other way to say that; a revolute or prismatic
/// joint whose `limit` has neither `lower` nor `upper` has no position limits. Both readings differ from the letter of
/// the URDF specification; the second gives a warning.
VERNE_API ModelSpec read_urdf(const std::string& text, const std::string& file, Diagnostics& diagnostics);
/// MuJoCo's format. What it says beyond a tree of bodies and its joints (tendons, contacts, …) is left out, with a
/// warning for what that changes. Files that it includes are read from the folder of `file`. A body with several joints
/// becomes as many links.
VERNE_API ModelSpec read_mjcf(const std::string& text, const std::string& file, Diagnostics& diagnostics);
/// SDF, versions 1.4 to 1.11: the model of a file, or those of its world that are not static. Models that it includes
/// are looked for as docs/model-format.md says. Joints whose child has a parent already close loops; what no joint
/// connects to the world moves freely in it.
VERNE_API ModelSpec read_sdf(const std::string& text, const std::string& file, Diagnostics& diagnostics);
/// The format is described in docs/model-format.md.
VERNE_API ModelSpec read_yaml(const std::string& text, const std::string& file, Diagnostics& diagnostics);

/// The link frames of a URDF file are the child-side joint frames, and its root link is fixed to nothing: frames that
/// lie elsewhere are moved there (mass, children and visuals stay where they are), and a root that is placed or moves
/// gets a link `world` before it. Named frames and contacts become massless links.
/// Loops are those of URDF+. What URDF cannot say and does not change the tree is added to `not_expressed`, when given.
/// Throws InputError for a joint of a type that URDF does not have, and for loops closed from a home that is not zero.
VERNE_API std::string write_urdf(const ModelSpec& spec, std::vector<std::string>* not_expressed = nullptr);
/// MuJoCo's format. The joints that it does not have become several in one body with the same coordinates (a helical
/// one a hinge and a slide that follows it), and so do those of massless links that carry one other; loops become sites
/// that coincide, which newer versions of MuJoCo read (2.2 does not); `home` becomes a key frame. What it cannot say is
/// added to `not_expressed`, when given. Throws InputError for a model that is not sound, for a free joint on a link
/// that moves, and for loops other than spherical, rigid and revolute ones.
VERNE_API std::string write_mjcf(const ModelSpec& spec, std::vector<std::string>* not_expressed = nullptr);
/// Convention `tree`; nothing of the specification is lost.
VERNE_API std::string write_yaml(const ModelSpec& spec);

/// Reads a model file: .urdf, .sdf, .world and .xml (by the root element), .yaml and .yml, anything else by its first
/// character.
/// Throws InputError with every error of the file; adds notes (what was not understood, ...) when given a place.
VERNE_API ModelSpec load_spec(const std::string& path, std::vector<Diagnostic>* notes = nullptr);
/// The same from text; `file` tells the format and is for messages. `parameters` replace those of a YAML file; in other
/// formats there are none.
VERNE_API ModelSpec read_spec(const std::string& text, const std::string& file,
                              std::vector<Diagnostic>* notes = nullptr,
                              const std::map<std::string, double>& parameters = {});

/// How a model is made from its file.
struct LoadOptions {
  bool floating_base = false;  ///< put a free joint under the root
  bool strict = false;         ///< implausible data are errors (see Model::plausibility_warnings())
};

/// load_spec() and build_model().
VERNE_API Model load_model(const std::string& path, const LoadOptions& options = {},
                           std::vector<Diagnostic>* notes = nullptr);

}  // namespace verne
