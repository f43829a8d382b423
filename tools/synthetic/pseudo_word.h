// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A pronounceable made-up word for a number. Different numbers give different
// words, and the analyzer of sparse/text leaves each as it is: with two
// syllables or more it is no English stop word, and the English Snowball stemmer
// removes none of its endings (a, o, u).

#ifndef WARPCLUST_TOOLS_SYNTHETIC_PSEUDO_WORD_H_
#define WARPCLUST_TOOLS_SYNTHETIC_PSEUDO_WORD_H_

#include <cstdint>
#include <string>

namespace warpclust {

// Appends the word of `number`, which is not negative: two syllables below
// 2,304, three below 112,896, four below 5,421,312, five or six above.
void AppendPseudoWord(int32_t number, std::string* text);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_PSEUDO_WORD_H_
