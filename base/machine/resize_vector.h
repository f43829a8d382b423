// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ResizeVector: std::vector::resize for large vectors that several threads fill
// next. resize() alone touches all of the fresh memory on one thread, which
// waits for the system to clear each page; here all threads wait at once.
//
//   ResizeVector(num_entries, num_threads, &result.terms);
//
// Cost: resize() from cache or memory that is present. On systems that cannot
// prepare pages (Linux before 5.14) it is resize() alone.

#ifndef WARPCLUST_BASE_MACHINE_RESIZE_VECTOR_H_
#define WARPCLUST_BASE_MACHINE_RESIZE_VECTOR_H_

#include <cstdint>
#include <vector>

namespace warpclust {

namespace internal {

// Has the system clear the pages of [data, data + bytes) that are not present,
// on `num_threads` threads (0: all cores). What they hold stays.
void PreparePages(void* data, int64_t bytes, int num_threads);

}  // namespace internal

// values->resize(size), on `num_threads` threads (0: all cores).
template <typename T>
void ResizeVector(int64_t size, int num_threads, std::vector<T>* values) {
  const auto before = static_cast<int64_t>(values->size());
  if (size > before) {
    values->reserve(size);
    internal::PreparePages(values->data() + before,
                           (size - before) * int64_t{sizeof(T)}, num_threads);
  }
  values->resize(size);
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_RESIZE_VECTOR_H_
