/// The one list of what can be computed of states: names, shapes, units, and where each is known. The program, Python,
/// generated code and their help read it.
#pragma once

#include <span>
#include <string>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// What can be computed, in the order of quantities().
enum class Quantity {
  tau,
  acceleration,
  bias,
  gravity,
  mass_matrix,
  inverse_mass_matrix,
  coriolis_matrix,
  joint_wrenches,
  pose,
  link_poses,
  link_velocities,
  link_accelerations,
  jacobian,
  jacobian_rate,
  energy,
  momentum,
  com,
  centroidal_momentum_matrix,
  d_tau,
  d_acceleration,
  d_joint_wrenches,
  d_loop_wrenches,
  d_link_poses,
  d_link_velocities,
  d_link_accelerations,
  d_com,
  d_momentum,
  regressor,
  tree,
  loop_wrenches,
  undetermined,
  null_space_torques
};

/// Where a quantity is known; bits of QuantityInfo::known.
enum KnownFor : unsigned {
  kKnownTrees = 1,       ///< of models without loops
  kKnownLoops = 2,       ///< of models with closed loops
  kKnownContacts = 4,    ///< of contacts that are held, beside what the tree has
  kKnownArrays = 8,      ///< as arrays of many states (Evaluation)
  kKnownCompiled = 16,   ///< by compile()
  kKnownDevice = 32,     ///< on a GPU (DeviceBatch)
  kKnownCode = 64,       ///< as source code (generate_code())
  kKnownSymbolic = 128,  ///< as source code with parameters that may change
};

/// What the first axis of a quantity's arrays counts.
enum class QuantityItems {
  none,    ///< there is none: the axes are those of the quantity
  joints,  ///< all joints, fixed ones too
  sites,   ///< links, then named frames (Model::site)
  loops    ///< loops, then the contacts that are held
};

/// A quantity: n is the number of velocities (with loops: of independent ones), m that of torques.
struct QuantityInfo {
  Quantity quantity;                          ///< its place in the list
  const char* name;                           ///< as `--want` takes it; with `of_frame` NAME:FRAME
  const char* shape;                          ///< of one state, of each part; in words where it has items
  const char* unit;                           ///< SI; angular ones after the comma
  const char* inputs;                         ///< what it is computed from
  const char* meaning;                        ///< in a few words
  unsigned known;                             ///< KnownFor
  bool of_frame = false;                      ///< of one link or frame, which is named
  QuantityItems items = QuantityItems::none;  ///< of its arrays

  /// Whether all these bits of KnownFor are set.
  bool is_known(unsigned where) const { return (known & where) == where; }
};

/// All of them.
VERNE_API std::span<const QuantityInfo> quantities();
/// One of them.
VERNE_API const QuantityInfo& info_of(Quantity quantity);
/// Names that are known there, for help: "tau, acceleration, jacobian:FRAME".
VERNE_API std::string known_quantities(unsigned where = 0);

/// A quantity that is asked for.
struct WantedQuantity {
  Quantity quantity;  ///< which
  std::string key;    ///< as asked for, and as answered
  int site = -1;      ///< of `of_frame` (Model::site)
};

/// Reads `tau` or `jacobian:tool`; `subject` begins messages, as in `--want: `. Throws InputError for what is not known
/// (with `where` not there), or not of this model.
VERNE_API WantedQuantity wanted_quantity(const std::string& word, const Model& model, const std::string& subject,
                                         unsigned where = 0);

}  // namespace verne
