// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FirstWords: the beginning of a text on one line, to show as its title.

#ifndef WARPCLUST_SPARSE_TEXT_FIRST_WORDS_H_
#define WARPCLUST_SPARSE_TEXT_FIRST_WORDS_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

// `text` (well-formed UTF-8) with each run of blanks, line ends (also U+0085,
// U+2028, U+2029) and control characters as one blank, and none at the ends. Of
// a text that is longer than `most_bytes`, the first words that fit, or a part
// of the first one, and "…".
std::string FirstWords(absl::string_view text, size_t most_bytes = 80);

// The title to show for a document: its own title on one line, or else the
// first words of its text. Empty if both are.
std::string DocumentTitle(absl::string_view title, absl::string_view text);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_FIRST_WORDS_H_
