// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ResizeVector: std::vector::resize for large vectors that several threads fill
// next. resize() alone clears all of the fresh memory on one thread, which
// waits for the system to clear each page before; here all threads do both.
//
//   ResizeVector(num_entries, num_threads, &result.terms);
//
// Values are numbers. Cost: resize(), divided by the threads.
//
// AssignVector: the same for std::vector::assign.
//
// FreeVector: frees the memory of a large vector before another one is made,
// where the peak of both counts. The allocator keeps what is freed for
// allocations of the same thread, or of the same size; this gives the system
// the pages.

#ifndef WARPCLUST_BASE_MACHINE_RESIZE_VECTOR_H_
#define WARPCLUST_BASE_MACHINE_RESIZE_VECTOR_H_

#include <cstdint>
#include <type_traits>
#include <vector>

namespace warpclust {

namespace internal {

// Zeroes [data, data + bytes) on `num_threads` threads (0: all cores).
void ClearMemory(void* data, int64_t bytes, int num_threads);

// Copies `bytes` to `data` on `num_threads` threads (0: all cores).
void CopyMemory(const void* from, void* data, int64_t bytes, int num_threads);

// Gives the system the whole pages of [data, data + bytes), whose contents are
// lost.
void GiveBackPages(void* data, int64_t bytes);

// values->resize(size) within the capacity. The added values are zero already,
// or written next.
template <typename Vector>
void GrowCleared(int64_t size, Vector* values) {
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
  struct Members : Vector {
    using Vector::_M_impl;
  };
  auto& members = static_cast<Members*>(values)->_M_impl;
  members._M_finish = members._M_start + size;
#else
  values->resize(size);
#endif
}

}  // namespace internal

// values->resize(size), on `num_threads` threads (0: all cores).
template <typename T, typename Allocator>
void ResizeVector(int64_t size, int num_threads,
                  std::vector<T, Allocator>* values) {
  static_assert(std::is_arithmetic_v<T>);
  const auto before = static_cast<int64_t>(values->size());
  if (size <= before) return values->resize(size);
  values->reserve(size);
  internal::ClearMemory(values->data() + before,
                        (size - before) * int64_t{sizeof(T)}, num_threads);
  internal::GrowCleared(size, values);
}

// values->assign(from, from + size), on `num_threads` threads (0: all cores).
// `from` is not in `values`.
template <typename T, typename Allocator>
void AssignVector(const T* from, int64_t size, int num_threads,
                  std::vector<T, Allocator>* values) {
  static_assert(std::is_arithmetic_v<T>);
  values->clear();
  if (size == 0) return;
  values->reserve(size);
  internal::GrowCleared(size, values);
  internal::CopyMemory(from, values->data(), size * int64_t{sizeof(T)},
                       num_threads);
}

// Empties `values` and its capacity.
template <typename T, typename Allocator>
void FreeVector(std::vector<T, Allocator>* values) {
  static_assert(std::is_arithmetic_v<T>);
  internal::GiveBackPages(
      values->data(),
      static_cast<int64_t>(values->capacity()) * int64_t{sizeof(T)});
  *values = std::vector<T, Allocator>();
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_RESIZE_VECTOR_H_
