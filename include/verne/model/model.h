/// The immutable model of a tree of rigid bodies.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/base/export.h"
#include "verne/model/plausibility.h"
#include "verne/model/spec.h"

namespace verne {

struct Tree;

/// How strictly build_model() judges.
struct BuildOptions {
  bool strict = false;  ///< implausible data are errors
};

/// A joint of the model, in the order of its coordinates.
struct Joint {
  JointSpec spec;                         ///< as the file says it
  int parent_link = -1, child_link = -1;  ///< parent -1: the world
  int q = 0, v = 0;    ///< first index in the model's q and v; of a coupled joint: those of the joint it follows
  int nq = 0, nv = 0;  ///< own coordinates; 0 for fixed and for coupled joints
  /// Whether it follows another joint (mimic).
  bool coupled() const { return spec.mimic.has_value(); }
};

/// A link as the file names it. Links behind fixed joints keep their name, frame and own mass here.
struct Link {
  std::string name;  ///< unique in the model
  int parent = -1;   ///< link
  int joint = -1;    ///< that carries it
  int body = -1;     ///< rigid body that it is part of, counted from the root; -1 when fixed to the world
  double mass = 0;   ///< its own, kg
};

/// Immutable; may be shared by threads. Copies are cheap (shared contents).
class VERNE_API Model {
 public:
  /// The model's name, as its file says it.
  const std::string& name() const;
  /// Number of coordinates: entries of q.
  int nq() const;
  /// Number of velocities: entries of v, a and tau.
  int nv() const;
  /// Depth first, parents before children; joint i carries link i.
  std::span<const Joint> joints() const;
  /// Links, in the same order as the joints that carry them.
  std::span<const Link> links() const;
  /// Named frames.
  std::span<const FrameSpec> frames() const;
  /// Named contacts with the world; whether one holds is told by a System (structures/system.h).
  std::span<const ContactSpec> contacts() const;
  /// Joints that close loops; all functions of a Model are those of its tree alone (see structures/mechanism.h).
  std::span<const LoopSpec> loops() const;
  /// Acceleration of gravity in the world, m/s².
  const Vec3<double>& gravity() const;
  /// Mass of all links, and of those that can move.
  double mass() const;
  /// Mass of the links that can move.
  double moving_mass() const;
  /// Some joint follows another (mimic): q has fewer entries than the tree has coordinates.
  bool coupled() const;
  /// Limits, friction, rotor inertia and spring of each velocity, in the order of v.
  std::span<const DofSpec> dofs() const;
  /// A readable name for each velocity: the joint's, with a suffix when it has several.
  std::span<const std::string> dof_names() const;

  /// Implausible data, used as given, kind by kind (see grouped() in plausibility.h).
  std::span<const PlausibilityWarning> plausibility_warnings() const;
  /// The joints that nothing resists: with any of them the mass matrix is singular, and what needs its inverse (forward
  /// dynamics, its derivatives) throws an InputError that names them.
  std::span<const int> joints_without_inertia() const;

  /// Index of a joint or link; throws InputError with the nearest name when there is none.
  int joint(const std::string& name) const;
  /// Index of a link; throws InputError with the nearest name when there is none.
  int link(const std::string& name) const;
  /// Index of a link or named frame among the sites: links first, then frames.
  int site(const std::string& name) const;
  /// How many links and named frames there are.
  int site_count() const;
  /// The name of a link or named frame.
  const std::string& site_name(int site) const;

  /// What it was built from (links in the order of links()).
  const ModelSpec& spec() const;
  /// What the kernels walk; its layout is private.
  const Tree& tree() const;

 private:
  struct Contents;
  friend VERNE_API Model build_model(ModelSpec spec, std::vector<Diagnostic>* notes, const BuildOptions& options);
  friend class TreeCompiler;
  explicit Model(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  // Shared because Batch, Data and user code keep the model alive together and it never changes.
  std::shared_ptr<const Contents> contents_;
};

/// Validates and compiles a specification. Throws InputError with every error found: what cannot be computed. What can,
/// but no real body has, is in the model's plausibility_warnings(); what is worth knowing (an unscaled axis, no limits)
/// is added to `notes` when given.
VERNE_API Model build_model(ModelSpec spec, std::vector<Diagnostic>* notes = nullptr, const BuildOptions& options = {});

/// The same model with a free joint in place of the root's fixed joint.
VERNE_API ModelSpec with_floating_base(ModelSpec spec);

}  // namespace verne
