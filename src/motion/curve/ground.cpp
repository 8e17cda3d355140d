#include "motion/curve/ground.h"

#include <algorithm>
#include <utility>

namespace verne {

Ground::Ground(const GroundSpec& task, const SpanRange& spans, const Eigen::VectorXd& lengths, ContactCurve contacts)
    : task_(task), contacts_(std::move(contacts)), spans_(spans), begins_{0} {
  const double whole = lengths.segment(spans.first, spans.end - spans.first).sum();
  for (int s = spans.first; s < spans.end; ++s) begins_.push_back(begins_.back() + lengths[s] / whole);
}

double Ground::progress(const Place& place) const {
  const auto s = static_cast<std::size_t>(place.span - spans_.first);
  return std::clamp(begins_[s] + place.fraction * (begins_[s + 1] - begins_[s]), 0.0, 1.0);
}

double Ground::share(int i, const Place& place) const {
  const SupportSpec& support = task_.supports[i];
  const double t = progress(place), ramp = t * t * (3 - 2 * t);
  return support.share_from + ramp * (support.share_to - support.share_from);
}

Vec3<double> Ground::reference(int i, const Place& place) const {
  const SupportSpec& support = task_.supports[i];
  return support.from + (support.to - support.from) * progress(place);
}

}  // namespace verne
