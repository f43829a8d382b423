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

#include "absl/functional/function_ref.h"

namespace warpclust {

namespace internal {

// Has the system clear the pages of [data, data + bytes) that are not present,
// on `num_threads` threads (0: all cores). What they hold stays.
void PreparePages(void* data, int64_t bytes, int num_threads);

template <typename Vector>
void ReserveVector(int64_t size, int num_threads, Vector* values) {
  const auto before = static_cast<int64_t>(values->size());
  if (size <= before) return;
  values->reserve(size);
  PreparePages(values->data() + before,
               (size - before) * int64_t{sizeof(typename Vector::value_type)},
               num_threads);
}

// Calls both, side by side if there are two threads.
void DoBoth(absl::FunctionRef<void()> a, absl::FunctionRef<void()> b,
            int num_threads);

}  // namespace internal

// values->resize(size), on `num_threads` threads (0: all cores).
template <typename Vector>
void ResizeVector(int64_t size, int num_threads, Vector* values) {
  internal::ReserveVector(size, num_threads, values);
  values->resize(size);
}

// The same for two vectors, whose values are cleared at the same time.
template <typename A, typename B>
void ResizeVectors(int64_t size, int num_threads, A* a, B* b) {
  internal::ReserveVector(size, num_threads, a);
  internal::ReserveVector(size, num_threads, b);
  internal::DoBoth([&] { a->resize(size); }, [&] { b->resize(size); },
                   num_threads);
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_RESIZE_VECTOR_H_
