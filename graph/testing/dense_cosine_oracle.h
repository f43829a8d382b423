// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the cosine graph of dense documents: the naive definition, and
// random rows of many kinds.

#ifndef WARPCLUST_GRAPH_TESTING_DENSE_COSINE_ORACLE_H_
#define WARPCLUST_GRAPH_TESTING_DENSE_COSINE_ORACLE_H_

#include <cstdint>
#include <vector>

#include "base/numbers/decimal.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// All pairs by plain loops, decided by cosine_decision.h. O(n² · dimensions).
CsrGraph NaiveDenseCosineGraph(const DenseDocuments& documents,
                               const Decimal& beta, bool integer_decisions);

// All pairs of a document of `block` and a probe, by row, then probe.
std::vector<ProbeEdge> NaiveProbeEdges(const DenseDocuments& block,
                                       const DenseDocuments& probes,
                                       const CosineProbeOptions& options);

enum class DenseKind {
  kGaussian,       // Directions with noise of several sizes, signed.
  kNonNegative,    // The same in magnitude, half of the values 0.
  kSmallIntegers,  // -2 ... 2: many cosines are exactly 1/2 and the like.
  kCounts,         // 0 ... 3
  kAroundBeta,     // Pairs whose cosine is 0.6 up to the last bits.
  kExtremes,       // Rows scaled by 2^-140 ... 2^120, denormals among them.
  kSpikes,         // One dimension far above the others.
};
inline constexpr DenseKind kDenseKinds[] = {
    DenseKind::kGaussian, DenseKind::kNonNegative, DenseKind::kSmallIntegers,
    DenseKind::kCounts,   DenseKind::kAroundBeta,  DenseKind::kExtremes,
    DenseKind::kSpikes};

// Finite. About one row in ten is zeros, one in ten repeats another.
DenseDocuments RandomDenseDocuments(DenseKind kind, int32_t num_documents,
                                    int32_t num_dimensions, uint64_t seed);

// The same documents without their zeros. Values must not be negative.
DocumentMatrix SparseOfDense(const DenseDocuments& documents);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_DENSE_COSINE_ORACLE_H_
