// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineOptions: what decides the clusters of a document stream (Teitler et al.
// 2010). How the clusters are found does not matter: every exact method gives
// the same clusters for the same options (online_methods.h).
//
//   OnlineOptions options;
//   options.threshold = "0.3";
//   options.expire_after = 3 * 24 * 3600;
//
// The defaults are those that found the stories of four labeled streams best
// (BENCHMARKS.md, "Defaults").

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

  // T of the paper, in [0, 1]. A document joins its most similar cluster if
  // their similarity is strictly above T, and founds one otherwise. Where
  // clusters do not merge, news stories are clustered best near 0.1; at 1
  // nothing joins.
  Decimal threshold = "0.2";
  // K of the paper, in [1, kMaxTerms]: how many terms of a document and of a
  // cluster are kept, the heaviest.
  int32_t terms = 20;

  // What follows is off at 0, and except merging, which the paper suggests, not
  // in the paper.

  // Seconds, at least 0. A cluster closes when its last document is older than
  // this: later documents cannot join it. The time of a stream is the largest
  // time so far; a document without a time comes at that time.
  int64_t expire_after = 0;
  // At least 0. After every `merge_every` documents, clusters whose similarity
  // is above `merge_threshold` merge (cluster_merging.h).
  int64_t merge_every = 1000;
  // In [0, 1].
  Decimal merge_threshold = "0.3";

  // Whether a cluster is the truncated running mean of the paper: it forgets
  // sums that fall out of the K largest. Terms that return begin again, so
  // clusters differ (README). Not for kBatched on a GPU.
  bool truncated_mean = false;

  // What the paper does: a T of 0.5, and no merging.
  static OnlineOptions Paper();

  // For embeddings: a T of 0.7, and no merging.
  static OnlineOptions Embeddings();

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// InvalidArgument "expected `what` from 0 to 1, found ..." unless `value` is a
// valid Decimal in [0, 1]. `what` is, for example, "a threshold".
absl::Status CheckShare(absl::string_view what, const Decimal& value);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_OPTIONS_H_
