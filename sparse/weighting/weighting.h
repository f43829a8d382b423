// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Weighting: from term counts to the weights by which documents are compared.
//
//   TF      w = tf: the counts; integers, so that similarities are exact
//   TF-IDF  w = float(tf * ln(n / df)), computed in double; n documents, df of
//           them with the term. A term of every document gets 0 and is dropped.
//
// Cost: two passes over the entries. Weights are computed on the host; ln is
// the C library's, so the last bit of a TF-IDF weight may differ between C
// libraries.

#ifndef WARPCLUST_SPARSE_WEIGHTING_WEIGHTING_H_
#define WARPCLUST_SPARSE_WEIGHTING_WEIGHTING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

enum class Weighting { kTf, kTfIdf };

// "tf" or "tfidf"; InvalidArgument for anything else.
absl::StatusOr<Weighting> ParseWeighting(absl::string_view name);

// "tf" or "tfidf".
absl::string_view WeightingName(Weighting weighting);

// All of these take one thread unless told otherwise (0: all cores), because
// callers may be one of many threads.

// Weights the counts of `documents` (valid). Pass it by std::move to work in
// place. Entries whose weight is or rounds to 0 are dropped; rows may become
// empty but are not removed. InvalidArgument naming document and term if a
// weight overflows a float.
absl::StatusOr<DocumentMatrix> ApplyWeighting(DocumentMatrix documents,
                                              Weighting weighting,
                                              int num_threads = 1);

// The number of documents with each term.
std::vector<int32_t> DocumentFrequencies(const DocumentMatrix& documents,
                                         int num_threads = 1);

// ln(n / df) of each term, 0 if df is 0: the factors of TF-IDF. Keep them to
// weight later documents like this collection.
std::vector<double> InverseDocumentFrequencies(const DocumentMatrix& documents,
                                               int num_threads = 1);
// The same of terms with these df, in n documents.
std::vector<double> InverseDocumentFrequencies(
    absl::Span<const int32_t> frequencies, int64_t num_documents);

// w = float(tf * factors[term]), with zeros dropped. InvalidArgument if there
// are fewer factors than terms or, naming document and term, if a weight is
// negative, NaN or overflows a float.
absl::StatusOr<DocumentMatrix> ScaleTerms(DocumentMatrix documents,
                                          absl::Span<const double> factors,
                                          int num_threads = 1);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_WEIGHTING_WEIGHTING_H_
