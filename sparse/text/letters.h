// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Letters: which code points make words, and their lower case.
//
// A letter is a code point of Unicode's general categories L (letters of all
// scripts) and Mn, Mc (accents and vowel signs, which never end a word). In the
// Basic Multilingual Plane the answer is that of Unicode 14; above it, whole
// blocks of scripts are taken as letters, symbols and emoji are not.
//
// Case: Latin (Latin-1, Extended-A and Additional, full width), Greek, Cyrillic
// and Armenian; the simple, one to one lower case. All others stay as they are.
// Two folds go further, so that one word has one form: final sigma is sigma,
// and dotted capital I is i. No normalisation: "e" plus a combining accent is
// not the precomposed letter.
//
// Cost: a look into an 8 KiB bitmap. Thread-safety: pure functions.

#ifndef WARPCLUST_SPARSE_TEXT_LETTERS_H_
#define WARPCLUST_SPARSE_TEXT_LETTERS_H_

namespace warpclust {

bool IsLetter(char32_t code_point);

char32_t FoldCase(char32_t code_point);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_LETTERS_H_
