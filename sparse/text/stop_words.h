// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The English stop words, which say nothing about the subject of a document:
// function words (articles, pronouns, prepositions, conjunctions, auxiliaries),
// small numbers, the most common adverbs and verbs, and what is left of
// contractions when the apostrophe ends a word ("didn").

#ifndef WARPCLUST_SPARSE_TEXT_STOP_WORDS_H_
#define WARPCLUST_SPARSE_TEXT_STOP_WORDS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// True if `word`, in lower case, is one of them.
bool IsEnglishStopWord(absl::string_view word);

// All of them, ascending.
absl::Span<const absl::string_view> EnglishStopWords();

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_STOP_WORDS_H_
