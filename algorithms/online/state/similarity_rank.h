// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SimilarityRank: what the most similar cluster is chosen by: the similarity
// itself, or the bucket it falls into (Teitler et al. 2010, section 4), as
// integers, so that CPU and GPU agree. Of equal ranks the smallest cluster
// number wins.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_STATE_SIMILARITY_RANK_H_
#define WARPCLUST_ALGORITHMS_ONLINE_STATE_SIMILARITY_RANK_H_

#include <cstdint>

#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/cuda_host_device.h"
#include "base/numbers/decimal.h"

namespace warpclust {

// The width of a bucket of `epsilon`, in [0, 1], in units of a similarity
// (2^60 is 1), rounded down. 0 is no buckets; from 1 on there is only one.
inline int64_t BucketWidth(const Decimal& epsilon) {
  return SimilarityAbove(epsilon);
}

// The bucket that `similarity` >= 0 falls into; itself if there are none.
WARPCLUST_HOST_DEVICE inline int64_t SimilarityRank(int64_t similarity,
                                                    int64_t bucket_width) {
  return bucket_width == 0 ? similarity : similarity / bucket_width;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_SIMILARITY_RANK_H_
