// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MergeTerms: the columns of documents that are dealt to the ranks of a job.
// Each rank knows the terms of its own documents; terms of all ranks are
// numbered in ascending order of their bytes, as VectorizeTexts does in one
// process.
//
//   ASSIGN_OR_RETURN(const MergedTerms merged,
//                    MergeTerms(ranks, vocabulary, frequencies));
//
// No rank holds all terms: each one owns a range of them, which samples of all
// ranks bound.
//
// Cost: a sort of the rank's terms. A rank sends its terms once.

#ifndef WARPCLUST_SPARSE_TEXT_MERGE_TERMS_H_
#define WARPCLUST_SPARSE_TEXT_MERGE_TERMS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

struct MergedTerms {
  // By term of the rank's vocabulary: its number among the terms of all ranks,
  // and how many documents of all ranks have it.
  std::vector<int32_t> numbers;
  std::vector<int32_t> frequencies;
  // The number of terms of all ranks.
  int32_t num_terms = 0;
};

// A collective call. `frequencies`: the number of the rank's documents with
// each term of `vocabulary`. InvalidArgument if there are more than 2^31 - 1
// terms.
absl::StatusOr<MergedTerms> MergeTerms(Communicator& ranks,
                                       const Vocabulary& vocabulary,
                                       absl::Span<const int32_t> frequencies);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_MERGE_TERMS_H_
