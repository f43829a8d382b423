// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ExactCosines: the cosines of a CosineGraph in double, before they were
// rounded to the float weights of the graph. Use it to write a graph with
// WriteEdgeList (graph/io), so that a cosine of 0.7 is written as 0.7:
//
//   ASSIGN_OR_RETURN(const CsrGraph graph, CosineGraph(documents, options));
//   RETURN_IF_ERROR(
//       WriteEdgeList(graph, ids, ExactCosines(documents), write));
//
// Complexity: the entries of a document and of its neighbors. Memory: 8 bytes
// per document, and 8 per term and thread.

#ifndef WARPCLUST_GRAPH_COSINE_EXACT_COSINES_H_
#define WARPCLUST_GRAPH_COSINE_EXACT_COSINES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class ExactCosines {
 public:
  // `documents` must be valid and outlive this object.
  explicit ExactCosines(const DocumentMatrix& documents);

  // Sets cosines[k] to the cosine of `document` and others[k], by the rule of
  // graph/cosine/decision/cosine_decision.h: the weight of that edge is this
  // value as float. All documents must have terms. `scratch` must be empty, or
  // from an earlier call of this object; several threads need one each.
  void operator()(int32_t document, absl::Span<const int32_t> others,
                  std::vector<double>* scratch,
                  absl::Span<double> cosines) const;

 private:
  const DocumentMatrix& documents_;
  const std::vector<double> squared_norms_;
};

// The same for dense documents. Complexity: the dimensions of a document, for
// each neighbor.
class ExactDenseCosines {
 public:
  // `documents` must be valid and outlive this object.
  ExactDenseCosines(const DenseDocuments& documents, int num_threads);

  // As above. `scratch` is not used.
  void operator()(int32_t document, absl::Span<const int32_t> others,
                  std::vector<double>* scratch,
                  absl::Span<double> cosines) const;

 private:
  const DenseDocuments& documents_;
  const std::vector<double> squared_norms_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_EXACT_COSINES_H_
