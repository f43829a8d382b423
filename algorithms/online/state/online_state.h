// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineState: all that an online clustering knows after some documents, in the
// one form that every method and device shares: the same documents give the
// same state, byte for byte, and any method goes on from it.
//
// What else there is (the terms kept, their weights, term lists) follows from
// the full sums.
//
// Thread-safety: a plain value.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_STATE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_STATE_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/numbers/num_rows.h"

namespace warpclust {

struct OnlineState {
  // Before the first document with a time.
  static constexpr int64_t kNoTime = std::numeric_limits<int64_t>::min();
  // Times are within +-kMaxTime, or kNoTime.
  static constexpr int64_t kMaxTime = int64_t{1} << 60;
  // Sums, and the sum of their squares in 128 bits, cannot overflow below this.
  static constexpr int64_t kMaxDocuments = int64_t{1} << 32;

  // num_clusters() + 1 entries: the full sums of cluster c are [offsets[c],
  // offsets[c + 1]) of `terms` and `sums`. A closed cluster (expired, or merged
  // into another) has none, and so has one of documents without terms.
  std::vector<int64_t> offsets = {0};
  // Strictly ascending inside a cluster.
  std::vector<int32_t> terms;
  // Parallel to `terms`: sums of fixed-point weights (unit_vectors.h), > 0.
  std::vector<int64_t> sums;

  // One a cluster: its documents; 0 if merged into another.
  std::vector<int64_t> sizes;
  // One a cluster: the clock when its last document came.
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

// InvalidArgument naming the first thing about a state from outside that does
// not hold. What holds of every state an engine gives: the shape above, and
// that each sum, and the length of all of a cluster's, can come from as many
// unit vectors as it has documents. O(size).
absl::Status ValidateOnlineState(const OnlineState& state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_STATE_H_
