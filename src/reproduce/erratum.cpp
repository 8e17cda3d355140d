#include "reproduce/erratum.h"

#include <algorithm>

namespace verne::reproduce {

void Proof::add(const Eigen::MatrixXd& as_printed, const Eigen::MatrixXd& as_corrected, const Eigen::MatrixXd& truth) {
  const double off = relative_difference(as_printed, truth);
  printed = std::min(printed.value_or(off), off);
  add_correction(as_corrected, truth);
}

void Proof::add(const Vec3<double>& as_printed, const Vec3<double>& as_corrected, const Vec3<double>& truth) {
  add(Eigen::MatrixXd(eigen(as_printed)), Eigen::MatrixXd(eigen(as_corrected)), Eigen::MatrixXd(eigen(truth)));
}

void Proof::add(double as_printed, double as_corrected, double truth) {
  using One = Eigen::Matrix<double, 1, 1>;
  add(Eigen::MatrixXd(One(as_printed)), Eigen::MatrixXd(One(as_corrected)), Eigen::MatrixXd(One(truth)));
}

void Proof::add_correction(const Eigen::MatrixXd& as_corrected, const Eigen::MatrixXd& truth) {
  corrected = std::max(corrected, relative_difference(as_corrected, truth));
}

}  // namespace verne::reproduce
