// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GivenVocabulary: the --vocabulary of online_cluster.

#ifndef WARPCLUST_TOOLS_INPUT_STREAM_GIVEN_VOCABULARY_H_
#define WARPCLUST_TOOLS_INPUT_STREAM_GIVEN_VOCABULARY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/term_frequencies.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

struct GivenVocabulary {
  absl::optional<TermFrequencies> terms;
  // Identifies the vocabulary among the flags that decide the clusters.
  std::string identity = "none";
};

// No terms for an empty path. The errors of ReadTermFrequencies.
absl::StatusOr<GivenVocabulary> ReadGivenVocabulary(absl::string_view path);

// A warning about terms that `analyzer` never makes of a text: how many, and
// the first. Empty if there are none for certain (Analyzer::MayBeTerm).
std::string LostTerms(const Vocabulary& vocabulary, Analyzer* analyzer);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_STREAM_GIVEN_VOCABULARY_H_
