// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NumbersWhere, FewNumbersWhere and KeepWhere: the items that satisfy a
// condition, in their order, by all threads. CollectNumbers: several such lists
// in one pass.
//
//   std::vector<int32_t> active = NumbersWhere(
//       num_points, num_threads, [&](int32_t i) { return densities[i] > 0; });
//   KeepWhere(num_threads, [&](int32_t i) { return !is_done[i]; }, &active);
//
// Memory: the items that are kept, once more while KeepWhere runs.
//
// Include it in files that are compiled with OpenMP; otherwise one thread does
// it all.

#ifndef WARPCLUST_BASE_MACHINE_KEEP_WHERE_H_
#define WARPCLUST_BASE_MACHINE_KEEP_WHERE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"

namespace warpclust {

namespace internal {

// item(0) to item(count - 1), as far as keep() holds for them, which is called
// twice for each.
template <typename Item, typename Keep>
std::vector<int32_t> ItemsWhere(int64_t count, int num_threads,
                                const Item& item, const Keep& keep) {
  constexpr int64_t kItemsPerThread = 1 << 14;
  const int threads = ThreadsFor(count, kItemsPerThread, num_threads);
  // The places of what each thread keeps.
  std::vector<int64_t> begins(threads + 1, 0);
  const auto begin_of = [&](int thread) { return count * thread / threads; };
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    int64_t kept = 0;
    for (int64_t i = begin_of(thread); i < begin_of(thread + 1); ++i) {
      kept += keep(item(i)) ? 1 : 0;
    }
    begins[thread + 1] = kept;
  }
  for (int thread = 0; thread < threads; ++thread) {
    begins[thread + 1] += begins[thread];
  }
  std::vector<int32_t> items;
  ResizeVector(begins[threads], threads, &items);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    int64_t at = begins[thread];
    for (int64_t i = begin_of(thread); i < begin_of(thread + 1); ++i) {
      if (keep(item(i))) items[at++] = item(i);
    }
  }
  return items;
}

}  // namespace internal

// The numbers in [0, count) with keep(number), ascending.
template <typename Keep>
std::vector<int32_t> NumbersWhere(int32_t count, int num_threads,
                                  const Keep& keep) {
  return internal::ItemsWhere(
      count, num_threads, [](int64_t i) { return static_cast<int32_t>(i); },
      keep);
}

// Lists that one pass over the numbers in [0, count) fills: collect(number,
// &lists) appends to some of them. Each thread has consecutive numbers and
// lists of its own, which are put together in order.
template <typename Collect>
std::vector<std::vector<int32_t>> CollectNumbers(int32_t count, int num_lists,
                                                 int num_threads,
                                                 const Collect& collect) {
  using Lists = std::vector<std::vector<int32_t>>;
  constexpr int64_t kNumbersPerThread = 1 << 14;
  const int threads = ThreadsFor(count, kNumbersPerThread, num_threads);
  std::vector<Lists> parts(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    Lists part(num_lists);
    const auto begin = static_cast<int32_t>(int64_t{count} * thread / threads);
    const auto end =
        static_cast<int32_t>(int64_t{count} * (thread + 1) / threads);
    for (int32_t i = begin; i < end; ++i) collect(i, &part);
    parts[thread] = std::move(part);
  }
  Lists lists = std::move(parts[0]);
  for (int thread = 1; thread < threads; ++thread) {
    for (int k = 0; k < num_lists; ++k) {
      const std::vector<int32_t>& more = parts[thread][k];
      lists[k].insert(lists[k].end(), more.begin(), more.end());
    }
  }
  return lists;
}

// NumbersWhere for a condition that few numbers satisfy: it is tested once for
// each, instead of twice.
template <typename Keep>
std::vector<int32_t> FewNumbersWhere(int32_t count, int num_threads,
                                     const Keep& keep) {
  auto lists = CollectNumbers(count, /*num_lists=*/1, num_threads,
                              [keep](int32_t i, auto* kept) {
                                if (keep(i)) kept->front().push_back(i);
                              });
  return std::move(lists.front());
}

// Removes the items without keep(item).
template <typename Keep>
void KeepWhere(int num_threads, const Keep& keep, std::vector<int32_t>* items) {
  *items = internal::ItemsWhere(
      static_cast<int64_t>(items->size()), num_threads,
      [items](int64_t i) { return (*items)[i]; }, keep);
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_KEEP_WHERE_H_
