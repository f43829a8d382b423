// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact online clustering by the ranks of a job, with the clusters of Serial
// Clusterer 2, to the byte.
//
// While searches are short, dividing them costs more than it saves: then rank 0
// clusters alone (batched_clusterer.h), and the others wait. On a GPU all
// searches are short, so there it stays alone while the clusters fit the GPU's
// memory (memory that runs out between two merges of one pass is an error).
// Then, on CPUs, rank r of p owns the clusters r, r + p, r + 2p ... and
// a batch of documents goes as in batched_clusterer.h:
//
// 1. Each rank searches its clusters, as they were before the batch, for all
//    documents. The last rank gets the best clusters of all: the most similar
//    first, the smaller number first among equals.
// 2. The last rank decides, in order. It borrows the sums of the clusters that
//    documents join from their owners, and holds them for later batches. If
//    more clusters than were found may be the nearest, all ranks search again.
// 3. Owners get the new vectors of clusters that changed.
//
// Merging: all ranks get the vectors of the clusters that changed, compare them
// with their own, and take the same decisions.
//
// Rank 0 makes the calls, and tells the others what to do:
//
//   if (ranks.rank() > 0) return FollowRankedClusterer(ranks);
//   std::unique_ptr<OnlineEngine> engine =
//       MakeRankedClusterer(options, state, {}, ranks);
//
// Memory per rank: clusters / p times that of batched_clusterer.h; 8 bytes per
// cluster and 1 bit for merging; `most_bytes` on rank 0 while it is alone, or
// the clusters on its GPU, and then on the last rank; State() gives everything
// to rank 0. Nothing is sent while rank 0 is alone. Then per batch: the
// documents to all; to the last rank, 16 bytes per document and cluster found,
// and 16 per sum of a cluster that it borrows; to owners, 8 per term of a
// changed cluster.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_CLUSTERER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_CLUSTERER_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/batched/batched_clusterer.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/communicator/communicator.h"

namespace warpclust {

struct RankedOptions {
  BatchedOptions batched;
  // Whether rank 0 clusters alone while that is faster.
  bool may_be_alone = true;
  // It is alone on its GPU, from the beginning until that has no more memory.
  // The options below are about CPUs.
  bool on_gpu = false;
  // From this many entries of lists per document on, searches are divided.
  int64_t entries_worth_ranks = 1500;
  // What a rank holds beyond its share: rank 0 clusters while it is alone, then
  // the last rank sums.
  int64_t most_bytes = int64_t{256} << 20;
};

// Makes the engine of a rank that is alone on its GPU, for batches of this many
// documents. ResourceExhausted if the state does not fit; after that error of
// its Cluster, the engine says num_decided().
using GpuEngineMaker =
    std::function<absl::StatusOr<std::unique_ptr<OnlineEngine>>(
        const OnlineOptions& options, const OnlineState& state, int32_t batch)>;

// For rank 0. `options` and `state` are valid; `ranks` must outlive the result.
// RankedOptions::on_gpu needs `make_on_gpu`. Errors of the communicator, and of
// `make_on_gpu` except ResourceExhausted: then all ranks cluster on their CPUs.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeRankedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const RankedOptions& ranked_options, Communicator& ranks,
    const GpuEngineMaker& make_on_gpu = {});

// For the other ranks. Returns when rank 0 has no such engine any more.
absl::Status FollowRankedClusterer(Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_CLUSTERER_H_
