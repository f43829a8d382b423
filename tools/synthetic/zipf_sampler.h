// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ZipfSampler: draws ranks 0, 1, 2, ... with probability proportional to
// 1 / (rank + 1 + offset), the Zipf-Mandelbrot law with exponent 1 that word
// frequencies follow. It uses Walker's alias method in integers (Vose 1991): a
// draw costs two random numbers and one look-up, whatever the size, and gives
// the same rank on every machine. Memory: 12 bytes per rank.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_ZIPF_SAMPLER_H_
#define WARPCLUST_TOOLS_SYNTHETIC_ZIPF_SAMPLER_H_

#include <cstdint>
#include <vector>

#include "base/numbers/random.h"

namespace warpclust {

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

#endif  // WARPCLUST_TOOLS_SYNTHETIC_ZIPF_SAMPLER_H_
