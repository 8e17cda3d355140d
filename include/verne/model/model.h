/// The immutable model of a tree of rigid bodies.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/model/spec.h"
#include "verne/model/tree.h"

namespace verne {

/// A joint of the model, in the order of its coordinates.
struct Joint {
  JointSpec spec;
  int parent_link = -1, child_link = -1;  ///< parent -1: the world
  int q = 0, v = 0;    ///< first index in the model's q and v; of a coupled joint: those of the joint it follows
  int nq = 0, nv = 0;  ///< own coordinates; 0 for fixed and for coupled joints
  bool coupled() const { return spec.mimic.has_value(); }
};

/// A link as the file names it. Links behind fixed joints keep their name, frame and own mass here.
struct Link {
  std::string name;
  int parent = -1;  ///< link
  int joint = -1;
  int body = -1;  ///< index into tree().bodies, -1 when fixed to the world
  double mass = 0;
};

/// Immutable; may be shared by threads. Copies are cheap (shared contents).
class Model {
 public:
  const std::string& name() const { return contents_->spec.name; }
  int nq() const { return contents_->tree.model_nq; }
  int nv() const { return contents_->tree.model_nv; }
  /// Depth first, parents before children; joint i carries link i.
  std::span<const Joint> joints() const { return contents_->joints; }
  std::span<const Link> links() const { return contents_->links; }
  std::span<const FrameSpec> frames() const { return contents_->spec.frames; }
  std::span<const ContactSpec> contacts() const { return contents_->spec.contacts; }
  const Vec3<double>& gravity() const { return contents_->spec.gravity; }
  /// Mass of all links, and of those that can move.
  double mass() const { return contents_->mass; }
  double moving_mass() const { return contents_->moving_mass; }
  /// Some joint follows another (mimic): q has fewer entries than the tree has coordinates.
  bool coupled() const { return contents_->tree.coupled != 0; }
  /// Limits, friction and rotor inertia of each velocity, in the order of v.
  std::span<const DofSpec> dofs() const { return contents_->dofs; }
  /// A readable name for each velocity: the joint's, with a suffix when it has several.
  std::span<const std::string> dof_names() const { return contents_->dof_names; }

  /// Index of a joint or link; throws InputError with the nearest name when there is none.
  int joint(const std::string& name) const;
  int link(const std::string& name) const;
  /// Index of a link or named frame among the sites: links first, then frames.
  int site(const std::string& name) const;
  int site_count() const { return contents_->tree.site_count; }
  const std::string& site_name(int site) const;

  /// What it was built from (links in the order of links()).
  const ModelSpec& spec() const { return contents_->spec; }
  /// What the kernels walk.
  const Tree& tree() const { return contents_->tree; }

 private:
  friend Model build_model(ModelSpec spec, std::vector<Problem>* warnings);
  struct Contents {
    ModelSpec spec;
    std::vector<Joint> joints;
    std::vector<Link> links;
    std::vector<DofSpec> dofs;
    std::vector<std::string> dof_names;
    double mass = 0, moving_mass = 0;
    Tree tree{};
    std::vector<TreeBody> bodies;
    std::vector<TreeSite> sites;
    std::vector<TreeJoint> tree_joints;
    std::vector<TreeCoupling> q_coupling, v_coupling;
    std::vector<int> sites_by_body, v_parent, attached_link;
    std::vector<double> rotor_inertia, coulomb, viscous, friction_width;
  };
  friend class TreeCompiler;
  explicit Model(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  // Shared because Batch, Data and user code keep the model alive together and it never changes.
  std::shared_ptr<const Contents> contents_;
};

/// Validates and compiles a specification. Throws InputError with every problem found; adds suspicious but usable
/// things (unscaled axis, odd inertia) to `warnings` when given.
Model build_model(ModelSpec spec, std::vector<Problem>* warnings = nullptr);

/// The same model with a free joint in place of the root's fixed joint.
ModelSpec with_floating_base(ModelSpec spec);

}  // namespace verne
