// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineListProbe: a block of documents by term lists (cosine_list_join.h): its
// graph, and its pairs with documents that visit it in pieces, as those of
// other ranks do. The lists are made once, and a visitor meets only those that
// share a significant term with it, so this is cheaper than CosineProbeCpu
// where a graph by lists is cheaper than one by tiles.
//
// Cost: a visitor, as a document of CosineListJoin. Memory: that of
// CosineBlockRows, 28 bytes per entry of the block in lists, 8 per term, and
// per thread 8 per term and a bit per document. All threads of the options
// join; calls must not overlap.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_PROBE_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_PROBE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/cpu/cosine_block_rows.h"
#include "graph/cosine/cpu/cosine_list_join.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class CosineListProbe {
 public:
  // `documents`, which must outlive the object, and `options` are valid.
  CosineListProbe(const DocumentMatrix& documents,
                  const CosineProbeOptions& options);
  ~CosineListProbe();

  // Null if tiles are expected to be cheaper, by a sample.
  static std::unique_ptr<CosineListProbe> MakeIfCheaper(
      const DocumentMatrix& documents, const CosineProbeOptions& options);

  // The graph of the block.
  absl::StatusOr<CsrGraph> Graph() const;

  // Appends all pairs of cosine >= β of a document from `begin` on (row) and a
  // visitor (probe), by visitor, then row. `visitors` are valid.
  // InvalidArgument for norms above those of the options; `edges` is then
  // unchanged.
  absl::Status Join(const DocumentMatrix& visitors, int32_t begin,
                    std::vector<ProbeEdge>* edges);

 private:
  class Worker;

  CosineBlockRows block_;
  const CosineLists lists_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_PROBE_H_
