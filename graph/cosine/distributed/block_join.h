// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JoinBlocks: the exchange of CosineGraphDistributed. Each rank joins its own
// block of documents with itself and with the pieces of other ranks, and the
// edges found for documents of another rank go back to it.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_BLOCK_JOIN_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_BLOCK_JOIN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "graph/cosine/distributed/device_join.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "graph/cosine/distributed/rank_block.h"
#include "graph/csr/graph_share.h"

namespace warpclust {

// How pieces travel.
struct ExchangeWay {
  // "host memory", maybe with the reason, or what device_exchange.h says.
  std::string name = "host memory";
  // Null: through the hosts.
  std::unique_ptr<DeviceJoin> device_join;
};

// A collective call for DocumentMatrix or DenseDocuments, with the GPU of each
// rank as the current one of its thread. `is_on_device`: whether this rank has
// documents that will be on its GPU. It reads only how many there are, so they
// may be uploaded meanwhile.
template <typename Documents>
absl::StatusOr<ExchangeWay> ChooseWay(Communicator& ranks,
                                      const Documents& documents,
                                      bool is_on_device,
                                      const CosineExchange& exchange);

// Sets the rows of `share`, which has its `begins`: those of the documents of
// `block`, which has started and has its options. A collective call. All ranks
// agree on `num_columns` (terms or dimensions), on `begins`, on the exchange,
// and on the options except the threads. The way may become another one.
template <typename Documents>
absl::Status JoinBlocks(Communicator& ranks, int32_t num_columns,
                        const CosineExchange& exchange, ExchangeWay* way,
                        RankBlock<Documents>* block, GraphShare* share);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_BLOCK_JOIN_H_
