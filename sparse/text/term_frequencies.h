// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TermFrequencies: a vocabulary with the document frequency of each term, so
// that later documents can be weighted like their collection (ScaleTerms in
// weighting.h, by InverseDocumentFrequencies).
//
// The file has one line per term and a last line for the collection:
//
//   abil<TAB>17          term i on line i + 1, and the documents that hold it
//   ...
//   #documents<TAB>414   the documents of the collection
//
// It is gzip'ed if the name says so. A plain vocabulary is read too, without
// frequencies. Cost: linear. Move-only.

#ifndef WARPCLUST_SPARSE_TEXT_TERM_FREQUENCIES_H_
#define WARPCLUST_SPARSE_TEXT_TERM_FREQUENCIES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

struct TermFrequencies {
  Vocabulary vocabulary;
  // One per term, each in [1, num_documents]; empty if unknown.
  std::vector<int64_t> frequencies;
  int64_t num_documents = 0;

  // ln(n / df) of each term in double: the factors of TF-IDF.
  std::vector<double> InverseDocumentFrequencies() const;
};

// InvalidArgument naming file and line for a line of another form, a repeated
// term, and frequencies that exceed the documents; the errors of LineReader.
absl::StatusOr<TermFrequencies> ReadTermFrequencies(absl::string_view path);
absl::StatusOr<TermFrequencies> ReadTermFrequencies(LineReader& lines);

// Writes a vocabulary with frequencies by TextWriter. InvalidArgument if it
// would not read back: a term is empty, holds a tab or a line end, or starts
// with '#'; the number of frequencies is not that of terms; or one is outside
// [1, num_documents].
absl::Status WriteTermFrequencies(const Vocabulary& vocabulary,
                                  const std::vector<int32_t>& frequencies,
                                  int64_t num_documents,
                                  absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_TERM_FREQUENCIES_H_
