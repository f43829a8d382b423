// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact online clustering by the ranks of a job, with the clusters of Serial
// Clusterer 2, to the byte. Rank r owns the clusters r, r + p, r + 2p ... of p
// ranks: their sums, vectors and term lists. A batch of documents goes as in
// batched_clusterer.h:
//
// 1. Each rank searches its clusters, as they were before the batch, for all
//    documents. Rank 0 gets the best clusters of all: the most similar first,
//    the smaller number first among equals.
// 2. Rank 0 gets the sums of the clusters that documents are likely to join,
//    from their owners, and then decides, in order. If it needs a cluster that
//    is not there, its owner sends it; if more of them may be the nearest, all
//    ranks search once more.
// 3. Owners get what became of their clusters; rank 0 forgets them.
//
// Merging: all ranks get the vectors of the clusters that changed, compare them
// with their own, and take the same decisions.
//
// Rank 0 makes the calls, and tells the others what to do:
//
//   if (ranks.rank() > 0) return FollowRankedClusterer(ranks);
//   std::unique_ptr<OnlineEngine> engine =
//       MakeRankedClusterer(options, state, batched_options, ranks);
//
// Memory per rank: clusters / p times that of batched_clusterer.h; 4 bytes per
// cluster and 1 bit for merging; the sums of clusters that one batch touches;
// State() gives everything to rank 0. Data sent per batch: the documents to
// all; to rank 0, 16 bytes per document and cluster found, and 16 per sum of a
// touched cluster, to and fro.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_CLUSTERER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_CLUSTERER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/batched/batched_clusterer.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// For rank 0. `options` and `state` are valid; entries_worth_threads is not
// used; `ranks` must outlive the result. Errors of the communicator.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeRankedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const BatchedOptions& batched_options, Communicator& ranks);

// For the other ranks. Returns when rank 0 has no such engine any more.
absl::Status FollowRankedClusterer(Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_CLUSTERER_H_
