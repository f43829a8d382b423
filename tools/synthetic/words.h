// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of generated texts, and how often each occurs.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_WORDS_H_
#define WARPCLUST_TOOLS_SYNTHETIC_WORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/numbers/random.h"

namespace warpclust {

// Appends the word of `number`, which is not negative: two syllables below
// 2,304, three below 112,896, four below 5,421,312, five or six above.
// Different numbers give different words, and the analyzer of sparse/text
// leaves each as it is: with two syllables or more it is no English stop word,
// and the English Snowball stemmer removes none of its endings (a, o, u).
void AppendPseudoWord(int32_t number, std::string* text);

// Draws ranks 0, 1, 2, ... with probability proportional to
// 1 / (rank + 1 + offset), the Zipf-Mandelbrot law with exponent 1 that word
// frequencies follow. It uses Walker's alias method in integers (Vose 1991): a
// draw costs two random numbers and one look-up, whatever the size, and gives
// the same rank on every machine. Memory: 12 bytes per rank.
class ZipfSampler {
 public:
  // `size` at least 1, `offset` at least 0. The larger the offset, the flatter
  // the head.
  ZipfSampler(int32_t size, int32_t offset);

  int32_t size() const { return static_cast<int32_t>(alias_.size()); }

  // A rank in [0, size).
  int32_t Sample(Random* random) const {
    const uint64_t slot = random->Below(alias_.size());
    return random->Next() < keep_[slot] ? static_cast<int32_t>(slot)
                                        : alias_[slot];
  }

 private:
  // A slot keeps its own rank with probability keep / 2^64.
  std::vector<uint64_t> keep_;
  std::vector<int32_t> alias_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_WORDS_H_
