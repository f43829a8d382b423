// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random: a seeded generator with its own distributions. A seed gives the same
// numbers on every machine, on CPU and GPU, with every standard library.
//
//   Random random(seed);
//   const uint64_t die = 1 + random.Below(6);
//
// xoshiro256++ 1.0 of Blackman and Vigna (public domain), seeded by splitmix64.
// Doubles come from operations that IEEE 754 defines, not from libm. A
// generator may be copied between CPU and GPU as bytes. One thread per
// generator.

#ifndef WARPCLUST_BASE_NUMBERS_RANDOM_H_
#define WARPCLUST_BASE_NUMBERS_RANDOM_H_

#include <cstdint>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

class Random {
 public:
  // `stream` separates generators of one seed, such as one per document.
  WARPCLUST_HOST_DEVICE explicit Random(uint64_t seed, uint64_t stream = 0) {
    uint64_t state = seed + stream * 0xD1342543DE82EF95u;
    for (uint64_t& word : state_) word = SplitMix(&state);
  }

  WARPCLUST_HOST_DEVICE uint64_t Next() {
    const uint64_t result = Rotate(state_[0] + state_[3], 23) + state_[0];
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound); bound at least 1. Unbiased (Lemire 2019).
  WARPCLUST_HOST_DEVICE uint64_t Below(uint64_t bound) {
    unsigned __int128 product = static_cast<unsigned __int128>(Next()) * bound;
    if (static_cast<uint64_t>(product) < bound) {
      const uint64_t threshold = -bound % bound;
      while (static_cast<uint64_t>(product) < threshold) {
        product = static_cast<unsigned __int128>(Next()) * bound;
      }
    }
    return static_cast<uint64_t>(product >> 64);
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  WARPCLUST_HOST_DEVICE double Unit() {
    return static_cast<double>(Next() >> 11) * 0x1p-53;
  }

  // Nearly normal with mean 0 and deviation 1, within [-6, 6]: the sum of
  // twelve uniform numbers, minus six. Exact, and good enough for test data.
  WARPCLUST_HOST_DEVICE double Normal() {
    int64_t sum = 0;  // in units of 2^-32
    for (int i = 0; i < 6; ++i) {
      const uint64_t bits = Next();
      sum += static_cast<int64_t>(bits >> 32);
      sum += static_cast<int64_t>(bits & 0xFFFFFFFFu);
    }
    return static_cast<double>(sum - (int64_t{6} << 32)) * 0x1p-32;
  }

  WARPCLUST_HOST_DEVICE static uint64_t SplitMix(uint64_t* state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

 private:
  WARPCLUST_HOST_DEVICE static uint64_t Rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
  }

  uint64_t state_[4];
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_RANDOM_H_
