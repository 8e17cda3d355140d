/// A model with a slider for every degree of freedom (of a mechanism with closed loops, every independent one): what
/// the page of `verne view` shows and asks for.
#pragma once

#include <memory>
#include <string>

#include "verne/base/export.h"
#include "verne/base/values.h"
#include "verne/model/model.h"

namespace verne {

struct NamedState;

/// A model that answers where its parts are for positions of sliders.
class VERNE_API LiveModel {
 public:
  /// Throws InputError where loops of the model cannot be closed.
  explicit LiveModel(const Model& model);
  LiveModel(LiveModel&&) noexcept;
  LiveModel& operator=(LiveModel&&) noexcept;
  ~LiveModel();

  /// Named configurations to choose from, besides the model's own.
  void add_states(const std::vector<NamedState>& states);

  /// The page, which asks the server that it came from for states. `meshes` is what meshes_json() made of the model.
  std::string page(const std::string& program, const std::string& meshes = "") const;

  /// Answers `{"values": [...]}`, one number for each slider: poses, positions of all joints, gravity torques, wrenches
  /// of joints and loops at rest, centre of mass and mass matrix as JSON, and in `notes` what there is to say. Loops
  /// are closed next to where they were, or to the state of number `near`, 0 for the model's own. Throws InputError
  /// when the request is anything else, or loops cannot be closed.
  std::string state(const std::string& request);

  /// The configuration of slider values: of a spherical joint they are a rotation vector, of a free joint a position
  /// and a rotation vector, of other joints the coordinates themselves.
  Values configuration(const Values& values) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace verne
