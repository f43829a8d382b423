// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The term weights of a stored collection: those of its frozen frequencies.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_WEIGHTS_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_WEIGHTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "algorithms/dclustr/edges/term_weights.h"
#include "graph/pcc_store/documents/document_store.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

// For the stored terms, and at least `num_terms`.
absl::StatusOr<TermWeights> FrozenWeights(const DocumentStore& documents,
                                          Weighting weighting,
                                          int32_t num_terms);

// weights.Drift from the present frequencies of a tfidf collection.
absl::StatusOr<double> IdfDrift(const DocumentStore& documents,
                                const TermWeights& weights);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_WEIGHTS_H_
