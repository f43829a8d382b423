// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustRDistributed: OClustR (oclustr.h) of a graph whose rows are dealt to
// the ranks of a job, as CosineGraphDistributed makes them.
//
//   ASSIGN_OR_RETURN(GraphShare share,
//                    CosineGraphDistributed(ranks, my_documents, options));
//   ASSIGN_OR_RETURN(const OClustRResult result,
//                    OClustRDistributed(ranks, std::move(share)));
//   if (ranks.rank() == 0) Write(result.cover);
//
// Relevances and initial centers are computed where the rows are, on CPUs or
// GPUs. Rank 0 runs stage 3, which is sequential, and fetches the rows that it
// reads: those of initial centers, and few others. The clusters are those of
// OClustR, to the bit.
//
// Memory per rank: that of its rows, and 24 bytes per vertex that these name;
// with rows on GPUs instead 64 bytes of the GPU per vertex of the graph. If
// these are more than 2^24, or a GPU lacks memory for them, the rows move to
// the hosts. Rank 0: 50 bytes per vertex of the graph more, and 4 per entry
// fetched, 8 if it is its own and on a GPU.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_DISTRIBUTED_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_DISTRIBUTED_H_

#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "base/communicator/communicator.h"
#include "graph/csr/graph_share.h"

namespace warpclust {

// A collective call. Rank 0 gets the clusters; the others get only num_edges
// and num_initial_centers. The errors of OClustR.
absl::StatusOr<OClustRResult> OClustRDistributed(Communicator& ranks,
                                                 GraphShare share,
                                                 int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_DISTRIBUTED_H_
