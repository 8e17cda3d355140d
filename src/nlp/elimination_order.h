/// An order of unknowns in which a symmetric sparse matrix is a narrow band with few dense rows at the end.
#pragma once

#include <span>
#include <vector>

#include "verne/nlp/problem.h"

namespace verne::nlp {

/// Sets of integers, one after the other.
struct IndexLists {
  std::vector<int> start{0}, index;
  int count() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> operator[](int k) const {
    return {index.data() + start[k], static_cast<std::size_t>(start[k + 1] - start[k])};
  }
  void add(std::span<const int> list) {
    index.insert(index.end(), list.begin(), list.end());
    start.push_back(static_cast<int>(index.size()));
  }
};

/// Which unknowns meet: variables in pairs and in cliques (all with all), and in rows, which are unknowns themselves.
struct Meetings {
  int variables = 0;
  std::vector<Entry> pairs;
  IndexLists cliques;
  IndexLists rows;
};

struct EliminationOrder {
  std::vector<int> position;  ///< of each variable, then of each row
  std::vector<int> last;      ///< per position in the band: the last one that it meets
  int border = 0;             ///< how many of the last positions are dense
};

/// Variables by a breadth-first search from one end (Cuthill and McKee), which finds the order of time by itself; each
/// row follows the last variable that it meets, so that its pivot is not small. What meets much goes to the border,
/// where that makes the factorization cheaper.
EliminationOrder order_unknowns(const Meetings& meetings);

}  // namespace verne::nlp
