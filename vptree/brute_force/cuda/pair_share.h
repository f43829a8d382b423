// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PairShare: where several GPUs have the same points, each compares its share
// of all pairs, and hears from the others what they found. Names no CUDA code.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_PAIR_SHARE_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_PAIR_SHARE_H_

#include <cstdint>

#include "absl/status/status.h"

namespace warpclust {

// All members except rank() and size() are collective calls.
class PairShare {
 public:
  virtual ~PairShare() = default;

  // The number of this GPU, from 0 to size() - 1.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // OK, or on all GPUs the error of one.
  virtual absl::Status Agree(const absl::Status& status) = 0;

  // After all that the default stream was given, sends `bytes` of GPU memory to
  // one of the others and gets as many from another. With the steps
  // 1 … size() - 1 each gets those of all others.
  virtual absl::Status Exchange(int step, const void* mine, void* theirs,
                                int64_t bytes) = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_PAIR_SHARE_H_
