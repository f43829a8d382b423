// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Weighting: from term counts to the weights that documents are compared by.
//
//   TF      w = tf: the counts as they are; integers, so that similarities are
//           exact
//   TF-IDF  w = float(tf * ln(n / df)), in double on the host before rounding;
//           n documents, df of them with the term. A term of every document
//           weighs 0 and is dropped.
//
// Cost: two passes over the entries. Determinism: the same on every device and
// with any number of threads; ln is the C library's, so the last bit of a
// TF-IDF weight may differ between C libraries. Thread-safety: pure functions.

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

// Weighs the counts of `documents` (valid); pass it by std::move to do so in
// place. Entries whose weight is 0, or rounds to 0, are dropped; rows may
// become empty, none is removed. InvalidArgument naming document and term if a
// weight overflows a float.
absl::StatusOr<DocumentMatrix> ApplyWeighting(DocumentMatrix documents,
                                              Weighting weighting);

// In how many documents each term occurs.
std::vector<int32_t> DocumentFrequencies(const DocumentMatrix& documents);

// ln(n / df) for each term, 0 where df is 0: what TF-IDF multiplies by. Keep it
// to weigh later documents as the collection it comes from was weighted.
std::vector<double> InverseDocumentFrequencies(const DocumentMatrix& documents);

// w = float(tf * factors[term]) with zeros dropped, as above. InvalidArgument
// if there are fewer factors than terms, or, naming document and term, if a
// weight is negative, NaN or overflows a float.
absl::StatusOr<DocumentMatrix> ScaleTerms(DocumentMatrix documents,
                                          absl::Span<const double> factors);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_WEIGHTING_WEIGHTING_H_
