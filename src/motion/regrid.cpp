#include "motion/regrid.h"

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

constexpr int kLeastSpans = 2;        // in a piece between switches
constexpr double kShortPiece = 0.15;  // of a span: one is enough there
constexpr double kSameTime = 1e-9;    // of the duration

/// Between two knots that have to be there.
struct Piece {
  double length;
  int group;         // of its spans
  int multiplicity;  // of the knot at its end
};

std::vector<Piece> pieces_between(const CurveVariables& curve, const Trajectory& motion,
                                  const std::vector<Switch>& switches, int degree) {
  std::vector<Piece> pieces;
  const auto multiplicity = [&](const Switch& at) { return std::max(1, degree + 1 - at.order); };
  const int more = degree - curve.basis.degree();  // of a knot at which the same is continuous as before
  const double same = kSameTime * motion.duration();
  double begin = 0, end = 0;
  std::size_t k = 0;
  for (int s = 0; s < curve.basis.spans(); ++s) {
    end += motion.lengths()[s];
    const bool last = s + 1 == curve.basis.spans();
    if (!last && curve.group[s + 1] == curve.group[s]) continue;
    for (; k < switches.size() && switches[k].time < end - same; ++k) {
      pieces.push_back({switches[k].time - begin, curve.group[s], multiplicity(switches[k])});
      begin = switches[k].time;
    }
    int at_end = last ? 0 : curve.basis.multiplicities()[s] + more;
    for (; k < switches.size() && switches[k].time < end + same; ++k) {
      at_end = std::max(at_end, multiplicity(switches[k]));
    }
    pieces.push_back({end - begin, curve.group[s], at_end});
    begin = end;
  }
  return pieces;
}

/// The curve on another basis that is nearest to a motion.
Trajectory fitted(const SplineBasis& basis, const Eigen::VectorXd& lengths, const Trajectory& motion) {
  const int per_span = 2 * basis.degree();
  const double duration = motion.duration();
  std::vector<Place> places;
  Eigen::MatrixXd values(motion.coordinates(), basis.spans() * per_span + 1);
  double begin = 0;
  for (int s = 0; s < basis.spans(); ++s) {
    for (int k = 0; k < per_span; ++k) {
      const double fraction = static_cast<double>(k) / per_span;
      values.col(static_cast<Eigen::Index>(places.size())) = motion.at(begin + fraction * lengths[s]);
      places.push_back({s, fraction});
    }
    begin += lengths[s];
  }
  values.col(static_cast<Eigen::Index>(places.size())) = motion.at(duration);
  places.push_back({basis.spans() - 1, 1.0});
  return {basis, lengths, fit_control_points(basis, lengths, places, values)};
}

}  // namespace

std::pair<CurveVariables, Trajectory> regridded(const CurveVariables& curve, const Trajectory& motion,
                                                const std::vector<Switch>& switches, const std::vector<int>& spans,
                                                int degree) {
  std::vector<double> timing(curve.groups), whole(curve.groups);
  for (int s = 0; s < curve.basis.spans(); ++s) {
    timing[curve.group[s]] = motion.lengths()[s] / curve.fraction[s];
    whole[curve.group[s]] += motion.lengths()[s];
  }
  std::vector<int> multiplicities, group;
  std::vector<double> lengths, fraction;
  for (const Piece& piece : pieces_between(curve, motion, switches, degree)) {
    const double share = spans[piece.group] * piece.length / whole[piece.group];
    const int count =
        std::max(switches.empty() || share < kShortPiece ? 1 : kLeastSpans, static_cast<int>(std::lround(share)));
    for (int k = 0; k < count; ++k) {
      multiplicities.push_back(k + 1 < count ? 1 : piece.multiplicity);
      group.push_back(piece.group);
      lengths.push_back(piece.length / count);
      fraction.push_back(lengths.back() / timing[piece.group]);
    }
  }
  multiplicities.pop_back();  // the end of the curve
  const SplineBasis basis(degree, multiplicities);
  const Eigen::VectorXd new_lengths =
      Eigen::Map<Eigen::VectorXd>(lengths.data(), static_cast<Eigen::Index>(lengths.size()));
  return {{basis, curve.dofs, curve.groups, group, fraction}, fitted(basis, new_lengths, motion)};
}

}  // namespace verne
