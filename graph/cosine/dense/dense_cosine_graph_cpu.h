// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseCosineGraphCpu: CosineGraph of dense documents on the CPU. A filter in
// 16-bit digits with a proved bound (dense_digits.h) over all pairs, tile by
// tile; the pairs that pass are decided exactly.
//
// Cost: n² · dimensions / 2 multiplications of digits, and as many in double
// per pair as it has dimensions for the pairs that pass. Memory beyond the
// input and the graph: 2 bytes per value, 16 per document and edge, and 400 KB
// per thread.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_GRAPH_CPU_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_GRAPH_CPU_H_

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

// Vertex d is document d. InvalidArgument if the documents or the options are
// not valid.
absl::StatusOr<CsrGraph> DenseCosineGraphCpu(const DenseDocuments& documents,
                                             const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_GRAPH_CPU_H_
