#include "motion/terms/angle_limit.h"
#include "motion/terms/axis.h"
#include "motion/terms/channel_limit.h"
#include "motion/terms/orientation.h"
#include "motion/terms/task_terms.h"

namespace verne {

namespace {

constexpr LimitKind kFramePosition{
    .name = "frame_position", .known_from = 1, .of_posture = true, .part_of_frame = "position"};
constexpr LimitKind kFrameOrientation{
    .name = "frame_orientation", .known_from = 1, .of_posture = true, .part_of_frame = "orientation"};
constexpr LimitKind kFrameAxis{.name = "frame_axis", .known_from = 1, .of_posture = true, .part_of_frame = "axis"};
constexpr LimitKind kFrameVelocity{.name = "frame_velocity", .known_from = 2, .part_of_frame = "velocity"};

bool wanted(bool equation, FrameRows rows) {
  return rows == FrameRows::all || equation == (rows == FrameRows::equations);
}

/// Of a vector in the world that begins at channel `first()`, which is not asked for without need.
template <class First>
void add_coordinates(LimitTerms& terms, const LimitName& name, const std::vector<Interval>& asked, double tolerance,
                     const Vec3<double>& per_second, FrameRows rows, First&& first) {
  constexpr char kAxisNames[] = "xyz";
  for (int i = 0; i < static_cast<int>(asked.size()); ++i) {
    const Interval bounds{asked[i].lower - tolerance, asked[i].upper + tolerance};
    if (!bounds.bounded() || !wanted(bounds.fixed(), rows)) continue;
    terms.push_back(std::make_unique<ChannelLimit>(LimitName{*name.known_as, name.of + "." + kAxisNames[i], name.unit},
                                                   first() + i, bounds, per_second[i]));
  }
}

std::vector<int> direction_channels(int site, const Vec3<double>& direction, ChannelLayout& channels) {
  const int first = channels.direction(site, direction);
  return {first, first + 1, first + 2};
}

std::vector<int> axis_channels(int site, ChannelLayout& channels) {
  std::vector<int> axes;
  for (int k = 0; k < 3; ++k) {
    Vec3<double> axis{0, 0, 0};
    axis[k] = 1;
    for (const int channel : direction_channels(site, axis, channels)) axes.push_back(channel);
  }
  return axes;
}

}  // namespace

std::string label_of(const Model& model, const FrameGoalSpec& frame) {
  return frame.contact.empty() ? std::string(model.site_name(frame.site)) : frame.contact;
}

LimitTerms frame_posture_limits(const Task& task, const FrameGoalSpec& frame, ChannelLayout& channels, FrameRows rows) {
  LimitTerms terms;
  const std::string label = label_of(task.model, frame);
  add_coordinates(terms, {kFramePosition, label, "m"}, frame.position, frame.position_tolerance, frame.per_second, rows,
                  [&] { return channels.point(frame.site, frame.point); });
  const double tolerance = frame.angle_tolerance;
  if (!wanted(tolerance == 0, rows)) return terms;
  if (frame.orientation) {
    LimitName name{kFrameOrientation, label, "rad"};
    std::vector<int> axes = axis_channels(frame.site, channels);
    if (tolerance > 0) {
      terms.push_back(std::make_unique<AngleLimit>(std::move(name), std::move(axes), *frame.orientation, tolerance));
    } else {
      terms.push_back(std::make_unique<OrientationEquation>(std::move(name), std::move(axes), *frame.orientation));
    }
  }
  if (frame.axis) {
    LimitName name{kFrameAxis, label, "rad"};
    std::vector<int> axis = direction_channels(frame.site, frame.axis->axis, channels);
    if (tolerance > 0) {
      terms.push_back(std::make_unique<AngleLimit>(std::move(name), std::move(axis), frame.axis->points, tolerance));
    } else {
      terms.push_back(std::make_unique<AxisEquation>(std::move(name), std::move(axis), frame.axis->points));
    }
  }
  return terms;
}

LimitTerms frame_limits(const Task& task, const FrameGoalSpec& frame, ChannelLayout& channels, FrameRows rows) {
  LimitTerms terms = frame_posture_limits(task, frame, channels, rows);
  add_coordinates(terms, {kFrameVelocity, label_of(task.model, frame), "m/s"}, frame.velocity, 0, {0, 0, 0}, rows,
                  [&] { return channels.velocity(frame.site, frame.point); });
  return terms;
}

}  // namespace verne
