// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/words.h"

#include <limits>

namespace warpclust {

void AppendPseudoWord(int32_t number, std::string* text) {
  static constexpr char kConsonants[] = "bdfghjklmnprstvz";
  static constexpr char kVowels[] = "aou";
  constexpr int64_t kSyllables = 16 * 3;
  int64_t left = number;
  int syllables = 2;
  // Words with two syllables come first, then those with three, and so on.
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

ZipfSampler::ZipfSampler(int32_t size, int32_t offset)
    : keep_(size, std::numeric_limits<uint64_t>::max()), alias_(size) {
  // A rank of weight w fills size * w of the `total` that a slot holds.
  std::vector<uint64_t> weight(size);
  uint64_t total = 0;
  for (int32_t rank = 0; rank < size; ++rank) {
    weight[rank] = (uint64_t{1} << 40) / (uint64_t{1} + rank + offset);
    total += weight[rank];
  }
  using Wide = unsigned __int128;
  std::vector<Wide> filled(size);
  std::vector<int32_t> small, large;
  for (int32_t rank = 0; rank < size; ++rank) {
    filled[rank] = Wide{weight[rank]} * static_cast<uint64_t>(size);
    alias_[rank] = rank;
    (filled[rank] < total ? small : large).push_back(rank);
  }
  while (!small.empty() && !large.empty()) {
    const int32_t under = small.back();
    const int32_t over = large.back();
    small.pop_back();
    // filled < total < 2^46: (filled << 64) / total fits in 64 bits.
    keep_[under] = static_cast<uint64_t>((filled[under] << 64) / total);
    alias_[under] = over;
    filled[over] -= total - filled[under];
    if (filled[over] < total) {
      large.pop_back();
      small.push_back(over);
    }
  }
}

}  // namespace warpclust
