// What palms can do that press against something: docs/theory/gait.md, (31).
#include <algorithm>
#include <array>

#include "motion/terms/task_terms.h"

namespace verne {

namespace {

/// Rows that are sums of inputs with constant factors and not negative.
class PalmLimit : public LimitTerm {
 public:
  PalmLimit(LimitName name, std::vector<int> inputs, std::vector<std::vector<double>> factors)
      : LimitTerm(std::move(name), std::move(inputs), static_cast<int>(factors.size())), factors_(std::move(factors)) {}

  void value(const double* u, double* rows) const override {
    for (std::size_t r = 0; r < factors_.size(); ++r) {
      rows[r] = 0;
      for (std::size_t k = 0; k < factors_[r].size(); ++k) rows[r] += factors_[r][k] * u[k];
    }
  }
  void jacobian(const double*, double* J) const override {
    for (const std::vector<double>& row : factors_) J = std::copy(row.begin(), row.end(), J);
  }
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override { return {0, kInfinity}; }
  double measured(const double* u) const override {
    std::vector<double> rows(factors_.size());
    value(u, rows.data());
    return *std::min_element(rows.begin(), rows.end());
  }
  Interval measured_bounds() const override { return {0, kInfinity}; }

 private:
  std::vector<std::vector<double>> factors_;
};

/// A part of the force at a palm and of the moment about its place, by the force and the moment about the grip's
/// origin.
std::array<double, 6> part(const Vec3<double>& of_force, const Vec3<double>& of_moment, const Vec3<double>& place) {
  const Vec3<double> f = of_force + cross(place, of_moment);  // m · (M − p × F) = m · M + (p × m) · F
  return {f.x, f.y, f.z, of_moment.x, of_moment.y, of_moment.z};
}

/// The rows of a palm for a wrench on the object.
std::array<std::vector<std::array<double, 6>>, 3> palm_rows(const GripSpec& grip, int hand) {
  const Vec3<double>& n = grip.push[hand];
  const Vec3<double> other = std::abs(n.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  Vec3<double> t = cross(n, other);
  t = t * (1 / std::sqrt(dot(t, t)));
  const Vec3<double> s = cross(n, t), none{0, 0, 0}, at = grip.place[hand];
  std::array<std::vector<std::array<double, 6>>, 3> rows;
  for (const double i : {-1.0, 1.0}) {
    for (const double k : {-1.0, 1.0}) rows[0].push_back(part(n * grip.friction + t * i + s * k, none, at));
    for (const Vec3<double>& about : {t, s}) rows[1].push_back(part(n * grip.palm, about * i, at));
    rows[2].push_back(part(n * (grip.friction * grip.palm), n * i, at));
  }
  return rows;
}

}  // namespace

void add_grips(const Task& task, ChannelLayout& channels, LimitTerms& terms) {
  const ContactCurve& borne = channels.ground().contacts();
  constexpr const char* kNames[] = {"grip_friction", "grip_pressure", "grip_torsion"};
  for (int g = 0; g < borne.grips(); ++g) {
    const GripSpec& grip = borne.grip(g);
    if (grip.friction >= kInfinity) continue;
    const int joint = task.model.links()[task.model.link(grip.object)].joint, tree = channels.wrench(joint);
    for (int hand = 0; hand < 2; ++hand) {
      const auto rows = palm_rows(grip, hand);
      for (int kind = 0; kind < 3; ++kind) {
        std::vector<int> inputs;
        for (int k = 0; k < 6; ++k) inputs.push_back(channels.contact(borne.of_grip(g) + k));
        for (int k = 0; k < 6 && hand == 0; ++k) inputs.push_back(tree + k);
        std::vector<std::vector<double>> factors;
        for (const std::array<double, 6>& row : rows[kind]) {
          // The object feels the opposite of what the second hand does, and from the first one the rest.
          const double sign = hand == 0 ? 1 : -1, scale = 1 / (borne.grip_unit(0) * (kind == 0 ? 1 : grip.palm));
          std::vector<double>& factor = factors.emplace_back();
          for (int k = 0; k < 6; ++k) factor.push_back(sign * scale * row[k] * borne.grip_unit(k));
          if (hand > 0) continue;
          const Vec3<double>& r = grip.place[0];  // where the tree's wrench is given
          const Vec3<double> about{row[3], row[4], row[5]};
          const Vec3<double> f = Vec3<double>{row[0], row[1], row[2]} + cross(about, r);
          for (const double k : {f.x, f.y, f.z, about.x, about.y, about.z}) factor.push_back(scale * k);
        }
        terms.push_back(std::make_unique<PalmLimit>(LimitName{kNames[kind], hand == 0 ? grip.first : grip.second, ""},
                                                    std::move(inputs), std::move(factors)));
      }
    }
  }
}

}  // namespace verne
