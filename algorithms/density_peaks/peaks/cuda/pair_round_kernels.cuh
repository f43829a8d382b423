// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of pair_rounds_cuda.cu. Each thread has one point, one basin or
// one visitor.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_PAIR_ROUND_KERNELS_CUH_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_PAIR_ROUND_KERNELS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/density_peaks/peaks/pair_rounds.h"
#include "algorithms/density_peaks/peaks/point_standing.h"

namespace warpclust {

// Of a block.
inline constexpr int kPairThreads = 256;

// Of the rounds, in device memory, by place of n points or by basin.
struct PairRoundArrays {
  int64_t n;
  const PointStanding* standings;
  const int32_t* basins;
  const uint32_t* order;  // by rank
  const int32_t* roots;   // by basin
  int32_t* labels;
  // The point of highest rank of another group near each, and its basin; unless
  // that is exact, it is only known that none has a higher rank.
  PointStanding* found;
  int32_t* found_basins;
  uint8_t* is_exact;
  // Of a search.
  uint8_t* searches;
  int32_t* best;
  const PointStanding* bounds;  // by group
  const int32_t* above;         // by group: the points above its bound
};

__device__ inline int64_t ThreadNumber() {
  return int64_t{blockIdx.x} * kPairThreads + threadIdx.x;
}

__device__ inline PointStanding PassOf(const PairRoundArrays& a, int64_t i) {
  return max(a.standings[i], a.found[i]);
}
__device__ inline PointStanding OtherOf(const PairRoundArrays& a, int64_t i) {
  return min(a.standings[i], a.found[i]);
}

// Whether found[i] is the point of highest rank of another group near i.
__device__ inline bool IsPair(const PairRoundArrays& a, int64_t i) {
  return a.is_exact[i] != 0 && a.found[i] != kNoStanding &&
         a.roots[a.found_basins[i]] != a.labels[i];
}

// Mostly the least value is there already.
__device__ inline void Lower(uint64_t value, uint64_t* least) {
  if (value < *static_cast<volatile uint64_t*>(least)) {
    atomicMin(reinterpret_cast<unsigned long long*>(least),
              static_cast<unsigned long long>(value));
  }
}

// The number of points of higher rank than `bound`.
__device__ inline int32_t CountAbove(const PairRoundArrays& a,
                                     PointStanding bound) {
  int64_t begin = 0;
  int64_t end = a.n;
  while (begin < end) {
    const int64_t middle = (begin + end) / 2;
    const bool is_above = a.standings[a.order[middle]] < bound;
    (is_above ? begin : end) = is_above ? middle + 1 : middle;
  }
  return static_cast<int32_t>(begin);
}

// Sets standings by the ranks and the density keys, and the first groups.
static __global__ void StartKernel(PairRoundArrays a, const int32_t* ranks,
                                   const uint32_t* keys, const int32_t* numbers,
                                   PointStanding* standings) {
  const int64_t i = ThreadNumber();
  if (i >= a.n) return;
  const int32_t density =
      static_cast<int32_t>(uint32_t{INT32_MAX} - keys[ranks[i]]);
  standings[i] = StandingOf(
      density, numbers != nullptr ? numbers[i] : static_cast<int32_t>(i));
  a.labels[i] = a.basins[i];
  a.found[i] = 0;
  a.is_exact[i] = 0;
  a.searches[i] = 0;
  a.best[i] = 0;
}

static __global__ void LabelsKernel(PairRoundArrays a) {
  const int64_t i = ThreadNumber();
  if (i < a.n) a.labels[i] = a.roots[a.basins[i]];
}

static __global__ void PassesKernel(PairRoundArrays a, PointStanding* passes) {
  const int64_t i = ThreadNumber();
  if (i < a.n && IsPair(a, i)) Lower(PassOf(a, i), passes + a.labels[i]);
}

static __global__ void OthersKernel(PairRoundArrays a,
                                    const PointStanding* passes,
                                    PointStanding* others) {
  const int64_t i = ThreadNumber();
  if (i < a.n && IsPair(a, i) && PassOf(a, i) == passes[a.labels[i]]) {
    Lower(OtherOf(a, i), others + a.labels[i]);
  }
}

static __global__ void PairBasinsKernel(PairRoundArrays a,
                                        const PointStanding* passes,
                                        const PointStanding* others,
                                        uint64_t* basins) {
  const int64_t i = ThreadNumber();
  if (i >= a.n || !IsPair(a, i)) return;
  const int32_t g = a.labels[i];
  if (PassOf(a, i) != passes[g] || OtherOf(a, i) != others[g]) return;
  const auto own = static_cast<uint64_t>(a.basins[i]);
  const auto other = static_cast<uint64_t>(a.found_basins[i]);
  Lower(a.standings[i] > a.found[i] ? own << 32 | other : other << 32 | own,
        basins + g);
}

static __global__ void AboveKernel(PairRoundArrays a, int64_t num_basins,
                                   int32_t* above) {
  const int64_t g = ThreadNumber();
  if (g >= num_basins) return;
  above[g] = a.bounds[g] == kNoStanding ? static_cast<int32_t>(a.n)
                                        : CountAbove(a, a.bounds[g]);
}

static __global__ void __launch_bounds__(kPairThreads)
    BeginKernel(PairRoundArrays a, unsigned long long* searching) {
  const int64_t i = ThreadNumber();
  int searches = 0;
  if (i < a.n) {
    // A point with nothing within d_c is in no pair. A pair of this point has a
    // pass of at least both.
    searches = DensityOf(a.standings[i]) > 0 && !IsPair(a, i) &&
                       PassOf(a, i) < a.bounds[a.labels[i]]
                   ? 1
                   : 0;
    a.searches[i] = static_cast<uint8_t>(searches);
    a.best[i] = searches != 0 ? a.above[a.labels[i]] : 0;
  }
  const int of_block = __syncthreads_count(searches);
  if (threadIdx.x == 0 && of_block > 0) {
    atomicAdd(searching, static_cast<unsigned long long>(of_block));
  }
}

static __global__ void TakeOwnKernel(PairRoundArrays a) {
  const int64_t i = ThreadNumber();
  if (i >= a.n || a.searches[i] == 0) return;
  const int32_t g = a.labels[i];
  const bool is_found = a.best[i] != a.above[g];
  const int64_t j = is_found ? a.order[a.best[i]] : 0;
  a.found[i] = is_found ? a.standings[j] : a.bounds[g];
  a.found_basins[i] = is_found ? a.basins[j] : -1;
}

static __global__ void EndKernel(PairRoundArrays a) {
  const int64_t i = ThreadNumber();
  if (i >= a.n || a.searches[i] == 0) return;
  const PointStanding bound = a.bounds[a.labels[i]];
  a.is_exact[i] = a.found[i] < bound || bound == kNoStanding ? 1 : 0;
  a.searches[i] = 0;
}

static __global__ void AskKernel(PairRoundArrays a, const int32_t* places,
                                 int64_t count, FoundQuery* queries) {
  const int64_t v = ThreadNumber();
  if (v >= count) return;
  const int64_t i = places[v];
  queries[v] = {a.found[i], a.labels[i]};
}

static __global__ void AskAllKernel(PairRoundArrays a, MetPoint* points) {
  const int64_t i = ThreadNumber();
  if (i >= a.n) return;
  points[i] = {a.searches[i] == 0 ? 0 : a.found[i], a.standings[i], a.labels[i],
               a.basins[i]};
}

static __global__ void TakeKernel(PairRoundArrays a, const int32_t* places,
                                  int64_t count, const FoundPoint* answers) {
  const int64_t v = ThreadNumber();
  if (v >= count) return;
  const int64_t i = places[v];
  if (answers[v].basin < 0 || answers[v].standing >= a.found[i]) return;
  a.found[i] = answers[v].standing;
  a.found_basins[i] = answers[v].basin;
}

static __global__ void VisitorsKernel(PairRoundArrays a,
                                      const FoundQuery* queries, int64_t count,
                                      int32_t* labels, int32_t* best) {
  const int64_t q = ThreadNumber();
  if (q >= count) return;
  labels[q] = queries[q].label;
  best[q] = CountAbove(a, queries[q].bound);
}

static __global__ void AnswersKernel(PairRoundArrays a,
                                     const FoundQuery* queries, int64_t count,
                                     const int32_t* best, FoundPoint* answers) {
  const int64_t q = ThreadNumber();
  if (q >= count) return;
  const PointStanding bound = queries[q].bound;
  const int32_t rank = best[q];
  const int64_t j = rank < a.n ? a.order[rank] : 0;
  if (rank < a.n && a.standings[j] < bound) {
    answers[q] = {a.standings[j], a.basins[j]};
  } else {
    answers[q] = {bound, -1};
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_PAIR_ROUND_KERNELS_CUH_
