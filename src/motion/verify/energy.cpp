#include "motion/verify/energy.h"

#include <cmath>
#include <memory>

#include "motion/curve/quadrature.h"
#include "motion/terms/channel_limit.h"
#include "motion/values/measuring.h"

namespace verne {

namespace {

constexpr int kEnergyPoints = 5, kEnergyHalvings = 14;
constexpr double kEnergyTolerance = 1e-9;  // of all, that halving a piece may change

/// A part of a span, and the integral over it.
struct EnergyPiece {
  int span;
  double start, end;
  double energy = 0;
};

/// Efforts and velocities of one phase along a curve.
class PowerAlong {
 public:
  PowerAlong(const CostSpec& cost, const Stage& stage, const Trajectory& curve)
      : measuring_(stage.task, curve, stage.spans,
                   [&](ChannelLayout& channels) { return efforts_and_velocities(cost, channels); }),
        lengths_(curve.lengths()) {
    for (const double scale : cost.scale) {
      if (scale != 0) scales_.push_back(scale);
    }
  }

  void integrate(std::vector<EnergyPiece>& pieces) {
    std::vector<Place> places;
    for (const EnergyPiece& piece : pieces) {
      for (const Place& place : rule_.places) {
        places.push_back({piece.span, piece.start + place.fraction * (piece.end - piece.start)});
      }
    }
    const Eigen::MatrixXd measured = measuring_.at(places);
    Eigen::Index at = 0;
    for (EnergyPiece& piece : pieces) {
      piece.energy = 0;
      for (const double weight : rule_.weights) {
        const double time = weight * (piece.end - piece.start) * lengths_[piece.span];
        for (std::size_t k = 0; k < scales_.size(); ++k) {
          const auto row = static_cast<Eigen::Index>(2 * k);
          piece.energy += time * scales_[k] * std::abs(measured(row, at) * measured(row + 1, at));
        }
        ++at;
      }
    }
  }

 private:
  static LimitTerms efforts_and_velocities(const CostSpec& cost, ChannelLayout& channels) {
    LimitTerms terms;
    for (int i = 0; i < static_cast<int>(cost.scale.size()); ++i) {
      if (cost.scale[i] == 0) continue;
      terms.push_back(std::make_unique<ChannelLimit>(LimitName{}, channels.tau(i), Interval{}));
      terms.push_back(std::make_unique<ChannelLimit>(LimitName{}, channels.v(i), Interval{}));
    }
    return terms;
  }

  Measuring measuring_;
  Eigen::VectorXd lengths_;
  std::vector<double> scales_;
  const Quadrature rule_ = gauss_quadrature({0, 1}, kEnergyPoints);
};

double energy_in(const std::vector<EnergyPiece>& pieces) {
  double sum = 0;
  for (const EnergyPiece& piece : pieces) sum += piece.energy;
  return sum;
}

}  // namespace

double energy_of(const CostSpec& cost, const std::vector<PlacedStage>& stages, const Trajectory& curve) {
  double energy = 0;
  for (const PlacedStage& in : stages) {
    PowerAlong power(cost, in.stage, curve);
    std::vector<EnergyPiece> open;
    for (int s = in.stage.spans.first; s < in.stage.spans.end; ++s) open.push_back({s, 0, 1});
    power.integrate(open);
    const double all = energy_in(open);
    for (int k = 0; k < kEnergyHalvings && !open.empty(); ++k) {
      std::vector<EnergyPiece> halves, next;
      for (const EnergyPiece& piece : open) {
        const double middle = (piece.start + piece.end) / 2;
        halves.push_back({piece.span, piece.start, middle});
        halves.push_back({piece.span, middle, piece.end});
      }
      power.integrate(halves);
      for (std::size_t i = 0; i < open.size(); ++i) {
        const EnergyPiece &first = halves[2 * i], &second = halves[2 * i + 1];
        if (std::abs(first.energy + second.energy - open[i].energy) <= kEnergyTolerance * all) {
          energy += first.energy + second.energy;
        } else {
          next.push_back(first), next.push_back(second);
        }
      }
      open = std::move(next);
    }
    energy += energy_in(open);
  }
  return energy;
}

}  // namespace verne
