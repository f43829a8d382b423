// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/pseudo_word.h"

namespace warpclust {

void AppendPseudoWord(int32_t number, std::string* text) {
  static constexpr char kConsonants[] = "bdfghjklmnprstvz";
  static constexpr char kVowels[] = "aou";
  constexpr int64_t kSyllables = 16 * 3;
  int64_t left = number;
  int syllables = 2;
  // Numbers of words with two, three, ... syllables follow each other.
  for (int64_t words = kSyllables * kSyllables; left >= words;
       words *= kSyllables) {
    left -= words;
    ++syllables;
  }
  for (int i = 0; i < syllables; ++i) {
    text->push_back(kConsonants[left % 16]);
    left /= 16;
    text->push_back(kVowels[left % 3]);
    left /= 3;
  }
}

}  // namespace warpclust
