// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineState: everything an online clustering knows after some documents, in
// the one form that all methods and devices share. The same documents give the
// same state, byte for byte, and any method continues from it:
//
//   ASSIGN_OR_RETURN(const OnlineState state, clusterer.State());
//   ASSIGN_OR_RETURN(OnlineClusterer next,
//                    OnlineClusterer::Create(options, methods, state));
//
// The terms kept, their weights and the term lists follow from the full sums.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_STATE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_STATE_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/cuda_host_device.h"
#include "base/numbers/num_rows.h"

namespace warpclust {

// What the clusters of a state are made of. Terms of dense documents are their
// dimensions.
enum class OnlineDocuments { kTerms, kDense };

struct OnlineState {
  // The clock before the first document with a time.
  static constexpr int64_t kNoTime = std::numeric_limits<int64_t>::min();
  // Times are within +-kMaxTime, or kNoTime.
  static constexpr int64_t kMaxTime = int64_t{1} << 60;
  // Up to this many documents, sums (in 64 bits) and the sums of their squares
  // (in 128 bits) cannot overflow.
  static constexpr int64_t kMaxDocuments = int64_t{1} << 32;

  // num_clusters() + 1 entries: the full sums of cluster c are [offsets[c],
  // offsets[c + 1]) of `terms` and `sums`. A closed cluster (expired, or merged
  // into another) has none, nor has a cluster of documents without terms.
  std::vector<int64_t> offsets = {0};
  // Strictly ascending within a cluster.
  std::vector<int32_t> terms;
  // Parallel to `terms`: sums of fixed-point weights (unit_vectors.h), > 0; of
  // dense documents (dense_vectors.h) not 0.
  std::vector<int64_t> sums;

  // Documents per cluster; 0 for one that merged into another.
  std::vector<int64_t> sizes;
  // Per cluster, the clock when its last document came.
  std::vector<int64_t> last_times;

  // Documents seen, and the largest of their times.
  int64_t num_documents = 0;
  int64_t clock = kNoTime;
  // Above every term.
  int32_t num_terms = 0;

  int32_t num_clusters() const { return NumRows(offsets.size()); }
  absl::Span<const int32_t> TermsOf(int32_t cluster) const {
    return absl::MakeConstSpan(terms).subspan(
        offsets[cluster], offsets[cluster + 1] - offsets[cluster]);
  }
  absl::Span<const int64_t> SumsOf(int32_t cluster) const {
    return absl::MakeConstSpan(sums).subspan(
        offsets[cluster], offsets[cluster + 1] - offsets[cluster]);
  }

  friend bool operator==(const OnlineState&, const OnlineState&) = default;
};

// Replaces the clusters of `state`, and nothing else, with those of `clusters`.
void SetClusters(OnlineState clusters, OnlineState* state);

// Whether a cluster whose last document came at `last_time` is closed at
// `clock`, for OnlineOptions::expire_after (0: never). A cluster without a time
// stays open.
WARPCLUST_HOST_DEVICE inline bool IsExpired(int64_t last_time, int64_t clock,
                                            int64_t expire_after) {
  return expire_after != 0 && last_time != OnlineState::kNoTime &&
         clock - last_time > expire_after;
}

// OK if `state` has the shape above, and each sum and the length of each
// cluster's sums can come from as many unit vectors as the cluster has
// documents; all states of an OnlineClusterer are so. What is valid for kTerms
// is valid for kDense. Otherwise InvalidArgument naming the first violation.
// O(size).
absl::Status ValidateOnlineState(
    const OnlineState& state,
    OnlineDocuments documents = OnlineDocuments::kTerms);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_STATE_H_
