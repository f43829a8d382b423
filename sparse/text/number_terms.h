// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NumberTerms: the terms of several vocabularies, each made of a part of the
// texts by a thread of its own, numbered together in ascending order of their
// bytes.
//
// Cost: a sort of each vocabulary, and a merge; both side by side. Memory: 32
// bytes per term of each part.

#ifndef WARPCLUST_SPARSE_TEXT_NUMBER_TERMS_H_
#define WARPCLUST_SPARSE_TEXT_NUMBER_TERMS_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

struct NumberedTerms {
  // By part and number in its vocabulary: the number among the terms of all.
  std::vector<std::vector<int32_t>> numbers;
  // Ascending. They point into the vocabularies.
  std::vector<absl::string_view> terms;
};

// The terms of `parts` together. num_threads 0: all cores.
NumberedTerms NumberTerms(absl::Span<const Vocabulary> parts, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_NUMBER_TERMS_H_
