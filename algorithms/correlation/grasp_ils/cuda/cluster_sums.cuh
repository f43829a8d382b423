// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The sums of net weights from every vertex to its adjacent clusters, updated
// while vertices move (start_kernel.cuh). Two layouts with one interface:
//
// HashSums, for sparse graphs: one hash table of nonzero sums per vertex, with
// linear probing, sized for the vertex's degree. Its memory is that of the
// graph times a small number, for any number of clusters. One thread at a time
// changes a table; a removal closes its gap, so there are no tombstones.
//
// DirectSums, for dense graphs: a matrix, row = cluster, column = vertex, so
// that a move reads and writes two rows.
//
// Sum is int32_t if the magnitudes of the weights of every vertex sum to at
// most 2^30, else int64_t.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_CLUSTER_SUMS_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_CLUSTER_SUMS_CUH_

#include <cstdint>

namespace warpclust {

// The largest positive sum of a vertex, and a bound on the others.
template <typename Sum>
struct BestCluster {
  // The smallest label with the largest sum, if that is positive; else -1, 0.
  int32_t label;
  Sum sum;
  // No other cluster has a larger sum; at least 0.
  Sum bound;
};

__device__ inline int32_t WarpMax(int32_t value) {
  return __reduce_max_sync(~0u, value);
}
__device__ inline int64_t WarpMax(int64_t value) {
  for (int step = 16; step > 0; step /= 2) {
    const int64_t other = __shfl_xor_sync(~0u, value, step);
    if (other > value) value = other;
  }
  return value;
}

// The best cluster of a vertex, from what the lanes of a warp have seen.
template <typename Sum>
class BestOfLanes {
 public:
  __device__ void See(int32_t label, Sum sum) {
    if (sum > sum_ || (sum == sum_ && sum > 0 && label < label_)) {
      second_ = sum_;
      sum_ = sum;
      label_ = label;
    } else if (sum > second_) {
      second_ = sum;
    }
  }
  // By the whole warp.
  __device__ BestCluster<Sum> Reduce() const {
    const Sum best = WarpMax(sum_);
    if (best == 0) return {-1, 0, 0};
    const int32_t label =
        __reduce_min_sync(~0u, sum_ == best ? label_ : INT32_MAX);
    const bool mine = sum_ == best && label_ == label;
    return {label, best, WarpMax(mine ? second_ : sum_)};
  }

 private:
  int32_t label_ = INT32_MAX;
  Sum sum_ = 0;
  Sum second_ = 0;
};

// The table of a vertex: 2^log2_size entries from 4 * quarter on.
struct TablePlace {
  uint32_t quarter;
  uint32_t log2_size;

  __host__ __device__ int64_t begin() const { return int64_t{quarter} * 4; }
};

template <typename SumType>
class HashSums {
 public:
  using Sum = SumType;

  // An entry of the graph: a neighbor, the net weight to it and its table.
  struct alignas(16) Edge {
    Sum weight;
    int32_t vertex;
    TablePlace place;
  };
  // An entry with sum 0 is empty.
  struct alignas(2 * sizeof(Sum)) Entry {
    Sum sum;
    int32_t label;
  };
  struct Layout {
    const TablePlace* places;
    int64_t size;
  };

  // Room for `degree` entries and one that stays empty; at most three quarters
  // full.
  static uint32_t Log2TableSize(int64_t degree) {
    uint32_t log2 = 2;
    while ((int64_t{3} << log2) < 4 * (degree + 1)) ++log2;
    return log2;
  }

  // No entries are kept in shared memory.
  __device__ HashSums(const Layout& layout, Entry* entries, Entry*, int64_t)
      : layout_(layout), entries_(entries) {}

  // Sets all sums to 0. By the whole block.
  __device__ void Clear(int32_t) {
    for (int64_t i = threadIdx.x; i < layout_.size; i += blockDim.x) {
      entries_[i] = Entry{0, 0};
    }
  }

  // Updates the sums of edge.vertex when the other end of `edge` leaves cluster
  // `from` (-1: none) for `to`. Returns the new sum to `to` and sets *from_sum.
  __device__ Sum Move(const Edge& edge, int32_t from, int32_t to,
                      Sum* from_sum) {
    Entry* const table = entries_ + edge.place.begin();
    const uint32_t log2_size = edge.place.log2_size;
    const uint32_t to_home = Home(to, log2_size);
    // Starts both loads at once.
    Entry to_entry = table[to_home];
    if (from >= 0) {
      const uint32_t from_home = Home(from, log2_size);
      bool moved = false;
      *from_sum = Add(table, log2_size, from_home, table[from_home], from,
                      -edge.weight, &moved);
      if (moved) to_entry = table[to_home];
    }
    bool moved = false;
    return Add(table, log2_size, to_home, to_entry, to, edge.weight, &moved);
  }

  __device__ Sum SumOf(int32_t vertex, int32_t label) const {
    const TablePlace place = layout_.places[vertex];
    const Entry* const table = entries_ + place.begin();
    const uint32_t mask = (1u << place.log2_size) - 1u;
    for (uint32_t i = Home(label, place.log2_size);; i = (i + 1) & mask) {
      const Entry entry = table[i];
      if (entry.sum == 0 || entry.label == label) return entry.sum;
    }
  }

  // The best cluster of the edge.vertex of lane `source`. By a whole warp.
  __device__ BestCluster<Sum> Best(const Edge& edge, int source,
                                   int32_t) const {
    const TablePlace place = {__shfl_sync(~0u, edge.place.quarter, source),
                              __shfl_sync(~0u, edge.place.log2_size, source)};
    const Entry* const table = entries_ + place.begin();
    const int64_t size = int64_t{1} << place.log2_size;
    BestOfLanes<Sum> best;
#pragma unroll 4
    for (int64_t i = threadIdx.x % 32; i < size; i += 32) {
      const Entry entry = table[i];
      best.See(entry.label, entry.sum);
    }
    return best.Reduce();
  }

 private:
  static __device__ uint32_t Home(int32_t label, uint32_t log2_size) {
    return (static_cast<uint32_t>(label) * 0x9E3779B1u) >> (32u - log2_size);
  }

  // Adds to the sum to `label`, whose home `home` holds `entry`; returns the
  // new sum. Sets `moved` if an entry was added, removed or moved.
  static __device__ Sum Add(Entry* table, uint32_t log2_size, uint32_t home,
                            Entry entry, int32_t label, Sum weight,
                            bool* moved) {
    const uint32_t mask = (1u << log2_size) - 1u;
    uint32_t i = home;
    while (entry.sum != 0 && entry.label != label) {
      i = (i + 1) & mask;
      entry = table[i];
    }
    if (entry.sum == 0) {
      table[i] = Entry{weight, label};
      *moved = true;
      return weight;
    }
    const Sum sum = entry.sum + weight;
    if (sum == 0) {
      CloseGap(table, i, log2_size);
      *moved = true;
    } else {
      table[i].sum = sum;
    }
    return sum;
  }

  // Empties entry `gap` and moves up the entries that were pushed past it.
  static __device__ void CloseGap(Entry* table, uint32_t gap,
                                  uint32_t log2_size) {
    const uint32_t mask = (1u << log2_size) - 1u;
    for (uint32_t i = (gap + 1) & mask;; i = (i + 1) & mask) {
      const Entry entry = table[i];
      if (entry.sum == 0) break;
      // It may fill the gap if the gap is not before its home.
      const uint32_t home = Home(entry.label, log2_size);
      if (((i - home) & mask) >= ((i - gap) & mask)) {
        table[gap] = entry;
        gap = i;
      }
    }
    table[gap].sum = 0;
  }

  Layout layout_;
  Entry* entries_;
};

template <typename SumType>
class DirectSums {
 public:
  using Sum = SumType;
  using Entry = Sum;

  struct alignas(2 * sizeof(Sum)) Edge {
    Sum weight;
    int32_t vertex;
  };
  struct Layout {
    int32_t stride;  // of a row
    int64_t size;
  };

  // Odd, so that a column is spread over the memory banks too.
  static int32_t Stride(int32_t num_vertices) { return num_vertices | 1; }

  // The first `shared_size` sums, whole rows, are at `shared`.
  __device__ DirectSums(const Layout& layout, Entry* entries, Entry* shared,
                        int64_t shared_size)
      : stride_(layout.stride),
        entries_(entries),
        shared_(shared),
        shared_labels_(static_cast<int32_t>(shared_size / layout.stride)) {}

  // `max_label` is the largest label since the last Clear.
  __device__ void Clear(int32_t max_label) {
    for (int32_t label = 0; label <= max_label; ++label) {
      for (int32_t i = static_cast<int32_t>(threadIdx.x); i < stride_;
           i += static_cast<int32_t>(blockDim.x)) {
        *At(i, label) = 0;
      }
    }
  }

  __device__ Sum Move(const Edge& edge, int32_t from, int32_t to,
                      Sum* from_sum) {
    Sum* const to_place = At(edge.vertex, to);
    const Sum to_sum = *to_place + edge.weight;
    if (from >= 0) {
      Sum* const from_place = At(edge.vertex, from);
      *from_sum = *from_place - edge.weight;
      *from_place = *from_sum;
    }
    *to_place = to_sum;
    return to_sum;
  }

  __device__ Sum SumOf(int32_t vertex, int32_t label) const {
    return *At(vertex, label);
  }

  __device__ BestCluster<Sum> Best(const Edge& edge, int source,
                                   int32_t max_label) const {
    const int32_t vertex = __shfl_sync(~0u, edge.vertex, source);
    BestOfLanes<Sum> best;
#pragma unroll 4
    for (int32_t label = static_cast<int32_t>(threadIdx.x) % 32;
         label <= max_label; label += 32) {
      best.See(label, *At(vertex, label));
    }
    return best.Reduce();
  }

 private:
  __device__ Sum* At(int32_t vertex, int32_t label) const {
    return label < shared_labels_
               ? shared_ + label * stride_ + vertex
               : entries_ + int64_t{label} * stride_ + vertex;
  }

  int32_t stride_;
  Entry* entries_;
  Entry* shared_;
  int32_t shared_labels_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_CLUSTER_SUMS_CUH_
