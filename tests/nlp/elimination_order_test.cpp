// Orders of unknowns, for matrices whose shape is known.
#include "nlp/elimination_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace verne::nlp {
namespace {

/// A chain of variables, each of which meets the next `reach`.
Meetings chain(int variables, int reach) {
  Meetings meetings;
  meetings.variables = variables;
  for (int v = 0; v < variables; ++v) {
    for (int other = std::max(0, v - reach); other <= v; ++other) meetings.pairs.push_back({v, other});
  }
  return meetings;
}

int width(const EliminationOrder& order) {
  int widest = 0;
  for (std::size_t k = 0; k < order.last.size(); ++k) widest = std::max(widest, order.last[k] - static_cast<int>(k));
  return widest;
}

TEST(EliminationOrder, AChainIsABand) {
  const EliminationOrder order = order_unknowns(chain(100, 3));
  EXPECT_EQ(order.border, 0);
  EXPECT_LE(width(order), 4);
}

TEST(EliminationOrder, RowsOfAllVariablesLeaveTheBandNarrow) {
  Meetings meetings = chain(100, 3);
  std::vector<int> all(100);
  std::iota(all.begin(), all.end(), 0);
  for (int k = 0; k < 2; ++k) meetings.rows.add(all);  // such as means over all times
  for (int v = 0; v + 3 < 100; v += 10) meetings.rows.add(std::vector<int>{v, v + 1, v + 2, v + 3});
  const EliminationOrder order = order_unknowns(meetings);
  EXPECT_EQ(order.border, 2);
  EXPECT_LE(width(order), 6);
  std::vector<int> positions = order.position;  // each once
  std::sort(positions.begin(), positions.end());
  for (int k = 0; k < static_cast<int>(positions.size()); ++k) EXPECT_EQ(positions[k], k);
}

}  // namespace
}  // namespace verne::nlp
