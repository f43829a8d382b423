// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TermWeights: from the counts that a collection stores to the weights by which
// its documents are compared. They stay the same as long as the collection's
// term frequencies are frozen, so an edge between two documents never changes.
//
//   tf      the counts
//   tfidf   float(tf · ln(n / df)), with n and df as frozen; a term that no
//           document had then counts as one that one document had: ln(n)

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_TERM_WEIGHTS_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_TERM_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/pcc_store/documents/document_store.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

class TermWeights {
 public:
  // For tf.
  TermWeights() = default;
  // For tfidf, over `num_terms` terms; `frequencies` are those of the first
  // ones.
  TermWeights(absl::Span<const int32_t> frequencies, int32_t num_documents,
              int32_t num_terms);

  // Whether Weigh returns its argument: tf.
  bool are_counts() const { return is_tf_; }

  // The factor of each term's counts; empty for tf.
  absl::Span<const double> factors() const { return factors_; }

  // The weighted rows of `counts`, whose num_terms is at most that of the
  // constructor. InvalidArgument if a weight overflows a float.
  absl::StatusOr<DocumentMatrix> Weigh(DocumentMatrix counts) const;

  // How far the frozen weights are from those of the present frequencies: the
  // mean of |ln(n / df) now - then| over the present pairs of document and
  // term. 0 for tf.
  double Drift(absl::Span<const int32_t> frequencies,
               int32_t num_documents) const;

 private:
  bool is_tf_ = true;
  std::vector<double> factors_;  // by term
};

// The weights of the frozen frequencies of `documents`, for the stored terms
// and at least `num_terms`.
absl::StatusOr<TermWeights> FrozenWeights(const DocumentStore& documents,
                                          Weighting weighting,
                                          int32_t num_terms);

// weights.Drift from the present frequencies of a tfidf collection.
absl::StatusOr<double> IdfDrift(const DocumentStore& documents,
                                const TermWeights& weights);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_TERM_WEIGHTS_H_
