// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineExplainer: why two documents are similar: their cosine, and what each
// shared term adds to it. Use it to say why a document is in a star cluster:
// compare it with the center.
//
//   const CosineExplainer explain(documents);
//   const CosineExplanation why = explain(document, center);
//   for (const CosineShare& share : why.shares) {
//     Print(words[share.column], share.text);
//   }
//
// The cosine is that of ExactCosines (graph/cosine), and its text is the one
// that WriteEdgeList writes for it. The texts of the shares are decimals that
// add up to it exactly. A share is w(t, a) * w(t, b) / (|a| * |b|), up to two
// units of its last place.
//
// Complexity of a call: the entries of both documents, and a sort of the shared
// terms. Memory: 8 bytes per document.

#ifndef WARPCLUST_EVAL_DESCRIBE_EXPLAIN_COSINE_H_
#define WARPCLUST_EVAL_DESCRIBE_EXPLAIN_COSINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct CosineShare {
  int32_t column = 0;
  double value = 0;
  // With as many decimal places as every other share.
  std::string text;
};

struct CosineExplanation {
  double cosine = 0;
  // As similarity_graph prints it.
  std::string text = "0";
  // The largest first, ties by column.
  std::vector<CosineShare> shares;
};

class CosineExplainer {
 public:
  // `documents` must be valid and outlive this object. `digits` as for
  // WriteEdgeList, in [9, 17].
  explicit CosineExplainer(const DocumentMatrix& documents, int digits = 9);

  // May be called from several threads. Without shared terms, the cosine is 0.
  CosineExplanation operator()(int32_t a, int32_t b) const;

 private:
  const DocumentMatrix& documents_;
  const int digits_;
  const std::vector<double> squared_norms_;
};

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_DESCRIBE_EXPLAIN_COSINE_H_
