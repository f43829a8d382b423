// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PseudoWord: a pronounceable made-up word for a number, for generated texts.
// Different numbers give different words, and each passes the analyzer of
// sparse/ as it is: two syllables or more, so never an English stop word, and
// no ending that the English Snowball stemmer takes off (all end in a, o, u).
//
// Thread-safety: pure.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_PSEUDO_WORD_H_
#define WARPCLUST_TOOLS_SYNTHETIC_PSEUDO_WORD_H_

#include <cstdint>
#include <string>

namespace warpclust {

// Appends the word of `number` (not negative) to `text`: two syllables below
// 2,304, three below 112,896, four below 5,421,312, five or six for the rest.
void AppendPseudoWord(int32_t number, std::string* text);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_PSEUDO_WORD_H_
