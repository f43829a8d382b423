// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BisectionNode: a node of the tree that tells which rank owns a point
// (distributed/bisection.h), for the CPU and the GPU.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_BISECTION_NODE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_BISECTION_NODE_H_

#include <cstdint>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

struct BisectionNode {
  int32_t left = -1;  // -1: all points go to `rank`.
  int32_t right = -1;
  int32_t rank = 0;
  // Points before `x`, equal ones by number, go to the left.
  int32_t dimension = 0;
  double x = 0;
  int32_t number = 0;
};

// The rank that owns a point; `nodes` begin with the root.
WARPCLUST_HOST_DEVICE inline int32_t OwnerOf(const BisectionNode* nodes,
                                             const double* row,
                                             int32_t number) {
  const BisectionNode* at = nodes;
  while (at->left >= 0) {
    const double x = row[at->dimension];
    const bool is_left = x < at->x || (x == at->x && number < at->number);
    at = nodes + (is_left ? at->left : at->right);
  }
  return at->rank;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_BISECTION_NODE_H_
