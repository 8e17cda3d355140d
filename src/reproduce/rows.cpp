#include "reproduce/rows.h"

#include <algorithm>
#include <iterator>

namespace verne::reproduce {

std::vector<Row> all_rows() {
  std::vector<Row> all;
  for (auto* const rows : {&thesis_sensitivity_rows, &thesis_arm_rows, &thesis_walk_rows, &khalil_rows,
                           &flexible_link_rows, &nasser_rows, &lie_rows, &errata_rows}) {
    std::vector<Row> part = rows();
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(), [](const Row& a, const Row& b) { return a.document < b.document; });
  return all;
}

}  // namespace verne::reproduce
