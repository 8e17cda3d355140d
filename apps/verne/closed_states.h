/// Many lines about a mechanism with closed loops at once: closed on lanes, with torques and accelerations of those
/// that ask for nothing more.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "verne/io/state_io.h"
#include "verne/quantities/evaluation.h"
#include "wants.h"

namespace verne::cli {

class ClosedStates {
 public:
  /// For at most so many lines. Torques and accelerations are found where nothing is wanted that single states find
  /// along with them.
  ClosedStates(const System& system, const std::vector<Want>& wants, int capacity);
  ClosedStates(ClosedStates&&) noexcept = default;

  /// Lines that give all coordinates of the tree are left out. Where a line cannot be closed, or has no answer, nothing
  /// is known of any: to be computed one by one, which tells the line.
  void compute(std::span<const StateLine> lines);

  /// A line of the last compute().
  struct Line {
    const ClosedStates* all;
    int place;
    Values q() const { return numbers(0, 0); }
    Values v() const { return numbers(0, 1); }
    Values a() const { return numbers(0, 2); }
    bool connected() const;
    /// Whether tau, or acceleration, was found.
    bool has(Quantity quantity) const;
    Values of(Quantity quantity) const;

   private:
    Values numbers(std::size_t want, std::size_t array) const;
  };
  /// Nothing where it is not known.
  std::optional<Line> line(std::size_t k) const;

 private:
  std::optional<std::size_t> place_of(Quantity quantity) const;
  Evaluation& evaluation_for(std::size_t lines);

  System system_;
  std::vector<std::string> wanted_;
  int capacity_;
  std::optional<Evaluation> few_, many_;
  const Evaluation* used_ = nullptr;
  std::vector<char> connected_;
  std::vector<char> known_, plain_;  ///< of each line: its state, and its torques and accelerations
};

}  // namespace verne::cli
