// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/ranks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int64_t kPointsPerThread = 1 << 14;

}  // namespace

void RankByDensity(absl::Span<const int32_t> densities,
                   std::vector<int32_t>* starts, std::vector<int32_t>* ranks) {
  ranks->resize(densities.size());
  if (densities.empty()) return;
  const int32_t largest = *std::max_element(densities.begin(), densities.end());
  // (*starts)[k] is the rank of the next point of density largest - k.
  starts->assign(static_cast<size_t>(std::max(largest, 0)) + 2, 0);
  for (const int32_t density : densities) {
    if (density >= 0) ++(*starts)[largest - density + 1];
  }
  std::partial_sum(starts->begin(), starts->end(), starts->begin());
  for (size_t i = 0; i < densities.size(); ++i) {
    (*ranks)[i] = densities[i] >= 0 ? (*starts)[largest - densities[i]]++
                                    : std::numeric_limits<int32_t>::max();
  }
}

DensityRanks RanksOfDensities(absl::Span<const int32_t> densities,
                              int num_threads) {
  const auto n = static_cast<int32_t>(densities.size());
  DensityRanks result;
  if (n == 0) return result;
  int32_t largest = 0;
#pragma omp parallel for num_threads(                           \
    ThreadsFor(n, kPointsPerThread, num_threads)) reduction(max \
                                                            : largest)
  for (int32_t i = 0; i < n; ++i) largest = std::max(largest, densities[i]);
  // Each thread counts, then places, consecutive points.
  const int threads =
      ThreadsFor(n, std::max<int64_t>(kPointsPerThread, largest), num_threads);
  const auto begin_of = [&](int thread) {
    return static_cast<int32_t>(int64_t{n} * thread / threads);
  };
  // places[t * width + k]: the points of density largest - k of thread t, then
  // the rank of the next. One array: what threads free by themselves serves
  // nobody else.
  const int64_t width = int64_t{largest} + 1;
  std::vector<int32_t> places;
  ResizeVector(threads * width, threads, &places);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    int32_t* const own = places.data() + thread * width;
    for (int32_t i = begin_of(thread); i < begin_of(thread + 1); ++i) {
      ++own[largest - densities[i]];
    }
  }
  int32_t next = 0;
  for (int64_t k = 0; k < width; ++k) {
    for (int thread = 0; thread < threads; ++thread) {
      int32_t& place = places[thread * width + k];
      next += std::exchange(place, next);
    }
  }
  ResizeVector(n, threads, &result.ranks);
  ResizeVector(n, threads, &result.order);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    int32_t* const own = places.data() + thread * width;
    for (int32_t i = begin_of(thread); i < begin_of(thread + 1); ++i) {
      const int32_t rank = own[largest - densities[i]]++;
      result.ranks[i] = rank;
      result.order[rank] = i;
    }
  }
  FreeVector(&places);
  return result;
}

}  // namespace warpclust
