// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AppendBatches: the edges that the threads of a probe found, in the order of
// the batches that they took. AppendEdges: those of one row.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_PROBE_BATCHES_H_
#define WARPCLUST_GRAPH_COSINE_CPU_PROBE_BATCHES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/cosine/decision/cosine_probe_options.h"

namespace warpclust {

// Appends the edges of a row with a tile of probes, the first of which is
// `first_probe`.
inline void AppendEdges(int32_t row, int32_t first_probe, const RowEdges& found,
                        std::vector<ProbeEdge>* edges) {
  for (size_t k = 0; k < found.size(); ++k) {
    edges->push_back(
        {row, first_probe + found.columns()[k], found.cosines()[k]});
  }
}

// The edges of one batch: where its thread put them.
struct ProbeBatch {
  int thread = 0;
  size_t begin = 0;
  size_t end = 0;
};

// `found_of` gives the edges of a thread.
template <class FoundOf>
void AppendBatches(absl::Span<const ProbeBatch> batches,
                   const FoundOf& found_of, std::vector<ProbeEdge>* edges) {
  size_t total = edges->size();
  for (const ProbeBatch& batch : batches) total += batch.end - batch.begin;
  // Exactly as many, each time, would copy all edges for each call.
  if (total > edges->capacity()) {
    edges->reserve(std::max(total, 2 * edges->capacity()));
  }
  for (const ProbeBatch& batch : batches) {
    const auto found = absl::MakeConstSpan(found_of(batch.thread))
                           .subspan(batch.begin, batch.end - batch.begin);
    edges->insert(edges->end(), found.begin(), found.end());
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_PROBE_BATCHES_H_
