// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TermFrequencies: a vocabulary that knows in how many documents of its
// collection each term occurs, so that later documents can be weighed as that
// collection was (ScaleTerms in weighting.h, by InverseDocumentFrequencies).
//
// The file is that of a vocabulary with a column more, and a last line:
//
//   abil<TAB>17          term i on line i + 1, documents that hold it
//   ...
//   #documents<TAB>414   documents of the collection
//
// gzip'ed if the name says so. A plain vocabulary is read too, without
// frequencies. Cost: linear. Thread-safety: a plain value, but move-only.

#ifndef WARPCLUST_SPARSE_TEXT_TERM_FREQUENCIES_H_
#define WARPCLUST_SPARSE_TEXT_TERM_FREQUENCIES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

struct TermFrequencies {
  Vocabulary vocabulary;
  // One a term, each in [1, num_documents]; empty if they are not known.
  std::vector<int64_t> frequencies;
  int64_t num_documents = 0;

  // ln(n / df) a term, in double: what TF-IDF multiplies by.
  std::vector<double> InverseDocumentFrequencies() const;
};

// InvalidArgument naming file and line for a line of another form, a repeated
// term, and frequencies that exceed the documents; the errors of LineReader.
absl::StatusOr<TermFrequencies> ReadTermFrequencies(absl::string_view path);
absl::StatusOr<TermFrequencies> ReadTermFrequencies(LineReader& lines);

// Writes it, with frequencies, as TextWriter does. InvalidArgument if it would
// not read back: a term is empty, holds a tab or a line end, or starts with
// '#', there are not as many frequencies as terms, or one is not in
// [1, num_documents].
absl::Status WriteTermFrequencies(const Vocabulary& vocabulary,
                                  const std::vector<int32_t>& frequencies,
                                  int64_t num_documents,
                                  absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_TERM_FREQUENCIES_H_
