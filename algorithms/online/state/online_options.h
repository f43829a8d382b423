// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineOptions: what decides the clusters of a document stream (Teitler et al.
// 2010). Nothing here chooses how they are found: every exact method gives the
// same clusters for the same options.
//
// Thread-safety: a plain value.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_OPTIONS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/numbers/decimal.h"

namespace warpclust {

struct OnlineOptions {
  // The largest `terms`.
  static constexpr int32_t kMaxTerms = 128;

  // T of the paper, in [0, 1]: a document joins its most similar cluster if
  // their similarity is above it, strictly, and founds one otherwise. On real
  // news stories the best clusters are found near 0.1; at 1 nothing joins.
  Decimal threshold = "0.5";
  // K of the paper, in [1, kMaxTerms]: the terms kept of a document and of a
  // cluster.
  int32_t terms = 20;

  // Beyond the paper, off at 0.
  //
  // Seconds after its last document from when on a cluster is closed: a
  // document whose time is more than that later cannot join it. Time is the
  // largest seen so far; a document without one comes at that time.
  int64_t expire_after = 0;
  // After every that many documents of the stream, clusters more similar to
  // one another than `merge_threshold` are merged (see cluster_merging.h).
  int64_t merge_every = 0;
  // In [0, 1].
  Decimal merge_threshold = "0.5";

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// InvalidArgument "expected `what` in [0, 1], found ..." if `value` is not;
// `what` is "a threshold". Also for values that are no valid Decimal.
absl::Status CheckShare(absl::string_view what, const Decimal& value);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_OPTIONS_H_
