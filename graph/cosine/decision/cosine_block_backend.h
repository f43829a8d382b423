// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineBlockBackend: a block of documents, sparse or dense, that stays on a
// device, with the pairs in it and those of it with documents that visit it.
// What the ranks of a job do with their blocks
// (graph/cosine/distributed/rank_block.h).

#ifndef WARPCLUST_GRAPH_COSINE_DECISION_COSINE_BLOCK_BACKEND_H_
#define WARPCLUST_GRAPH_COSINE_DECISION_COSINE_BLOCK_BACKEND_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

template <typename Documents>
class CosineBlockBackend {
 public:
  virtual ~CosineBlockBackend() = default;

  // The graph of the block. Call it before Join.
  virtual absl::StatusOr<CsrGraph> Graph() = 0;

  // Appends all pairs of cosine >= β of a document of the block from `begin` on
  // (row) and a visitor (probe). The probes of a row ascend, as do the rows of
  // a probe. On an error `edges` is unchanged; ResourceExhausted if they do not
  // fit in the memory of the device beside the block.
  virtual absl::Status Join(const Documents& visitors, int32_t begin,
                            std::vector<ProbeEdge>* edges) = 0;

  // Sets `words`, in the memory of the device, to what PackRows
  // (graph/cosine/distributed/document_pieces.h) makes of the rows [begin,
  // end). Does not wait for it.
  virtual absl::Status Pack(int32_t begin, int32_t end, uint32_t* words) = 0;

  // Join with `num_rows` visitors that Pack made, of a block with any terms or
  // with as many dimensions.
  virtual absl::Status JoinPacked(const uint32_t* words, int64_t num_words,
                                  int32_t num_rows, int32_t begin,
                                  std::vector<ProbeEdge>* edges) = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_BLOCK_BACKEND_H_
