/// How the ground's force is shared while a phase lasts: docs/theory/gait.md, (3).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "motion/curve/contact_curve.h"
#include "motion/curve/phases.h"

namespace verne {

class Ground {
 public:
  /// No ground.
  Ground() = default;
  /// On some spans of a curve with these lengths.
  Ground(const GroundSpec& task, const SpanRange& spans, const Eigen::VectorXd& lengths, ContactCurve contacts = {});

  int supports() const { return static_cast<int>(task_.supports.size()); }
  const SupportSpec& support(int i) const { return task_.supports[i]; }
  double share(int i, const Place& place) const;
  /// In the axes of the support's site.
  Vec3<double> reference(int i, const Place& place) const;
  /// Those whose forces are variables.
  const ContactCurve& contacts() const { return contacts_; }

 private:
  /// The part of the phase that is over.
  double progress(const Place& place) const;

  GroundSpec task_;
  ContactCurve contacts_;
  SpanRange spans_;
  std::vector<double> begins_;  // of spans, as parts of the phase, and the end of the last
};

}  // namespace verne
