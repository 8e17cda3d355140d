#include "motion/measuring.h"

#include <algorithm>

#include "motion/node_values.h"
#include "motion/nodes.h"

namespace verne {

namespace {

constexpr int kPointsPerInterval = 20;

}  // namespace

Measuring::Measuring(const Task& task, const Trajectory& trajectory, const SpanRange& spans,
                     const std::function<LimitTerms(Channels&)>& make_terms)
    : model_(task.model),
      curve_(CurveVariables::with_duration(trajectory.basis(), trajectory.coordinates(), trajectory.lengths())),
      channels_(channels_of(task, spans, trajectory.lengths(), curve_.size())),
      terms_(make_terms(channels_)),
      x_(Eigen::VectorXd::Zero(curve_.size() + channels_.ground().contacts().size())) {
  x_.head(curve_.size()) = curve_.variables(trajectory);
  const ContactCurve& contacts = channels_.ground().contacts();
  if (contacts.size() > 0 && task.ground->contact_forces) {
    x_.tail(contacts.size()) = contacts.variables(*task.ground->contact_forces);
  }
}

Eigen::MatrixXd Measuring::at(const std::vector<Place>& places) const {
  Nodes nodes(curve_, places, channels_.ground().contacts());
  nodes.evaluate({x_.data(), static_cast<std::size_t>(x_.size())}, SplineBasis::Want::values);
  NodeValues values(model_, channels_, nodes.count());
  values.place(places);
  values.evaluate(nodes.z());
  Eigen::MatrixXd measured(terms_.size(), places.size());
  std::vector<double> u;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const std::vector<int>& inputs = terms_[t]->inputs();
    u.resize(inputs.size());
    for (std::size_t n = 0; n < places.size(); ++n) {
      for (std::size_t k = 0; k < inputs.size(); ++k) u[k] = values.y()(inputs[k], n);
      measured(t, n) = terms_[t]->measured(u.data());
    }
  }
  return measured;
}

std::vector<Place> dense_places(const SpanRange& spans, const std::vector<Place>& nodes) {
  std::vector<std::vector<double>> marks(spans.end - spans.first, {0.0, 1.0});
  for (const Place& node : nodes) {
    if (spans.holds(node)) marks[node.span - spans.first].push_back(node.fraction);
  }
  std::vector<Place> places;
  for (int span = spans.first; span < spans.end; ++span) {
    std::vector<double>& m = marks[span - spans.first];
    std::sort(m.begin(), m.end());
    m.erase(std::unique(m.begin(), m.end()), m.end());
    for (std::size_t k = 0; k + 1 < m.size(); ++k) {
      for (int i = 0; i < kPointsPerInterval; ++i) {
        places.push_back({span, m[k] + (m[k + 1] - m[k]) * i / kPointsPerInterval});
      }
    }
    places.push_back({span, 1.0});
  }
  return places;
}

}  // namespace verne
