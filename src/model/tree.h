/// What the kernels walk: a model flattened into primitive joints, as plain arrays.
///
/// Building a `Model` merges fixed joints into rigid bodies, splits cylindrical, universal and planar joints into
/// one-degree primitives with massless bodies between them, and turns every body frame B so that its joint moves about
/// or along z. Bodies stand parents first and depth first, so that a subtree is a contiguous range.
/// This header is read by files built for several instruction sets: no standard library, nothing but raw numbers.
#pragma once

namespace verne {

enum class JointKind : int { revolute, prismatic, helical, spherical, free };

/// I = spread 1 − u uᵀ − w wᵀ with w_z = 0: cheaper to rotate than I.
struct InertiaFactors {
  double spread, u[3], w[2];
};

/// Which axes of the parent a frame's x, y and z are: joints at right angles take turns (frame_with_z_along()).
enum class AxesOfFrame { xyz, yzx, zxy, other };

/// A rigid body and the primitive joint that carries it.
struct TreeBody {
  JointKind kind;
  int parent;       ///< -1: the world
  int subtree_end;  ///< one past the last body of the subtree
  int q, v;         ///< first tree coordinate and velocity
  int nv;
  int massless;
  int branches;              ///< some child is not the next body, so that sweeps must keep this body's state for it
  int begins_limb;           ///< its parent branches, and it is the first of an unbranched chain
  int first_site, end_site;  ///< its range in Tree::sites_by_body
  double pitch;
  double R[9], p[3];         ///< joint frame in the parent's body frame, row-major
  AxesOfFrame axes;          ///< what R does to axes
  double mass, mc[3], I[6];  ///< about the body's origin; I = xx xy xz yy yz zz
  double E[6];               ///< sum of m r rᵀ = ½ tr(I) 1 − I, same order
  InertiaFactors factors;    ///< of I
  double com[3];             ///< centre of mass
  InertiaFactors central;    ///< of the inertia about it
  double subtree_mass;
};

/// A frame whose pose, velocity and acceleration are given out: first all links, then all named frames.
struct TreeSite {
  int body;                    ///< -1: fixed in the world
  int link;                    ///< of a link its own index, of a frame that of its link
  int same_axes, same_origin;  ///< R is the identity, p is zero
  double R[9], p[3];           ///< in the body frame
};

/// A joint of the model, for the wrench through it.
struct TreeJoint {
  int body;       ///< body on the child side (of the last primitive), or the one that a fixed joint was merged into
  int fixed;      ///< merged: the wrench is that of the links [first_link, end_link) of the same body, and beyond
  int same_axes;  ///< R is the identity
  int first_link, end_link;
  double R[9], p[3];         ///< child-side joint frame in the body frame
  double mass, mc[3], E[6];  ///< merged only: inertia of those links about the body's origin
};

/// q_tree[k] = ratio * q[source] + offset; likewise v without the offset.
struct TreeCoupling {
  int source;
  int own;  ///< the tree coordinate is the model's coordinate itself, not one that follows it
  double ratio, offset;
};

struct Tree {
  unsigned long long id;  ///< another one for every model that is built
  int body_count, site_count, link_count, joint_count;
  int nq, nv;              ///< tree coordinates
  int model_nq, model_nv;  ///< independent coordinates, those of the user
  int coupled;             ///< whether the two differ
  int has_friction, has_rotor;
  int has_spring, has_ligament;  ///< has_spring: of either kind, linear or a ligament
  int has_merged;                ///< some joint is fixed
  double gravity[3];
  const TreeBody* bodies;
  const TreeSite* sites;
  const int* sites_by_body;  ///< indices of sites, body by body; those of the world come last
  const TreeJoint* joints;
  const TreeCoupling* q_coupling;  ///< nq entries
  const TreeCoupling* v_coupling;  ///< nv entries
  const int* v_parent;             ///< for each velocity, the one before it on the way to the root, or -1
  const int* v_position;           ///< for each velocity, the coordinate whose rate it is; with a quaternion the first
  const int* attached_link;        ///< for each body, the link of the parent body that carries it
  const double *rotor_inertia, *coulomb, *viscous, *friction_width, *stiffness, *rest;  ///< nv entries
  const double *ligament, *slack_lower, *slack_upper;                                   ///< likewise
};

}  // namespace verne
