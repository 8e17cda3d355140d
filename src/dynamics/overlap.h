/// Whether the memory of two arguments overlaps.
#pragma once

#include <functional>

namespace verne {

/// Memory of an argument: columns of `rows` values, `stride` values from one to the next.
template <class S>
struct Extent {
  const S* first;
  long rows, columns, stride;

  bool empty() const { return rows == 0 || columns == 0; }
  const S* end() const { return empty() ? first : first + (columns - 1) * stride + rows; }
  bool operator==(const Extent& other) const {
    return first == other.first && rows == other.rows && columns == other.columns && stride == other.stride;
  }
};

/// Whether memory from `a` to `a_end` and from `b` to `b_end` meets.
template <class S>
bool ranges_meet(const S* a, const S* a_end, const S* b, const S* b_end) {
  const std::less<const S*> before;
  return before(a, b_end) && before(b, a_end);
}

/// Whether two arguments have a value in common; blocks of one matrix may interleave without that.
template <class S>
bool overlap(const Extent<S>& a, const Extent<S>& b) {
  const std::less<const S*> before;
  if (a.empty() || b.empty() || !ranges_meet(a.first, a.end(), b.first, b.end())) return false;
  for (long i = 0, j = 0; i < a.columns && j < b.columns;) {
    const S *const x = a.first + i * a.stride, *const y = b.first + j * b.stride;
    if (before(x, y + b.rows) && before(y, x + a.rows)) return true;
    before(x, y) ? ++i : ++j;
  }
  return false;
}

}  // namespace verne
