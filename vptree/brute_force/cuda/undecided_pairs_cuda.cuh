// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides the pairs that tensor_sums_cuda.cuh leaves undecided. A thread block
// collects them in a queue and decides them together: by both digits, whose
// distances are within the second error, a quarter of the bytes of a key; few
// pairs are left to their keys. Nearest: distances by digits first tighten the
// bounds of all points in the queue. If the first digit is exact, so is the key
// made of it, and counts and labels have no undecided pairs. Labels: only pairs
// that still matter.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_UNDECIDED_PAIRS_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_UNDECIDED_PAIRS_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "vptree/brute_force/cuda/lower_bests_cuda.cuh"
#include "vptree/brute_force/cuda/select_columns_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

// An entry: the number of the column tile in the list, row, column.
__device__ inline uint32_t QueueEntry(int ordinal, int row, int column) {
  return static_cast<uint32_t>((ordinal << 14) | (row << 7) | column);
}

struct OpenPair {
  int32_t row_place;
  int32_t column_place;

  __device__ OpenPair(const ColumnTiles& list, int32_t row_tile, uint32_t entry)
      : row_place(row_tile * kTilePoints +
                  static_cast<int32_t>((entry >> 7) & 127)),
        column_place(list.tiles[entry >> 14] * kTilePoints +
                     static_cast<int32_t>(entry & 127)) {}
};

// Eight lanes decide a pair together: each reads 16 of 128 bytes of a row.
constexpr int kPairLanes = 8;

struct DigitDots {
  int high = 0;
  int cross =
      0;  // of the high digits of the one with the low ones of the other
  int low = 0;
};

// Called by the lanes of a pair, which all get them. Without low digits, only
// the first. What lanes read of shared memory before, one may write after.
__device__ inline DigitDots DotsOf(const TileArguments& a,
                                   const OpenPair& pair) {
  const int64_t x = static_cast<int64_t>(pair.row_place) * a.row_bytes;
  const int64_t y = static_cast<int64_t>(pair.column_place) * a.row_bytes;
  const auto words = [](const int8_t* from) {
    return __ldg(reinterpret_cast<const int4*>(from));
  };
  const auto add = [](const int4& p, const int4& q, int& dot) {
    dot = __dp4a(p.x, q.x, dot);
    dot = __dp4a(p.y, q.y, dot);
    dot = __dp4a(p.z, q.z, dot);
    dot = __dp4a(p.w, q.w, dot);
  };
  const int lane = static_cast<int>(threadIdx.x) % kPairLanes;
  DigitDots dots;
#pragma unroll 4
  for (int k = 16 * lane; k < a.row_bytes; k += 16 * kPairLanes) {
    const int4 p = words(a.high + x + k);
    const int4 q = words(a.high + y + k);
    add(p, q, dots.high);
    if (a.low == nullptr) continue;
    const int4 r = words(a.low + x + k);
    const int4 s = words(a.low + y + k);
    add(p, s, dots.cross);
    add(r, q, dots.cross);
    add(r, s, dots.low);
  }
  constexpr unsigned kLanes = (1u << kPairLanes) - 1;
  const unsigned mask = kLanes << (threadIdx.x & 31) / kPairLanes * kPairLanes;
  for (int step = kPairLanes / 2; step > 0; step /= 2) {
    dots.high += __shfl_xor_sync(mask, dots.high, step);
    dots.cross += __shfl_xor_sync(mask, dots.cross, step);
    dots.low += __shfl_xor_sync(mask, dots.low, step);
  }
  __syncwarp(mask);
  return dots;
}

// Calls decide(i, pair, dots) for each entry of the queue, on one of its lanes;
// the others go on, so it must not wait for them. Called by the whole block.
template <typename Decide>
__device__ __forceinline__ void ForEachPair(const TileArguments& a,
                                            int32_t row_tile,
                                            const ColumnTiles& list, int size,
                                            const uint32_t* queue,
                                            const Decide& decide) {
  for (int i = static_cast<int>(threadIdx.x) / kPairLanes; i < size;
       i += kTileThreads / kPairLanes) {
    const OpenPair pair(list, row_tile, queue[i]);
    const DigitDots dots = DotsOf(a, pair);
    if (threadIdx.x % kPairLanes == 0) decide(i, pair, dots);
  }
}

// Returns D, the squared distance of the first digits, in steps.
__device__ inline int FirstSquare(const TileArguments& a, const OpenPair& pair,
                                  const DigitDots& dots) {
  return a.norms[pair.row_place] + a.norms[pair.column_place] - 2 * dots.high;
}

// The distance by both digits, in steps.
struct DigitDistance {
  double least;
  double most;
};

// 256 floor(norm / 2) - correction is |x|^2 / 512 in units of step / 256,
// rounded down by less than 1: squares are known up to 2 * 512.
__device__ inline DigitDistance BothDistance(const TileArguments& a,
                                             const OpenPair& pair,
                                             const DigitDots& dots) {
  const int64_t dot =
      int64_t{65536} * dots.high + int64_t{256} * dots.cross + dots.low;
  const int64_t norms = int64_t{256} * (a.norms[pair.row_place] >> 1) -
                        a.corrections[pair.row_place] +
                        int64_t{256} * (a.norms[pair.column_place] >> 1) -
                        a.corrections[pair.column_place];
  const double square = static_cast<double>(512 * norms - 2 * dot);
  return {sqrt(fmax(square, 0.0)) * (1 - 1e-12) / 256,
          sqrt(fmax(square + 1024, 0.0)) * (1 + 1e-12) / 256};
}

// No entry, no float that is a distance, and no D.
constexpr uint32_t kDecided = UINT32_MAX;

// Calls take(pair) for the pairs of the queue with wants(pair) whose keys are
// below the radius key. The queue is lost. Called by the whole block.
template <typename Wants, typename Take>
__device__ __forceinline__ void TakePairsWithin(
    const TileArguments& a, int32_t row_tile, const ColumnTiles& list, int size,
    uint32_t* queue, const Wants& wants, const Take& take) {
  ForEachPair(a, row_tile, list, size, queue,
              [&](int i, const OpenPair& pair, const DigitDots& dots) {
                const DigitDistance distance = BothDistance(a, pair, dots);
                const bool within = distance.most < a.count.digits_within;
                if (within && wants(pair)) take(pair);
                if (within || distance.least >= a.count.digits_beyond) {
                  queue[i] = kDecided;
                }
              });
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += kTileThreads) {
    if (queue[i] == kDecided) continue;
    const OpenPair pair(list, row_tile, queue[i]);
    if (wants(pair) &&
        ExactKey<Norm::kL2>(a, pair.row_place, pair.column_place) <
            a.count.radius_key) {
      take(pair);
    }
  }
}

__device__ inline void DecideCounts(const TileArguments& a, int32_t row_tile,
                                    const ColumnTiles& list, int size,
                                    uint32_t* queue, int32_t* row_counts) {
  TakePairsWithin(
      a, row_tile, list, size, queue, [](const OpenPair&) { return true; },
      [&](const OpenPair& pair) {
        atomicAdd(row_counts + pair.row_place % kTilePoints, 1);
        // The diagonal tile also has the pair the other way round.
        if (pair.row_place / kTilePoints != pair.column_place / kTilePoints) {
          atomicAdd(a.counts + pair.column_place, 1);
        }
      });
}

__device__ inline void DecideLabels(const TileArguments& a, int32_t row_tile,
                                    const ColumnTiles& list, int size,
                                    uint32_t* queue) {
  TakePairsWithin(
      a, row_tile, list, size, queue,
      [&](const OpenPair& pair) {
        return PairMatters(a.labels, pair.row_place, pair.column_place);
      },
      [&](const OpenPair& pair) {
        LowerBests(a.labels, pair.row_place, pair.column_place);
      });
}

// `distances`: one word per entry.
__device__ inline void DecideNearest(const TileArguments& a, int32_t row_tile,
                                     const ColumnTiles& list, int size,
                                     const uint32_t* queue,
                                     uint32_t* distances) {
  const NearestState& s = a.nearest;
  // The point of lower rank, and the id of the other.
  const auto target_of = [&](const OpenPair& pair, int32_t& id) {
    const bool lower = s.ranks[pair.column_place] < s.ranks[pair.row_place];
    id = a.ids[lower ? pair.column_place : pair.row_place];
    return lower ? pair.row_place : pair.column_place;
  };
  const auto measure = [&](int i, const OpenPair& pair, const DigitDots& dots) {
    int32_t id;
    const int32_t target = target_of(pair, id);
    // Equal points: no key is below 0. As in Offer, key before id.
    const volatile double* keys = s.keys;
    const volatile int32_t* ids = s.ids;
    if (keys[target] == 0) {
      __threadfence();
      if (ids[target] <= id) {
        distances[i] = kDecided;
        return;
      }
    }
    double most;
    if (a.low == nullptr) {
      const int square = FirstSquare(a, pair, dots);
      distances[i] = static_cast<uint32_t>(square);
      most = sqrt(static_cast<double>(square));
    } else {
      const DigitDistance distance = BothDistance(a, pair, dots);
      distances[i] = __float_as_uint(
          __double2float_rd(fmax(distance.least - s.second_error, 0.0)));
      most = distance.most + s.second_error;
    }
    // An upper bound of the key, then of its distance.
    most *= s.step;
    Tighten(s, target,
            ReachOfKey<Norm::kL2>(s, most * most * (1 + 3 * s.relative_error) +
                                         s.absolute_error));
  };
  ForEachPair(a, row_tile, list, size, queue, measure);
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += kTileThreads) {
    if (distances[i] == kDecided) continue;
    const OpenPair pair(list, row_tile, queue[i]);
    int32_t id;
    const int32_t target = target_of(pair, id);
    if (a.low == nullptr) {
      const int square = static_cast<int>(distances[i]);
      const volatile int32_t* limits = s.first_limits;
      if ((square >> 1) <= limits[target]) {
        Offer(s, target, s.step * s.step * square, id);
      }
      continue;
    }
    const volatile unsigned long long* bounds = s.bounds;
    const double bound =
        __longlong_as_double(static_cast<long long>(bounds[target]));
    if (__uint_as_float(distances[i]) * s.step * (1 - 1e-12) <= bound) {
      Offer(s, target,
            ExactKey<Norm::kL2>(a, pair.row_place, pair.column_place), id);
    }
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_UNDECIDED_PAIRS_CUDA_CUH_
