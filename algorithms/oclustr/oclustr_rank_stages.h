// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of OClustRDistributed that its CPU and GPU halves share.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_RANK_STAGES_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_RANK_STAGES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "base/communicator/communicator.h"
#include "graph/csr/graph_share.h"
#include "graph/stars/distributed/remote_star_rows.h"
#include "graph/stars/relevance_table.h"

namespace warpclust::internal {

// What stages 1 and 2 give.
struct RankStages {
  // Of the whole graph, on rank 0 at least.
  RelevanceTable table;
  // Initial centers that this rank has found, in any order; those of all ranks
  // together are all, some maybe more than once.
  std::vector<int32_t> centers;
  OClustRSeconds seconds;
};

// Stage 3. A collective call, with the result of OClustRDistributed.
absl::StatusOr<OClustRResult> SelectOnRanks(Communicator& ranks,
                                            const std::vector<int32_t>& begins,
                                            RankStages stages,
                                            OwnStarRows own_rows,
                                            int num_threads);

// All three for a share on GPUs. Nothing, on all ranks, if a GPU lacks memory
// for it.
absl::StatusOr<std::optional<OClustRResult>> OClustROnGpus(
    Communicator& ranks, const GraphShare& share, int num_threads);

// Moves the rows of a share to the host.
absl::Status MoveToHost(GraphShare* share);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_RANK_STAGES_H_
