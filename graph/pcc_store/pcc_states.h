// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStates: the states of vertices in the records of a PccStore, 512 vertices
// to a record, in StreamVByte (graph/pcc_store/codec/stream_vbyte.h): the low
// and the high halves of the sums of weights, the relevance counts, the
// degrees. An isolated vertex takes one byte, one with a few neighbors seven.

#ifndef WARPCLUST_GRAPH_PCC_STORE_PCC_STATES_H_
#define WARPCLUST_GRAPH_PCC_STORE_PCC_STATES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/pcc_store/paged_numbers.h"
#include "graph/pcc_store/pcc_records.h"

namespace warpclust {

// What the store keeps of a vertex beside its row.
struct VertexState {
  uint64_t weight_sum = 0;
  uint32_t relevance_count = 0;
  int32_t degree = 0;  // -1: the vertex is dead.

  friend bool operator==(const VertexState& a, const VertexState& b) {
    return a.weight_sum == b.weight_sum &&
           a.relevance_count == b.relevance_count && a.degree == b.degree;
  }
};

namespace internal {

class PccStates {
 public:
  explicit PccStates(PccRecords* records) : records_(records) {}

  // As PccStore::ReadStates and WriteStates, for legal arguments.
  absl::Status Read(absl::Span<const int32_t> vertices,
                    const DeadVertices& dead, absl::Span<VertexState> states);
  absl::Status Write(absl::Span<const int32_t> vertices,
                     absl::Span<const VertexState> states);

 private:
  // Reads `page` into page_; zeros if it was never written.
  absl::Status Load(int32_t page);

  PccRecords* records_;
  std::vector<uint32_t> page_;
};

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PCC_STATES_H_
