// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineTileProbe: the pairs of a block of documents with others that visit it
// in pieces, as those of other ranks do, by tiles (cosine_tile_join.h). The
// rows of the block are made once, and meet one tile of visitors after the
// other, as those of a graph do.
//
// For a stored collection that gets a few new documents, CosineProbeCpu needs
// no memory for rows of the collection. Where few pairs share rare terms,
// CosineListProbe is cheaper.
//
// Cost: that of the same number of pairs in CosineGraphCpu. Memory: 10 bytes
// per entry of the block, 14 while its rows are made, and 12 per term; 16 bytes
// per entry of a piece; and per thread a tile and the accumulators of its rows,
// about 2 MB, and 24 bytes per term of the block, 56 if there are documents of
// very many terms. All threads of the options join; calls must not overlap.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_TILE_PROBE_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_TILE_PROBE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "graph/cosine/cpu/cosine_block_rows.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class CosineTileProbe {
 public:
  // `documents`, which must outlive the object, and `options` are valid.
  CosineTileProbe(const DocumentMatrix& documents,
                  const CosineProbeOptions& options)
      : block_(documents, options, /*closed=*/false) {
    block_.DropWeights();
  }

  // Appends all pairs of cosine >= β of a document from `begin` on (row) and a
  // visitor (probe): those of a row by visitor, and those of a visitor by row.
  // `visitors` are valid. InvalidArgument for norms above those of the options;
  // `edges` is then unchanged.
  absl::Status Join(const DocumentMatrix& visitors, int32_t begin,
                    std::vector<ProbeEdge>* edges);

 private:
  CosineBlockRows block_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_TILE_PROBE_H_
