#include "motion/program/corridor_limits.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "motion/program/program_costs.h"
#include "motion/terms/channel_limit.h"
#include "motion/terms/corridor.h"

namespace verne {

namespace {

constexpr double kTypicalRoom = 0.1;      // m, that shapes have beside planes
constexpr std::size_t kFrameInputs = 12;  // an origin and three ends of axes, three coordinates each
using FrameWeights = std::array<double, kFrameInputs>;

/// Of n · x by origin and ends of axes: x = o (1 − Σ c) + Σ c_i e_i.
FrameWeights weights_of(const Vec3<double>& corner, const Vec3<double>& n, double sign) {
  const double of_end[4] = {1 - corner.x - corner.y - corner.z, corner.x, corner.y, corner.z};
  FrameWeights weights;
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < 3; ++i) weights[3 * k + i] = sign * of_end[k] * n[static_cast<int>(i)];
  }
  return weights;
}

/// Links that planes are about: of each, origin and ends of axes as channels.
class LinkFrames {
 public:
  explicit LinkFrames(ChannelLayout& channels) : channels_(channels) {}
  /// The first of its terms.
  int of(int link) {
    const auto [found, is_new] = first_.try_emplace(link, static_cast<int>(terms.size()));
    if (is_new) {
      for (const Vec3<double>& p : {Vec3<double>{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
        const int channel = channels_.point(link, p);
        for (int i = 0; i < 3; ++i)
          terms.push_back(std::make_unique<ChannelLimit>(LimitName{}, channel + i, Interval{}));
      }
    }
    return found->second;
  }
  std::vector<std::unique_ptr<LimitTerm>> terms;

 private:
  ChannelLayout& channels_;
  std::map<int, int> first_;
};

/// One corner beyond one plane, or a corner of one link beyond one of another link.
struct CorridorRow {
  int node;
  int link, other;  ///< first terms of their frames; other −1: none
  FrameWeights by_link, by_other;
  double least;
  std::string of;
};

/// Rows of one stage. They are linear in few channels of their node, which many share.
class CorridorRows : public nlp::Function {
 public:
  CorridorRows(const Model& model, const ChannelLayout& channels, const CurveVariables& curve,
               std::vector<Place> places, std::vector<std::unique_ptr<LimitTerm>> frames, std::vector<CorridorRow> rows)
      : at_(model, channels, curve, std::move(places), std::move(frames)),
        rows_(std::move(rows)),
        frames_(static_cast<std::size_t>(at_.rows())),
        weights_(static_cast<std::size_t>(at_.rows()), 0.0),
        by_state_(static_cast<std::size_t>(kStateOrders * channels.nv())),
        multipliers_(at_.rows(), at_.nodes().count()) {
    for (const CorridorRow& row : rows_) {
      std::vector<int> both = at_.dofs(row.link);
      if (row.other >= 0) {
        both.clear();
        std::ranges::set_union(at_.dofs(row.link), at_.dofs(row.other), std::back_inserter(both));
      }
      dofs_.push_back(std::move(both));
    }
    std::size_t most = 0;
    for (int span = 0; span < curve.basis.spans(); ++span) most = std::max(most, at_.nodes().variables(span).size());
    gradient_.resize(most);
  }

  int rows() const override { return static_cast<int>(rows_.size()); }
  std::string row_name(int row) const override {
    const CorridorRow& one = rows_[static_cast<std::size_t>(row)];
    return "clearance of " + one.of + " at place " + std::to_string(one.node + 1);
  }
  std::vector<nlp::Entry> jacobian_pattern() const override {
    std::vector<nlp::Entry> pattern;
    for_each_entry([&](std::size_t row, const std::vector<int>& variables, std::size_t k) {
      pattern.push_back({static_cast<int>(row), variables[k]});
    });
    return pattern;
  }
  std::vector<nlp::Entry> hessian_pattern() const override { return at_.hessians().pattern(); }

  void evaluate(std::span<const double> x, std::span<double> values) override {
    at_.update(x, TermNodes<LimitTerm>::Level::values);
    int node = -1;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const CorridorRow& row = rows_[r];
      if (row.node != node) at_.values(node = row.node, frames_.data());
      values[r] = 0;
      for (std::size_t k = 0; k < kFrameInputs; ++k) {
        values[r] += row.by_link[k] * frames_[static_cast<std::size_t>(row.link) + k];
        if (row.other >= 0) values[r] += row.by_other[k] * frames_[static_cast<std::size_t>(row.other) + k];
      }
    }
  }
  void jacobian(std::span<const double> x, std::span<double> entries) override {
    at_.update(x, TermNodes<LimitTerm>::Level::first);
    auto entry = entries.begin();
    std::size_t latest = rows_.size();
    for_each_entry([&](std::size_t r, const std::vector<int>&, std::size_t k) {
      if (r != latest) {
        put_weights(rows_[r], 1);
        at_.gradient(rows_[r].node, weights_.data(), by_state_.data());
        at_.nodes().pull_back(rows_[r].node, by_state_.data(), gradient_.data());
        put_weights(rows_[r], 0);
        latest = r;
      }
      *entry++ = gradient_[k];
    });
  }
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override {
    at_.update(x, TermNodes<LimitTerm>::Level::second);
    multipliers_.setZero();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const CorridorRow& row = rows_[r];
      for (std::size_t k = 0; k < kFrameInputs; ++k) {
        multipliers_(row.link + static_cast<int>(k), row.node) += multipliers[r] * row.by_link[k];
        if (row.other >= 0) multipliers_(row.other + static_cast<int>(k), row.node) += multipliers[r] * row.by_other[k];
      }
    }
    at_.hessian(multipliers_, entries);
  }

 private:
  void put_weights(const CorridorRow& row, double factor) {
    for (std::size_t k = 0; k < kFrameInputs; ++k) {
      weights_[static_cast<std::size_t>(row.link) + k] = factor * row.by_link[k];
      if (row.other >= 0) weights_[static_cast<std::size_t>(row.other) + k] = factor * row.by_other[k];
    }
  }
  /// entry(row, variables of its span, which of them) for all that a row depends on, row by row.
  template <class Visit>
  void for_each_entry(const Visit& entry) const {
    const auto points = static_cast<std::size_t>(at_.nodes().points()),
               nv = static_cast<std::size_t>(at_.nodes().dofs());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const std::vector<int>& variables = at_.nodes().variables(at_.nodes().places()[rows_[r].node].span);
      for (std::size_t c = 0; c < points; ++c) {
        for (const int dof : dofs_[r]) entry(r, variables, c * nv + static_cast<std::size_t>(dof));
      }
      for (std::size_t k = points * nv; k < variables.size(); ++k) entry(r, variables, k);
    }
  }

  TermNodes<LimitTerm> at_;  // the channels themselves
  std::vector<CorridorRow> rows_;
  std::vector<std::vector<int>> dofs_;  // of rows
  std::vector<double> frames_, weights_, by_state_, gradient_;
  Eigen::MatrixXd multipliers_;
};

/// Adds the rows of a plane.
void add_rows(const SeparatingPlane& plane, int node, LinkFrames& frames, std::vector<CorridorRow>& rows) {
  const int link = frames.of(plane.link), other = plane.other < 0 ? -1 : frames.of(plane.other);
  for (const Vec3<double>& corner : plane.corners) {
    CorridorRow row{node, link, other, weights_of(corner, plane.normal, 1), {}, plane.least, plane.of};
    if (other < 0) rows.push_back(row);
    for (const Vec3<double>& far : plane.others) {
      row.by_other = weights_of(far, plane.normal, -1);
      rows.push_back(row);
    }
  }
}

}  // namespace

void add_corridor(Program& program, const Task& task, const Trajectory& curve) {
  for (std::size_t k = 0; task.corridor && k < program.stages.size(); ++k) {
    const Stage& stage = program.stages[k].stage;
    ChannelLayout channels = channels_on(stage, program.curve);
    LinkFrames frames(channels);
    std::vector<Place> places;
    std::vector<CorridorRow> rows;
    for (const CorridorPlace& place : task.corridor->places) {
      if (place.stage != k || place.planes.empty()) continue;
      for (const SeparatingPlane& plane : place.planes) add_rows(plane, static_cast<int>(places.size()), frames, rows);
      places.push_back(stage.spans.place(curve, place.at));
    }
    if (rows.empty()) continue;
    Eigen::VectorXd least(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) least[static_cast<Eigen::Index>(r)] = rows[r].least;
    Eigen::VectorXd most = Eigen::VectorXd::Constant(least.size(), kInfinity);
    auto function = std::make_unique<CorridorRows>(stage.task.model, channels, program.curve, std::move(places),
                                                   std::move(frames.terms), std::move(rows));
    program.problem.add_constraint({"clearance", std::move(function), std::move(least), std::move(most), kTypicalRoom});
  }
}

}  // namespace verne
