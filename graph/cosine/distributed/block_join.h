// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JoinBlocks: the exchange of CosineGraphDistributed. Each rank joins its own
// block of documents with itself and with the pieces of other ranks, and the
// edges found for documents of another rank go back to it.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_BLOCK_JOIN_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_BLOCK_JOIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "graph/cosine/distributed/rank_block.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

// The rows of the documents of `block`, which has started and has its options,
// as in GraphShare. A collective call for DocumentMatrix or DenseDocuments. All
// ranks agree on `num_columns` (terms or dimensions), on `begins`, and on the
// options except the threads. `way`, unless null, becomes how pieces traveled.
template <typename Documents>
absl::StatusOr<CsrGraph> JoinBlocks(Communicator& ranks, int32_t num_columns,
                                    const std::vector<int32_t>& begins,
                                    const CosineExchange& exchange,
                                    RankBlock<Documents>& block,
                                    std::string* way);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_BLOCK_JOIN_H_
