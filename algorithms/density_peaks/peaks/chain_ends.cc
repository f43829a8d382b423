// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/chain_ends.h"

#include <atomic>

#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"

namespace warpclust::internal {
namespace {

constexpr int64_t kPointsPerThread = 1 << 14;

// Other threads only move it further along its chain.
int32_t Next(int32_t& next) {
  return std::atomic_ref(next).load(std::memory_order_relaxed);
}
void SetNext(int32_t& next, int32_t point) {
  std::atomic_ref(next).store(point, std::memory_order_relaxed);
}

}  // namespace

void FindChainEnds(int num_threads, absl::Span<int32_t> next) {
  const auto n = static_cast<int32_t>(next.size());
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    int32_t end = i;
    for (int32_t after; (after = Next(next[end])) != end;) end = after;
    for (int32_t point = i; point != end;) {
      const int32_t after = Next(next[point]);
      SetNext(next[point], end);
      point = after;
    }
  }
}

std::vector<int32_t> PlacesOfEnds(std::vector<int32_t> next,
                                  absl::Span<const int32_t> ends,
                                  int num_threads) {
  const auto n = static_cast<int32_t>(next.size());
  const auto num_ends = static_cast<int32_t>(ends.size());
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  FindChainEnds(threads, absl::MakeSpan(next));
  std::vector<int32_t> places;
  ResizeVector(n, threads, &places);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t place = 0; place < num_ends; ++place) {
    places[ends[place]] = place;
  }
  // Places of ends are read, those of other points written.
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    if (next[i] != i) places[i] = places[next[i]];
  }
  return places;
}

}  // namespace warpclust::internal
