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
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

struct DeviceGraph;  // graph/csr/device_graph.h

// What tells whether cosines can be decided in integers (cosine_decision.h).
struct CosineBlockStatistics {
  double largest_squared_norm = 0;
  bool integer_weights = true;
};

// What stays on the device. ResourceExhausted if it does not fit there.
class CosineDeviceBlock {
 public:
  virtual ~CosineDeviceBlock() = default;

  virtual CosineBlockStatistics statistics() const = 0;
  // Before all that follows. `options` are valid; they allow integer_arithmetic
  // for the block and all its visitors if it is set.
  virtual void SetOptions(const CosineProbeOptions& options) = 0;

  // JoinPacked joins a visitor with up to this many documents of the block at
  // once, which costs about as much for fewer.
  virtual int32_t tile() const = 0;

  // Makes room for up to `num_rows` visitors of JoinPacked. JoinPacked makes it
  // if this was not called. Call it while the device works. An error changes
  // nothing.
  virtual absl::Status Reserve(int32_t num_rows) = 0;

  // The graph of the block. Call it before JoinPacked. `launched` may be
  // called, also more than once: from then on the device has most of the work.
  virtual absl::Status GraphOnDevice(DeviceGraph* graph,
                                     const std::function<void()>& launched) = 0;

  // Where the words of `num_rows` visitors may be written, so that JoinPacked
  // need not copy them: until the next call of it or of Reserve, also while
  // GraphOnDevice runs, by work that ends before JoinPacked. Null: nowhere, or
  // there was no Reserve for as many.
  virtual uint32_t* RoomForWords(int32_t num_rows) = 0;

  // Sets `words`, in the memory of the device, to what PackRows
  // (graph/cosine/distributed/document_pieces.h) makes of the rows [begin,
  // end). Does not wait for it.
  virtual absl::Status Pack(int32_t begin, int32_t end, uint32_t* words) = 0;

  // The edges of a document of the block and one of `num_rows` visitors, which
  // Pack made of a block with any terms or with as many dimensions. Visitors
  // are the vertices behind those of the block. Edges of documents before
  // `begin`, and those between visitors, are undefined.
  virtual absl::Status JoinPacked(const uint32_t* words, int64_t num_words,
                                  int32_t num_rows, int32_t begin,
                                  DeviceGraph* graph) = 0;
};

template <typename Documents>
class CosineBlockBackend : public CosineDeviceBlock {
 public:
  // The graph of the block, on the host. Call it before Join.
  virtual absl::StatusOr<CsrGraph> Graph() = 0;

  // Appends all pairs of cosine >= β of a document of the block from `begin` on
  // (row) and a visitor (probe). The probes of a row ascend, as do the rows of
  // a probe. On an error `edges` is unchanged; ResourceExhausted if they do not
  // fit in the memory of the device beside the block.
  virtual absl::Status Join(const Documents& visitors, int32_t begin,
                            std::vector<ProbeEdge>* edges) = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_BLOCK_BACKEND_H_
