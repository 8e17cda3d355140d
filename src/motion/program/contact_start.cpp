#include "motion/program/contact_start.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "motion/values/ground_forces.h"
#include "verne/dynamics/batch.h"

namespace verne {

namespace {

constexpr double kEven = 1e-2;              // how much an even distribution counts beside the right wrench in one round
constexpr double kArm = 0.1;                // m, that moments are divided by
constexpr int kRounds = 50, kSweeps = 100;  // more than a foot needs
constexpr int kPoseOfSite = 12;             // rows

/// What is not negative, nearest to A x = b and the least of all that are as near: one coordinate after the other, by
/// the method of multipliers.
Eigen::VectorXd nearest(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::Index size = A.cols();
  const double even = kEven * A.squaredNorm() / static_cast<double>(size);
  const Eigen::MatrixXd H = A.transpose() * A + even * Eigen::MatrixXd::Identity(size, size);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(size), wanted = b;
  for (int round = 0; round < kRounds; ++round) {  // each takes back what being even left over
    const Eigen::VectorXd g = A.transpose() * wanted;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (Eigen::Index k = 0; k < size; ++k) x[k] = std::max(0.0, x[k] + (g[k] - H.row(k).dot(x)) / H(k, k));
    }
    wanted += b - A * x;
  }
  return x;
}

/// A second hand bears half of the weight of what it holds.
void bear_half(const Model& model, const ContactCurve& contacts, int grip, const Batch& batch,
               Eigen::MatrixXd& components) {
  const LoopEnd& held = contacts.grip(grip).loop.b;
  const int link = model.link(held.link);
  const Vec3<double> down = model.gravity() * (model.spec().links[link].mass / 2);
  for (Eigen::Index n = 0; n < components.cols(); ++n) {
    Mat3<double> R;
    for (int i = 0; i < 9; ++i) R.m[i] = batch.poses(kPoseOfSite * link + 3 + i, static_cast<int>(n));
    const Vec3<double> force = transpose(R * held.X_LF.R) * down;
    for (int k = 0; k < 3; ++k) components(contacts.of_grip(grip) + k, n) = force[k] / contacts.grip_unit(k);
  }
}

}  // namespace

Eigen::MatrixXd components_by_rule(const Stage& stage, const Trajectory& trajectory, const ContactCurve& contacts) {
  Stage ruled = stage;
  ruled.task.ground->contact_variables = false;
  ruled.task.ground->contact_forces.reset();
  ruled.task.grips.clear();
  const std::vector<Place> places = contacts.places();
  const auto count = static_cast<int>(places.size());
  Batch batch(stage.task.model, count);
  for (int n = 0; n < count; ++n) {
    batch.q.set(n, trajectory.at(places[n], 0));
    batch.v.set(n, trajectory.at(places[n], 1));
    batch.a.set(n, trajectory.at(places[n], 2));
  }
  forward_kinematics(stage.task.model, batch, false);
  const GroundForces forces(ruled, trajectory, places, batch);
  const auto place_of = [&](int c, int n) -> Eigen::Vector3d {
    const ContactPoint& contact = contacts.contact(c);
    const auto pose = [&](int row) { return batch.poses(kPoseOfSite * contact.site + row, n); };
    Eigen::Vector3d p;
    for (int r = 0; r < 3; ++r) {
      p[r] = pose(r);
      for (int k = 0; k < 3; ++k) p[r] += pose(3 + 3 * r + k) * contact.point[k];
    }
    return p;
  };
  Eigen::MatrixXd components = Eigen::MatrixXd::Zero(contacts.components(), count);
  for (int i = 0; i < forces.supports() && contacts.contacts() > 0; ++i) {
    std::vector<int> mine;
    for (int k = 0; k < contacts.of_grip(0); ++k) {
      if (contacts.support(k / ContactCurve::kEdges) == i) mine.push_back(k);
    }
    Eigen::MatrixXd A(6, mine.size());
    for (int n = 0; n < count; ++n) {
      const GroundLoads::Wrench wrench = forces.wrench(n, i);
      const Eigen::Vector3d middle = place_of(mine[0] / ContactCurve::kEdges, n);  // moments about it are small
      for (std::size_t k = 0; k < mine.size(); ++k) {
        const Vec3<double>& edge = contacts.edge(mine[k]);
        const Eigen::Vector3d force(edge.x, edge.y, edge.z), arm = place_of(mine[k] / ContactCurve::kEdges, n) - middle;
        A.col(static_cast<Eigen::Index>(k)) << force, arm.cross(force) / kArm;
      }
      Eigen::VectorXd b(6);
      const Eigen::Vector3d force = wrench.head<3>(), moment = wrench.tail<3>();
      b << force, (moment - middle.cross(force)) / kArm;
      components(mine, n) = nearest(A, b);
    }
  }
  for (int g = 0; g < contacts.grips(); ++g) bear_half(stage.task.model, contacts, g, batch, components);
  return components;
}

}  // namespace verne
