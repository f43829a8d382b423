// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedResults: what the GPUs that share all pairs (pair_share.h) found for
// each place, put together. Their tiles are the same, since these follow from
// the points alone. Without a share nothing happens. Internal.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_SHARED_RESULTS_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_SHARED_RESULTS_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/pair_share.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"

namespace warpclust {

class SharedResults {
 public:
  // `share` may be null, and outlives the object.
  explicit SharedResults(PairShare* share) : share_(share) {}

  // Before a search, once this GPU has all that it needs, or `started` is an
  // error: makes room for what others find of `places` places, with keys if it
  // is the search for nearest points. The same status on all GPUs.
  absl::Status Begin(const absl::Status& started, int32_t places,
                     bool with_keys);

  // Sums.
  absl::Status Add(DeviceBuffer<int32_t>& counts);
  // Minima.
  absl::Status Lower(DeviceBuffer<int32_t>& best);
  // The preferred neighbors, with their bounds and limits.
  absl::Status OfferAll(const TileArguments& arguments);

 private:
  absl::Status MakeRoom(int32_t places, bool with_keys);
  int size() const { return share_ == nullptr ? 1 : share_->size(); }

  PairShare* const share_;
  DeviceBuffer<int32_t> theirs_;
  DeviceBuffer<double> their_keys_;
  // Others still want what this GPU has counted.
  DeviceBuffer<int32_t> sum_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_SHARED_RESULTS_CUDA_H_
