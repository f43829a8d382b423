// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Letters: which code points form words, and their lower case.
//
// A letter is a code point of Unicode's general categories L (letters of all
// scripts), Mn and Mc (accents and vowel signs, which never end a word). In the
// Basic Multilingual Plane this follows Unicode 14. Above it, whole blocks of
// scripts are letters; symbols and emoji are not.
//
// Lower case is the simple one-to-one mapping for Latin (Latin-1, Extended-A
// and Additional, full width), Greek, Cyrillic and Armenian. Other scripts stay
// as they are. Two folds give a word one form: final sigma becomes sigma,
// dotted capital I becomes i. There is no normalization: "e" with a combining
// accent differs from the precomposed letter.
//
// Cost: a lookup in an 8 KiB bitmap.

#ifndef WARPCLUST_SPARSE_TEXT_LETTERS_H_
#define WARPCLUST_SPARSE_TEXT_LETTERS_H_

namespace warpclust {

bool IsLetter(char32_t code_point);

char32_t FoldCase(char32_t code_point);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_LETTERS_H_
