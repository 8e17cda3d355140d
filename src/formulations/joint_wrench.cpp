#include "formulations/joint_wrench.h"

namespace verne::formulations {

Vec6<double> in_joint_frame(const TreeJoint& joint, const Vec6<double>& wrench_B) {
  Mat3<double> R;
  for (int k = 0; k < 9; ++k) R.m[k] = joint.R[k];
  const Vec3<double> p = Vec3<double>::load(joint.p);
  return {transpose_times(R, wrench_B.top), transpose_times(R, wrench_B.bottom - cross(p, wrench_B.top))};
}

Vec6<double> barman_wrench(const DhLink& link, const BarmanLink<double>& at) {
  const Vec3<double> arm = at.x_delta + link.X_LB.p;  // from O_{j-1} to the body's origin
  return {transpose_times(link.X_LB.R, at.F_p), transpose_times(link.X_LB.R, at.tau_p - cross(arm, at.F_p))};
}

Vec6<double> barman_wrench_derivative(const DhLink& link, const BarmanLink<double>& at, const BarmanLink<double>& d) {
  const Vec3<double> arm = at.x_delta + link.X_LB.p;
  const Vec3<double> moment = d.tau_p - cross(arm, d.F_p) - cross(d.x_delta, at.F_p);
  return {transpose_times(link.X_LB.R, d.F_p), transpose_times(link.X_LB.R, moment)};
}

Vec6<double> lie_wrench(const ScrewLink& link, const Vec6<double>& F) {
  return {F.bottom, F.top + cross(link.com, F.bottom)};
}

Vec6<double> nasser_wrench(const DhLink& link, double q, const Vec6<double>& wrench) {
  DhParameters dh = link.dh;
  (link.joint == DhJoint::revolute ? dh.theta : dh.d) += q;
  const Transform<double> X = dh_transform(dh) * link.X_LB;  // the body in the frame before
  return {transpose_times(X.R, wrench.top), transpose_times(X.R, wrench.bottom - cross(X.p, wrench.top))};
}

}  // namespace verne::formulations
