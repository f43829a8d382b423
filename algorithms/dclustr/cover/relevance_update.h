// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UpdateRelevances: degrees, sums of weights and relevance counts (see
// graph/stars/relevance_table.h) of the affected components after a change,
// from those before it and from the rows of the vertices whose edges changed.
//
// Complexity: one pass over the rows of the changed vertices, on all cores. On
// a GPU (cuda/relevance_counter.h) the cores only decode the rows.
// Memory: 8 bytes per vertex of the store (36 for a GPU), 40 per affected
// vertex.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_RELEVANCE_UPDATE_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_RELEVANCE_UPDATE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/cover/affected_graph.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/stars/relevance_table.h"
#include "kernels/device/device.h"

namespace warpclust {

struct RelevanceUpdate {
  // Of the affected vertices, by local number.
  RelevanceTable table;
  // Local numbers of the vertices whose edges changed, ascending.
  std::vector<int32_t> changed;
  // Entries of their rows.
  int64_t entries = 0;
  // Where they were counted.
  Device device = Device::kCpu;
};

// Whether counting this many entries on a GPU pays with `num_threads` (at least
// 1) threads.
bool PaysOnGpu(int64_t entries, int num_threads);

// `states` are those before the change, zeros for added vertices. `graph` is
// the one after the change. The result is the same on every device; kAuto
// chooses a GPU if there is one, it PaysOnGpu, and its memory suffices.
// DataLoss if states and graph do not fit; with kCuda, Unavailable or
// ResourceExhausted.
absl::StatusOr<RelevanceUpdate> UpdateRelevances(
    AffectedGraph* graph, absl::Span<const VertexState> states,
    const PccChange& change, int num_threads, Device device = Device::kCpu);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_RELEVANCE_UPDATE_H_
