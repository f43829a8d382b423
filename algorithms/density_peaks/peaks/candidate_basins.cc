// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/candidate_basins.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int64_t kPointsPerThread = 1 << 14;
constexpr int kRanksAtOnce = 1 << 9;

// In one pass by rank, so that the basin of the dependent point is known.
// Nothing predicts which points are candidates, so there are no branches.
void SetInOrder(const std::vector<uint8_t>& is_candidate,
                const std::vector<int32_t>& dependents,
                const std::vector<int32_t>& order,
                std::vector<int32_t>* candidates,
                std::vector<int32_t>* basins) {
  const auto others =
      std::count(is_candidate.begin(), is_candidate.end(), uint8_t{0});
  // Other points are written after the last candidate.
  candidates->resize(order.size() - others + 1);
  int32_t next = 0;
  for (const int32_t point : order) {
    const bool is_one = is_candidate[point] != 0;
    const int32_t before = (*basins)[is_one ? point : dependents[point]];
    (*candidates)[next] = point;
    (*basins)[point] = is_one ? next : before;
    next += is_one ? 1 : 0;
  }
  candidates->pop_back();
}

// The candidates first, then the points by rank.
void SetByThreads(const std::vector<uint8_t>& is_candidate,
                  const std::vector<int32_t>& dependents,
                  const std::vector<int32_t>& order, int threads,
                  std::vector<int32_t>* candidates,
                  std::vector<int32_t>* basins) {
  const auto n = static_cast<int32_t>(order.size());
  // Of consecutive ranks.
  std::vector<std::vector<int32_t>> parts(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    const auto end = static_cast<int32_t>(int64_t{n} * (thread + 1) / threads);
    for (auto i = static_cast<int32_t>(int64_t{n} * thread / threads); i < end;
         ++i) {
      (*basins)[i] = -1;
      const int32_t point = order[i];
      if (is_candidate[point] != 0) parts[thread].push_back(point);
    }
  }
  for (const std::vector<int32_t>& part : parts) {
    for (const int32_t point : part) {
      (*basins)[point] = static_cast<int32_t>(candidates->size());
      candidates->push_back(point);
    }
  }
  // The basin of the dependent point is known, unless another thread is about
  // to set it: then that of a point further on is.
  const auto basin_of = [&](int32_t point) {
    return std::atomic_ref<int32_t>((*basins)[point]);
  };
#pragma omp parallel for num_threads(threads) schedule(dynamic, kRanksAtOnce)
  for (int32_t rank = 0; rank < n; ++rank) {
    int32_t at = order[rank];
    int32_t basin;
    while ((basin = basin_of(at).load(std::memory_order_relaxed)) < 0) {
      at = dependents[at];
    }
    basin_of(order[rank]).store(basin, std::memory_order_relaxed);
  }
}

}  // namespace

void internal::SetCandidateBasins(const std::vector<uint8_t>& is_candidate,
                                  const std::vector<int32_t>& dependents,
                                  const DensityRanks& ranks, int num_threads,
                                  std::vector<int32_t>* candidates,
                                  std::vector<int32_t>* basins) {
  const auto n = static_cast<int64_t>(is_candidate.size());
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  ResizeVector(n, threads, basins);
  if (threads == 1) {
    SetInOrder(is_candidate, dependents, ranks.order, candidates, basins);
  } else {
    SetByThreads(is_candidate, dependents, ranks.order, threads, candidates,
                 basins);
  }
}

}  // namespace warpclust
