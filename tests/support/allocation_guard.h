/// Counts what the calling thread takes from the heap.
#pragma once

namespace verne::test {

/// Calls of malloc and its relatives by this thread so far; operator new and Eigen end there. −1 when they cannot be
/// counted: another C library, or a sanitizer that has its own malloc.
long allocation_count();

}  // namespace verne::test
