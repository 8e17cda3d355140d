/// One published algorithm beside the library's own, on one model.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/hybrid.h"
#include "formulations/counted.h"
#include "formulations/joint_wrench.h"
#include "formulations/screw.h"
#include "model/tree.h"
#include "verne/dynamics/dynamics.h"

namespace verne::reproduce {

struct CheckState {
  Eigen::VectorXd q, v, a, tau;
};

enum CheckedQuantity { kTorques, kAccelerations, kInternalForces, kSensitivities, kQuantities };
/// "torques", "internal forces", …
const char* name_of(CheckedQuantity quantity);
/// Largest difference over the largest entry, for what a formulation gives.
using Differences = std::array<std::optional<double>, kQuantities>;

class Formulation {
 public:
  virtual ~Formulation() = default;
  /// Throws InputError where the algorithm breaks down.
  virtual Differences compare(const CheckState& state) = 0;
  /// Its main algorithm alone, to be timed.
  virtual void run(const CheckState& state) const = 0;
  /// What that costs; none where it is not counted.
  virtual std::optional<formulations::OperationCount> count(const CheckState&) const { return std::nullopt; }
};

/// A formulation on a model, or the reason why it has none.
struct CheckedFormulation {
  std::string name, description;  ///< "Barman", "dh"
  std::string lacks;              ///< what the document has not and the comparison leaves out: "friction"
  std::unique_ptr<Formulation> formulation;
  std::string reason;
};

/// Every formulation of the four documents, for a model with a fixed or with a free base.
std::vector<CheckedFormulation> formulations_for(const Model& model);
/// The parts of it.
std::vector<CheckedFormulation> fixed_base_formulations(const Model& model);
std::vector<CheckedFormulation> moving_base_formulations(const Model& model);
std::vector<CheckedFormulation> elastic_formulations(const Model& model);
std::vector<CheckedFormulation> loop_formulations(const Model& model);

/// The same ones whenever `count` and the model are the same; closed where the model has loops.
std::vector<CheckState> random_states(const Model& model, int count);

/// Torques or accelerations and joint wrenches of the library.
struct LibraryAnswer {
  Eigen::VectorXd values;
  Matrix6X<double> wrenches;
};
class Library {
 public:
  explicit Library(Model model) : model_(std::move(model)), data_(model_) {}
  const Model& model() const { return model_; }
  Data<double>& data() { return data_; }
  LibraryAnswer inverse(const CheckState& state);
  LibraryAnswer forward(const CheckState& state);
  /// Of a motion that is given in part, all of it.
  HybridMotion<double> completed(const CheckState& state, const GivenAccelerations& given);

 private:
  Model model_;
  Data<double> data_;
};

/// What a model may have and a document not.
struct Lacks {
  bool friction = false, rotor_inertia = false, springs = false;
  bool ligaments = false;  ///< where there are no springs there are none of these either
};
/// The same model without it.
Model without(const Model& model, const Lacks& lacks);
/// Linear ones; ligaments are none.
bool has_springs(const Model& model);
/// What of it the model has, in words: "friction and springs".
std::string lacking(const Model& model, const Lacks& lacks);

inline std::span<const double> span_of(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline Eigen::VectorXd vector_of(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
inline Eigen::Matrix<double, 6, 1> vector_of(const formulations::Vec6<double>& v) {
  Eigen::Matrix<double, 6, 1> out;
  for (int i = 0; i < 6; ++i) out[i] = v[i];
  return out;
}
inline std::vector<formulations::Counted> counted(const Eigen::VectorXd& x) {
  std::vector<formulations::Counted> out;
  for (const double value : x) out.push_back(formulations::Counted::variable(value));
  return out;
}

/// Largest |found − expected| over the largest entry of `expected`, or over `scale` where that is larger. Throws
/// InputError when the library's numbers are not finite.
double relative_difference(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, double scale = 0);

/// The same for joint wrenches, given in the frames of the bodies by `of(body)`; joints that do not move are left out.
template <class Of>
double wrench_difference(const Model& model, const Matrix6X<double>& expected, Of&& of) {
  Matrix6X<double> found = expected;
  for (int k = 0; k < model.tree().joint_count; ++k) {
    const TreeJoint& joint = model.tree().joints[k];
    if (!joint.fixed && joint.body >= 0) found.col(k) = vector_of(formulations::in_joint_frame(joint, of(joint.body)));
  }
  return relative_difference(found, expected);
}

}  // namespace verne::reproduce
