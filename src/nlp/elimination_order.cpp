#include "nlp/elimination_order.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "nlp/bordered_band.h"

namespace verne::nlp {
namespace {

/// Lists of the numbers of the lists that hold each member.
IndexLists transposed(const IndexLists& lists, int members) {
  IndexLists result;
  result.start.assign(members + 1, 0);
  for (const int member : lists.index) ++result.start[member + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.index.resize(lists.index.size());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (int k = 0; k < lists.count(); ++k) {
    for (const int member : lists[k]) result.index[next[member]++] = k;
  }
  return result;
}

IndexLists neighbours(const std::vector<Entry>& pairs, int members) {
  IndexLists result;
  result.start.assign(members + 1, 0);
  for (const Entry& pair : pairs) {
    if (pair.row == pair.column) continue;
    ++result.start[pair.row + 1];
    ++result.start[pair.column + 1];
  }
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.index.resize(result.start.back());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (const Entry& pair : pairs) {
    if (pair.row == pair.column) continue;
    result.index[next[pair.row]++] = pair.column;
    result.index[next[pair.column]++] = pair.row;
  }
  return result;
}

/// The graph of the variables. Rows up to a length join their variables as cliques do.
class Graph {
 public:
  Graph(const Meetings& meetings, std::size_t longest_row) {
    IndexLists cliques = meetings.cliques;
    for (int r = 0; r < meetings.rows.count(); ++r) {
      if (meetings.rows[r].size() <= longest_row) cliques.add(meetings.rows[r]);
    }
    const IndexLists pairs = neighbours(meetings.pairs, meetings.variables);
    const IndexLists cliques_of = transposed(cliques, meetings.variables);
    std::vector<int> seen(meetings.variables, -1), met;
    for (int v = 0; v < meetings.variables; ++v) {
      met.clear();
      const auto meet = [&](int other) {
        if (seen[other] != v) met.push_back(other);
        seen[other] = v;
      };
      seen[v] = v;
      for (const int other : pairs[v]) meet(other);
      for (const int c : cliques_of[v]) {
        for (const int other : cliques[c]) meet(other);
      }
      met_.add(met);
    }
  }

  int size() const { return met_.count(); }
  int degree(int variable) const { return static_cast<int>(met_[variable].size()); }

  /// Appends what can be reached from `root` to `order`, nearest first, and marks it. Returns where the last level
  /// begins.
  std::size_t search(int root, std::vector<char>& reached, std::vector<int>& order) const {
    std::size_t at = order.size(), level = at, level_end = at + 1;
    order.push_back(root);
    reached[root] = 1;
    for (; at < order.size(); ++at) {
      if (at == level_end) level = at, level_end = order.size();
      const std::size_t first = order.size();
      for (const int other : met_[order[at]]) {
        if (reached[other]) continue;
        reached[other] = 1;
        order.push_back(other);
      }
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                       [&](int a, int b) { return degree(a) < degree(b); });
    }
    return level;
  }

 private:
  IndexLists met_;  // by each variable, every one once
};

/// Variables that are not `dense`, part by part, each from one of its ends.
std::vector<int> sorted_variables(const Graph& graph, const std::vector<char>& dense) {
  constexpr int kSearches = 3;  // for an end
  std::vector<int> order, trial;
  std::vector<char> reached = dense;
  for (int v = 0; v < graph.size(); ++v) {
    if (reached[v]) continue;
    int root = v;
    for (int k = 0; k < kSearches; ++k) {
      std::vector<char> seen = reached;
      trial.clear();
      const std::size_t level = graph.search(root, seen, trial);
      root = *std::min_element(trial.begin() + static_cast<std::ptrdiff_t>(level), trial.end(),
                               [&](int a, int b) { return graph.degree(a) < graph.degree(b); });
    }
    graph.search(root, reached, order);
  }
  return order;
}

/// Puts rows among the variables, and the dense unknowns last.
EliminationOrder with_rows(const Meetings& meetings, const std::vector<int>& order, const std::vector<char>& dense,
                           int longest_row) {
  const int n = meetings.variables, rows = meetings.rows.count();
  std::vector<int> rank(n, -1);
  for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<int>(k);
  IndexLists rows_after;  // by rank
  std::vector<int> after(rows, -1);
  rows_after.start.assign(order.size() + 1, 0);
  for (int r = 0; r < rows; ++r) {
    if (static_cast<int>(meetings.rows[r].size()) > longest_row) continue;
    for (const int v : meetings.rows[r]) after[r] = std::max(after[r], rank[v]);
    if (after[r] >= 0) ++rows_after.start[after[r] + 1];
  }
  std::partial_sum(rows_after.start.begin(), rows_after.start.end(), rows_after.start.begin());
  rows_after.index.resize(rows_after.start.back());
  std::vector<int> next(rows_after.start.begin(), rows_after.start.end() - 1);
  for (int r = 0; r < rows; ++r) {
    if (after[r] >= 0) rows_after.index[next[after[r]]++] = r;
  }

  EliminationOrder result;
  result.position.assign(n + rows, -1);
  int position = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.position[order[k]] = position++;
    for (const int r : rows_after[static_cast<int>(k)]) result.position[n + r] = position++;
  }
  result.last.resize(position);
  std::iota(result.last.begin(), result.last.end(), 0);
  for (int v = 0; v < n; ++v) {
    if (dense[v]) result.position[v] = position++;
  }
  for (int r = 0; r < rows; ++r) {
    if (after[r] < 0) result.position[n + r] = position++;
  }
  result.border = position - static_cast<int>(result.last.size());
  return result;
}

/// The last position that each one meets, in the band.
void find_reach(const Meetings& meetings, EliminationOrder& order) {
  const int band = static_cast<int>(order.last.size()), n = meetings.variables;
  const auto meet = [&](int a, int b) {
    if (a < band && b < band) order.last[std::min(a, b)] = std::max(order.last[std::min(a, b)], std::max(a, b));
  };
  for (const Entry& pair : meetings.pairs) meet(order.position[pair.row], order.position[pair.column]);
  for (int c = 0; c < meetings.cliques.count(); ++c) {
    int furthest = -1;
    for (const int v : meetings.cliques[c]) {
      if (order.position[v] < band) furthest = std::max(furthest, order.position[v]);
    }
    if (furthest < 0) continue;
    for (const int v : meetings.cliques[c]) meet(order.position[v], furthest);
  }
  for (int r = 0; r < meetings.rows.count(); ++r) {
    for (const int v : meetings.rows[r]) meet(order.position[v], order.position[n + r]);
  }
}

}  // namespace

EliminationOrder order_unknowns(const Meetings& meetings) {
  const int n = meetings.variables;
  EliminationOrder best;
  double least = std::numeric_limits<double>::infinity();
  // Rows of half of the variables or more, like a mean over all times, may go to the border: they say nothing about
  // which variables are near each other.
  std::vector<std::size_t> longest_rows{static_cast<std::size_t>(n)};
  for (int r = 0; r < meetings.rows.count() && longest_rows.size() == 1; ++r) {
    if (2 * meetings.rows[r].size() > static_cast<std::size_t>(n)) longest_rows.push_back(n / 2);
  }
  for (const std::size_t longest_row : longest_rows) {
    const Graph graph(meetings, longest_row);
    std::vector<char> dense(n), tried;
    // Dense is what meets more than some share of all; which share is best, the work says.
    for (const double share : {2.0, 0.9, 0.6, 0.3, 0.15}) {
      for (int v = 0; v < n; ++v) dense[v] = graph.degree(v) + 1 > share * n;
      if (dense == tried && longest_row == longest_rows.front()) continue;  // in others, long rows may leave the band
      tried = dense;
      EliminationOrder order =
          with_rows(meetings, sorted_variables(graph, dense), dense, static_cast<int>(std::max(1.0, share * n)));
      find_reach(meetings, order);
      const double work = BorderedBand::work(order.last, order.border);
      if (work >= least) continue;
      least = work;
      best = std::move(order);
    }
  }
  return best;
}

}  // namespace verne::nlp
