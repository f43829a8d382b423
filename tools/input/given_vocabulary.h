// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GivenVocabulary: what online_cluster has of --vocabulary.
//
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_TOOLS_INPUT_GIVEN_VOCABULARY_H_
#define WARPCLUST_TOOLS_INPUT_GIVEN_VOCABULARY_H_

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
  // What of it decides the clusters, for people too.
  std::string identity = "none";
};

// An empty path: none. The errors of ReadTermFrequencies.
absl::StatusOr<GivenVocabulary> ReadGivenVocabulary(absl::string_view path);

// What to say of terms that no text can have, as `analyzer` takes texts apart:
// how many, and the first. Empty if it is sure of none (Analyzer::MayBeTerm).
std::string LostTerms(const Vocabulary& vocabulary, Analyzer* analyzer);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_GIVEN_VOCABULARY_H_
