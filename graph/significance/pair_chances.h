// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// EstimatePairChances: how likely two documents belong together, from nothing
// but the documents. Use it to compare clusters without labels
// (expected_bcubed.h).
//
//   ASSIGN_OR_RETURN(const CsrGraph chances,
//                    EstimatePairChances(counts, {Weighting::kTf}, {}));
//
// Documents that have nothing to do with each other share terms by chance, the
// more the longer they are and the more frequent their terms. ShuffleTerms
// (sparse) makes such documents of the same lengths, counts and frequencies.
// If of the pairs with a cosine near c there are a in the documents and b in
// the shuffled ones, about b of the a are there by chance, and the chance that
// one of them belongs together is 1 - b / a.
//
// Cosines are put into a hundred intervals of equal width. The chances are made
// to grow with the cosine (isotonic regression, weighted by a), and kept in [0,
// 1]. With several weightings, the chance of a pair is the mean of theirs.
//
// Complexity: two cosine graphs per weighting. Memory: those of one weighting.

#ifndef WARPCLUST_GRAPH_SIGNIFICANCE_PAIR_CHANCES_H_
#define WARPCLUST_GRAPH_SIGNIFICANCE_PAIR_CHANCES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/numbers/decimal.h"
#include "graph/csr/csr_graph.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

struct PairChanceOptions {
  // Pairs with a smaller cosine count as not belonging together. In (0, 1].
  Decimal least = "0.05";
  // Of the shuffled documents.
  uint64_t seed = 1;
  // 0: all cores. Never changes the result.
  int num_threads = 0;
};

// A graph over the documents whose weights are chances in (0, 1]; pairs without
// an edge have none. `counts` are term counts, or other weights, of valid
// documents. InvalidArgument if an option is not as above; the errors of
// ApplyWeighting and CosineGraph.
absl::StatusOr<CsrGraph> EstimatePairChances(
    const DocumentMatrix& counts, absl::Span<const Weighting> weightings,
    const PairChanceOptions& options);

// The same for dense documents, compared with those of MixRows
// (sparse/dense/mix_rows.h). The errors of CosineGraph.
absl::StatusOr<CsrGraph> EstimatePairChances(const DenseDocuments& documents,
                                             const PairChanceOptions& options);

namespace internal {

// The chance of each interval, of `found` pairs of which `by_chance` are
// expected: growing, in [0, 1].
std::vector<double> IntervalChances(absl::Span<const int64_t> found,
                                    absl::Span<const int64_t> by_chance);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_SIGNIFICANCE_PAIR_CHANCES_H_
