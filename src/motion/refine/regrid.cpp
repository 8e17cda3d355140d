#include "motion/refine/regrid.h"

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

constexpr int kLeastSpans = 2;          // in a piece between switches
constexpr double kShortPiece = 0.15;    // of a span: one is enough there
constexpr double kLongestBeside = 0.5;  // of a span: what is cut off beside short pieces
constexpr double kSameTime = 1e-9;      // of the duration

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
  double start = 0, end = 0;
  std::size_t k = 0;
  for (int s = 0; s < curve.basis.spans(); ++s) {
    end += motion.lengths()[s];
    const bool last = s + 1 == curve.basis.spans();
    if (!last && curve.group[s + 1] == curve.group[s]) continue;
    for (; k < switches.size() && switches[k].time < end - same; ++k) {
      pieces.push_back({switches[k].time - start, curve.group[s], multiplicity(switches[k])});
      start = switches[k].time;
    }
    int at_end = last ? 0 : curve.basis.multiplicities()[s] + more;
    for (; k < switches.size() && switches[k].time < end + same; ++k) {
      at_end = std::max(at_end, multiplicity(switches[k]));
    }
    pieces.push_back({end - start, curve.group[s], at_end});
    start = end;
  }
  return pieces;
}

/// Lengths of the spans of a piece: even ones, and beside a pulse, which is short, one more of its length if so asked:
/// a pulse that is made too short would end a whole span later otherwise.
std::vector<double> parts_of(const std::vector<Piece>& pieces, const std::vector<double>& shares, std::size_t p,
                             bool at_switches, bool beside_pulses) {
  const auto is_short = [&](std::size_t k) { return at_switches && shares[k] < kShortPiece; };
  const int count = std::max(at_switches && !is_short(p) ? kLeastSpans : 1, static_cast<int>(std::lround(shares[p])));
  std::vector<double> parts(static_cast<std::size_t>(count), pieces[p].length / count);
  if (is_short(p) || !beside_pulses) return parts;
  const double longest = kLongestBeside * parts.front();
  double before = 0, after = 0;
  for (std::size_t k = p; k > 0 && is_short(k - 1); --k) before += pieces[k - 1].length;
  for (std::size_t k = p + 1; k < pieces.size() && is_short(k); ++k) after += pieces[k].length;
  if (before > 0 && before < longest) {
    parts.front() -= before;
    parts.insert(parts.begin(), before);
  }
  if (after > 0 && after < longest) {
    parts.back() -= after;
    parts.push_back(after);
  }
  return parts;
}

/// The curve on another basis that is nearest to a motion.
Trajectory fitted(const SplineBasis& basis, const Eigen::VectorXd& lengths, const Trajectory& motion) {
  const int per_span = 2 * basis.degree();
  const double duration = motion.duration();
  std::vector<Place> places;
  Eigen::MatrixXd values(motion.coordinates(), basis.spans() * per_span + 1);
  double start = 0;
  for (int s = 0; s < basis.spans(); ++s) {
    for (int k = 0; k < per_span; ++k) {
      const double fraction = static_cast<double>(k) / per_span;
      values.col(static_cast<Eigen::Index>(places.size())) = motion.at(start + fraction * lengths[s]);
      places.push_back({s, fraction});
    }
    start += lengths[s];
  }
  values.col(static_cast<Eigen::Index>(places.size())) = motion.at(duration);
  places.push_back({basis.spans() - 1, 1.0});
  return {basis, lengths, fit_control_points(basis, lengths, places, values)};
}

}  // namespace

std::pair<CurveVariables, Trajectory> regridded(const CurveVariables& curve, const Trajectory& motion,
                                                const std::vector<Switch>& switches, const std::vector<int>& spans,
                                                int degree, bool beside_pulses) {
  std::vector<double> timing(curve.groups), whole(curve.groups);
  for (int s = 0; s < curve.basis.spans(); ++s) {
    timing[curve.group[s]] = motion.lengths()[s] / curve.fraction[s];
    whole[curve.group[s]] += motion.lengths()[s];
  }
  const std::vector<Piece> pieces = pieces_between(curve, motion, switches, degree);
  std::vector<double> shares;  // of a piece, in spans
  for (const Piece& piece : pieces) shares.push_back(spans[piece.group] * piece.length / whole[piece.group]);
  std::vector<int> multiplicities, group;
  std::vector<double> lengths, fraction;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const Piece& piece = pieces[p];
    const std::vector<double> parts = parts_of(pieces, shares, p, !switches.empty(), beside_pulses);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      multiplicities.push_back(k + 1 < parts.size() ? 1 : piece.multiplicity);
      group.push_back(piece.group);
      lengths.push_back(parts[k]);
      fraction.push_back(parts[k] / timing[piece.group]);
    }
  }
  multiplicities.pop_back();  // the end of the curve
  const SplineBasis basis(degree, multiplicities);
  const Eigen::VectorXd new_lengths =
      Eigen::Map<Eigen::VectorXd>(lengths.data(), static_cast<Eigen::Index>(lengths.size()));
  return {{basis, curve.dofs, curve.groups, group, fraction}, fitted(basis, new_lengths, motion)};
}

}  // namespace verne
