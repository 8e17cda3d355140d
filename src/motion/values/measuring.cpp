#include "motion/values/measuring.h"

#include <algorithm>

#include "motion/values/announce.h"
#include "nlp/kernels/panel_kernels.h"

namespace verne {

namespace {

constexpr int kPointsPerInterval = 20;
constexpr std::size_t kBlock = 64;

}  // namespace

Measuring::Measuring(const Task& task, const Trajectory& trajectory, const SpanRange& spans,
                     const std::function<LimitTerms(ChannelLayout&)>& make_terms)
    : model_(task.model),
      curve_(CurveVariables::with_duration(trajectory.basis(), trajectory.coordinates(), trajectory.lengths())),
      channels_(channels_of(task, spans, trajectory.lengths(), curve_.size())),
      terms_(make_terms(channels_)),
      x_(Eigen::VectorXd::Zero(curve_.size() + channels_.ground().contacts().size())),
      lengths_(trajectory.lengths()) {
  x_.head(curve_.size()) = curve_.variables(trajectory);
  const ContactCurve& contacts = channels_.ground().contacts();
  if (contacts.size() > 0 && task.ground->contact_forces) {
    x_.tail(contacts.size()) = contacts.variables(*task.ground->contact_forces);
  }
}

void Measuring::put_state(const Place& place, double* z) {
  basis_.evaluate(curve_.basis, place.span, place.fraction, lengths_, SplineBasis::Want::values);
  const double* const points = x_.data() + curve_.control_point(basis_.first_control_point, 0);
  std::fill_n(z, z_.rows(), 0.0);
  for (int d = 0; d < kStateOrders; ++d) {
    nlp::panel_kernels().combine_rows(points, static_cast<int>(basis_.value.cols()), curve_.dofs,
                                      {basis_.value.data() + d, kStateOrders, 0, 1}, z + d * channels_.nv());
  }
  const ContactCurve& contacts = channels_.ground().contacts();
  if (contacts.components() == 0) return;
  const Eigen::VectorXd functions = contacts.functions(place);
  for (int i = 0; i < contacts.components(); ++i) {
    for (int c = 0; c < contacts.points(); ++c) {
      z[curve_.dofs + i] += functions[c] * x_[contacts.variable(place.span, c, i)];
    }
  }
}

Eigen::MatrixXd Measuring::at(const std::vector<Place>& places) {
  Eigen::MatrixXd measured(terms_.size(), places.size());
  if (terms_.empty() || places.empty()) return measured;
  if (const std::size_t size = std::min(kBlock, places.size()); block_.size() < size) {
    block_.resize(size);
    z_.resize(static_cast<Eigen::Index>(kStateOrders) * channels_.nv(), static_cast<Eigen::Index>(size));
    values_.emplace(model_, channels_, static_cast<int>(size));
  }
  std::vector<double> u;
  for (std::size_t first = 0; first < places.size(); first += block_.size()) {
    const std::size_t count = std::min(block_.size(), places.size() - first);
    for (std::size_t n = 0; n < block_.size(); ++n) {  // the last one fills up what is left of a block
      block_[n] = places[first + std::min(n, count - 1)];
      put_state(block_[n], z_.col(static_cast<Eigen::Index>(n)).data());
    }
    values_->place(block_);
    values_->set_duration(lengths_.sum());
    values_->evaluate(z_);
    announce_all(terms_, values_->y(), static_cast<Eigen::Index>(count));
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const std::vector<int>& inputs = terms_[t]->inputs();
      u.resize(inputs.size());
      for (std::size_t n = 0; n < count; ++n) {
        for (std::size_t k = 0; k < inputs.size(); ++k) u[k] = values_->y()(inputs[k], n);
        measured(t, first + n) = terms_[t]->measured(u.data());
      }
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
