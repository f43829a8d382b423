// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the words of an edge list may be: numbers, signs, names.

#ifndef WARPCLUST_GRAPH_IO_EDGE_WORDS_H_
#define WARPCLUST_GRAPH_IO_EDGE_WORDS_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// In ASCII. Both hold for the empty text.
bool HasNoDigit(absl::string_view text);
bool IsNumber(absl::string_view text);

// 1 for "+", "friend" and "positive", -1 for "-", "enemy" and "negative", in
// upper or lower case; else 0.
int SignOf(absl::string_view weight);

// Whether `weight` has letters and no digits, and is neither NaN nor infinite.
bool IsWord(absl::string_view weight);

// What is expected instead of a word that is no sign.
inline constexpr absl::string_view kExpectedSign =
    "a number, + or -, friend or enemy, positive or negative";

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_WORDS_H_
