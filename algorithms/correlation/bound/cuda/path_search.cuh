// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CheapestPaths::Search (cheapest_path.h) by a warp: the lanes share a row.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_PATH_SEARCH_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_PATH_SEARCH_CUH_

#include <cstdint>

#include "algorithms/correlation/bound/cuda/path_table.cuh"
#include "algorithms/correlation/bound/engine/path_search.h"
#include "kernels/launch.cuh"

namespace warpclust::internal {

inline constexpr int kSearchBlock = 128;
inline constexpr uint32_t kNoPair = UINT32_MAX;
inline constexpr uint32_t kSign = uint32_t{1} << 31;

struct SearchView {
  // Rows of agreeing pairs; the sign bit of a neighbor says that the pair is
  // negative.
  const int64_t* offsets;
  const uint32_t* neighbors;
  const int32_t* entry_pairs;
  const float* entry_prices;
  // By pair: the exclusive or of its ends; the sign bit says that it is
  // negative.
  const uint32_t* pair_ends;
  const float* prices;
  // By demand: its ends. The sign bit of the first one as above.
  const uint32_t* sources;
  const uint32_t* targets;
  const float* limits;
  int64_t max_visits;
};

struct PathsView {
  int32_t* lengths;  // By demand of the launch; 0: none.
  int32_t* starts;   // Of its path in `pairs`.
  int32_t* pairs;
  unsigned long long* size;    // Of `pairs`.
  unsigned long long* visits;  // Added to.
  unsigned int* next;          // The next demand of the launch.
};

// Where the two ends of the best path met.
struct Meeting {
  float cost;
  int64_t entry;  // INT64_MAX: nowhere.
  uint32_t state;
};

// CheapestPaths::Search, with the same decisions. All lanes of a warp call it.
// Returns the length of the path, which begins at `path`, or 0.
inline __device__ int Search(const SearchView& view, int64_t demand, int lane,
                             SearchSizes sizes, uint64_t* words,
                             int64_t* all_visits, int32_t** path) {
  const uint32_t source = view.sources[demand];
  const uint32_t ends[2] = {source & ~kSign, view.targets[demand]};
  const uint32_t num_negative = (source & kSign) != 0 ? 0 : 1;
  const float limit = view.limits[demand];
  Table table(words, sizes.slots, static_cast<uint32_t>(demand) + 1);
  uint64_t* const keys = words + 2 * uint64_t{sizes.slots};
  Queue queues[2] = {{keys, lane}, {keys + sizes.queue, lane}};
  uint64_t tops[2];
  for (int s = 0; s < 2; ++s) {
    const uint32_t state = 2 * ends[s];
    if (lane == 0) {
      bool is_new;
      *table.FindOrAdd(s, state, &is_new) = StateValue(0, kNoPair);
    }
    tops[s] = PathKey(0, state);
    queues[s].Push(lane == 0, tops[s]);
  }
  float best = limit + kMostPairCosts;
  bool found = false;
  uint32_t meeting[2] = {0, 0};
  int64_t visits[2] = {0, 0};
  while (tops[0] != kNone && tops[1] != kNone) {
    if (PathCost(tops[0]) + PathCost(tops[1]) >= best) break;
    int64_t begins[2];
    int64_t after[2];
    for (int s = 0; s < 2; ++s) {
      const uint32_t vertex = PathState(tops[s]) / 2;
      begins[s] = view.offsets[vertex];
      after[s] = visits[s] + view.offsets[vertex + 1] - begins[s];
    }
    const int s = after[0] <= after[1] ? 0 : 1;
    Queue& queue = queues[s];
    const uint32_t state = PathState(tops[s]);
    const float cost = PathCost(tops[s]);
    const float other_cost = PathCost(tops[1 - s]);
    queue.Pop(tops[s]);
    if (cost > PathCost(*table.Find(s, state))) {
      tops[s] = queue.Least();
      continue;
    }
    if (after[s] + visits[1 - s] > view.max_visits) break;
    const int64_t end = begins[s] + after[s] - visits[s];
    visits[s] = after[s];
    const float before = best;
    const uint32_t negative = state & 1;
    Meeting met = {before, INT64_MAX, 0};
    for (int64_t base = begins[s]; base < end; base += kWarp) {
      const int64_t i = base + lane;
      bool continues = false;
      uint64_t key = 0;
      if (i < end) {
        const uint32_t neighbor = view.neighbors[i];
        const uint32_t after_negative = negative + (neighbor >> 31);
        const float reached_cost = cost + view.entry_prices[i] + kPairCost;
        if (after_negative <= num_negative && reached_cost < before) {
          const uint32_t reached = 2 * (neighbor & ~kSign) + after_negative;
          const uint64_t* const there =
              table.Find(1 - s, RestOfPath(reached, num_negative));
          const float sum =
              there == nullptr ? before : PathCost(*there) + reached_cost;
          const bool meets = sum < before;
          continues = reached_cost + other_cost < before;
          if (meets || continues) {
            bool is_new;
            uint64_t* const value = table.FindOrAdd(s, reached, &is_new);
            if (is_new || PathCost(*value) > reached_cost) {
              *value = StateValue(reached_cost,
                                  static_cast<uint32_t>(view.entry_pairs[i]));
              key = PathKey(reached_cost, reached);
              if (meets && sum < met.cost) met = {sum, i, reached};
            } else {
              continues = false;
            }
          }
        }
      }
      queue.Push(continues, key);
    }
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
      const Meeting other = {
          __shfl_xor_sync(kFullWarp, met.cost, offset),
          __shfl_xor_sync(kFullWarp, static_cast<long long>(met.entry), offset),
          __shfl_xor_sync(kFullWarp, met.state, offset)};
      if (other.cost < met.cost ||
          (other.cost == met.cost && other.entry < met.entry)) {
        met = other;
      }
    }
    if (met.entry != INT64_MAX) {
      best = met.cost;
      found = true;
      meeting[s] = met.state;
      meeting[1 - s] = RestOfPath(met.state, num_negative);
    }
    tops[s] = queue.Least();
  }
  *all_visits += visits[0] + visits[1];
  if (!found) return 0;
  // The queues are not needed any more.
  __syncwarp();
  int32_t* const pairs = reinterpret_cast<int32_t*>(keys);
  *path = pairs;
  int length = 0;
  if (lane == 0) {
    float price = 0;
    for (int s = 0; s < 2; ++s) {
      uint32_t state = meeting[s];
      for (;;) {
        const uint32_t pair = PathState(*table.Find(s, state));
        if (pair == kNoPair || length == kMostPathPairs) break;
        pairs[length++] = static_cast<int32_t>(pair);
        price += view.prices[pair];
        const uint32_t code = view.pair_ends[pair];
        state = StateBefore(state, code & ~kSign, code >> 31);
      }
      if (s > 0) continue;
      for (int i = 0, j = length - 1; i < j; ++i, --j) {
        const int32_t pair = pairs[i];
        pairs[i] = pairs[j];
        pairs[j] = pair;
      }
    }
    if (price >= limit) length = 0;
  }
  length = __shfl_sync(kFullWarp, length, 0);
  __syncwarp();
  bool twice = false;
  for (int i = lane; i < length; i += kWarp) {
    for (int j = 0; j < i; ++j) twice = twice || pairs[i] == pairs[j];
  }
  return __any_sync(kFullWarp, twice) ? 0 : length;
}

// Warps take the demands [first, first + count) one by one.
static __global__ void __launch_bounds__(kSearchBlock)
    SearchKernel(SearchView view, int64_t first, uint32_t count,
                 SearchSizes sizes, uint64_t* words, int64_t num_searches,
                 PathsView paths) {
  const int lane = threadIdx.x % kWarp;
  const int64_t warp =
      (static_cast<int64_t>(blockIdx.x) * kSearchBlock + threadIdx.x) / kWarp;
  if (warp >= num_searches) return;
  uint64_t* const own = words + warp * sizes.words();
  int64_t visits = 0;
  for (;;) {
    uint32_t i = 0;
    if (lane == 0) i = atomicAdd(paths.next, 1u);
    i = __shfl_sync(kFullWarp, i, 0);
    if (i >= count) break;
    int length = 0;
    int32_t* path = nullptr;
    if (view.limits[first + i] > 0) {
      length = Search(view, first + i, lane, sizes, own, &visits, &path);
    }
    int32_t start = 0;
    if (lane == 0) {
      if (length > 0) {
        start = static_cast<int32_t>(
            atomicAdd(paths.size, static_cast<unsigned long long>(length)));
      }
      paths.lengths[i] = length;
      paths.starts[i] = start;
    }
    start = __shfl_sync(kFullWarp, start, 0);
    for (int k = lane; k < length; k += kWarp) paths.pairs[start + k] = path[k];
    // The next search writes where this path is.
    __syncwarp();
  }
  if (lane == 0) {
    atomicAdd(paths.visits, static_cast<unsigned long long>(visits));
  }
}

static __global__ void EntryPricesKernel(const int32_t* entry_pairs,
                                         int64_t size, const float* prices,
                                         float* entry_prices) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
       i += stride) {
    entry_prices[i] = prices[entry_pairs[i]];
  }
}

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_PATH_SEARCH_CUH_
