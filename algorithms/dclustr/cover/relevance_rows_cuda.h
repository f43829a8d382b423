// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances of an update on a GPU: the half of UpdateRelevances
// (relevance_update.h) that reads rows. A build without --config=cuda links
// relevance_rows_unavailable.cc.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_RELEVANCE_ROWS_CUDA_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_RELEVANCE_ROWS_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/cover/affected_graph.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/stars/relevance_table.h"

namespace warpclust {

// Sets the counts of the vertices `changed` (local numbers; their rows are
// prepared) and corrects those of their neighbors. `table` has the degrees and
// sums after the change and the counts before it; `states` are those before.
// `num_threads` (at least 1) threads read rows. After an error `table` is
// unchanged: DataLoss if rows do not fit, Unavailable without a GPU,
// ResourceExhausted if its memory does not suffice (relevance_counter.h).
absl::Status CountRowsCuda(const AffectedGraph& graph,
                           absl::Span<const VertexState> states,
                           absl::Span<const int32_t> changed, int num_threads,
                           RelevanceTable* table);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_RELEVANCE_ROWS_CUDA_H_
