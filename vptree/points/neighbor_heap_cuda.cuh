// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NeighborHeap: the best k points of a lane's query so far, a binary heap in
// global memory with the worst on top. Element j of lane l of a warp is at
// j * 32 + l, so that lanes touch neighbors. Private to vptree.

#ifndef WARPCLUST_VPTREE_POINTS_NEIGHBOR_HEAP_CUDA_CUH_
#define WARPCLUST_VPTREE_POINTS_NEIGHBOR_HEAP_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

#include "vptree/points/nearest_point.h"

namespace warpclust {

struct NeighborHeap {
  double* keys;
  int32_t* ids;
  int32_t capacity;
  int32_t size = 0;
  // The key of the worst, once the heap is full.
  double worst_key = std::numeric_limits<double>::infinity();
  int32_t worst_id = INT32_MAX;

  __device__ void Set(int32_t at, double key, int32_t id) {
    keys[int64_t{at} * 32] = key;
    ids[int64_t{at} * 32] = id;
  }
  // Puts a point into the free place `at` and moves it down to its place.
  __device__ void SiftDown(int32_t at, double key, int32_t id) {
    while (true) {
      int32_t child = 2 * at + 1;
      if (child >= size) break;
      double child_key = keys[int64_t{child} * 32];
      int32_t child_id = ids[int64_t{child} * 32];
      if (child + 1 < size) {
        const double right_key = keys[(int64_t{child} + 1) * 32];
        const int32_t right_id = ids[(int64_t{child} + 1) * 32];
        if (Preferred(child_key, child_id, right_key, right_id)) {
          ++child;
          child_key = right_key;
          child_id = right_id;
        }
      }
      if (!Preferred(key, id, child_key, child_id)) break;
      Set(at, child_key, child_id);
      at = child;
    }
    Set(at, key, id);
  }
  __device__ void Add(double key, int32_t id) {
    if (size == capacity) {
      if (!Preferred(key, id, worst_key, worst_id)) return;
      SiftDown(0, key, id);
    } else {
      int32_t at = size++;
      while (at > 0) {
        const int32_t parent = (at - 1) / 2;
        const double parent_key = keys[int64_t{parent} * 32];
        const int32_t parent_id = ids[int64_t{parent} * 32];
        if (Preferred(key, id, parent_key, parent_id)) break;
        Set(at, parent_key, parent_id);
        at = parent;
      }
      Set(at, key, id);
    }
    if (size == capacity) {
      worst_key = keys[0];
      worst_id = ids[0];
    }
  }
  // Removes the worst.
  __device__ void RemoveTop() {
    const int32_t last = --size;
    SiftDown(0, keys[int64_t{last} * 32], ids[int64_t{last} * 32]);
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_NEIGHBOR_HEAP_CUDA_CUH_
