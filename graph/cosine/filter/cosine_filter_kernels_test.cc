// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The loops that graph/cosine/cosine_probe.h adds, at every level of this
// processor, against their definitions. The others are met by all levels in
// graph/cosine/cpu/cosine_graph_cpu_test.cc.

#include "graph/cosine/filter/cosine_filter_kernels.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "base/machine/aligned_buffer.h"
#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CosineFilterKernelsTest, KeepTerms) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const uint32_t last = random() % 200;
    std::vector<int32_t> rank(last + 1, -1);
    for (uint32_t t = 0; t < last; ++t) {
      rank[t] = static_cast<int32_t>(random() % 300) - 60;
      rank[t] = std::max(rank[t], -1);
    }
    const int64_t size = random() % 100;
    const int32_t num_bounded = static_cast<int32_t>(random() % 250);
    std::vector<int32_t> terms(size);
    std::vector<float> weights(size);
    std::vector<int32_t> expected_terms;
    std::vector<float> expected_weights;
    double expected_rest = 0;
    for (int64_t e = 0; e < size; ++e) {
      terms[e] = static_cast<int32_t>(random() % 8 == 0 ? random() >> 1
                                                        : random() % 220);
      weights[e] = 0.01f * static_cast<float>(1 + random() % 1000);
      const int32_t term = rank[std::min<uint32_t>(terms[e], last)];
      if (term < 0) continue;
      expected_terms.push_back(term);
      expected_weights.push_back(weights[e]);
      if (term < num_bounded) expected_rest += weights[e] * weights[e];
    }
    for (SimdLevel level : SimdLevels()) {
      std::vector<int32_t> kept_terms(size + kKeepPadding);
      std::vector<float> kept_weights(size + kKeepPadding);
      double rest = -1;
      const int64_t kept = CosineFilterKernelsFor(level).keep_terms(
          terms.data(), weights.data(), size, rank.data(), last, num_bounded,
          kept_terms.data(), kept_weights.data(), &rest);
      kept_terms.resize(kept);
      kept_weights.resize(kept);
      EXPECT_EQ(kept_terms, expected_terms);
      EXPECT_EQ(kept_weights, expected_weights);
      EXPECT_NEAR(rest, expected_rest, 1e-5 * expected_rest);
    }
  }
}

TEST(CosineFilterKernelsTest, ScanHighBounded) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    for (SimdLevel level : SimdLevels()) {
      std::mt19937 random(seed);
      const CosineFilterKernels& kernels = CosineFilterKernelsFor(level);
      const int num_chunks = 1 + static_cast<int>(random() % 3);
      const int num_columns = num_chunks * kernels.chunk_u16;
      AlignedBuffer<uint16_t> accumulators;
      AlignedBuffer<uint16_t> thresholds;
      AlignedBuffer<uint16_t> rests;
      accumulators.Reserve(num_columns);
      thresholds.Reserve(num_columns);
      rests.Reserve(num_columns);
      const uint16_t factor = static_cast<uint16_t>(random() % 40000);
      const uint16_t rest = static_cast<uint16_t>(random());
      std::vector<uint16_t> expected;
      for (int c = 0; c < num_columns; ++c) {
        accumulators.data()[c] = static_cast<uint16_t>(random());
        thresholds.data()[c] = static_cast<uint16_t>(random());
        rests.data()[c] = static_cast<uint16_t>(random());
        const uint32_t threshold = std::max(thresholds.data()[c], factor);
        const uint32_t bound = uint32_t{rests.data()[c]} * rest >> 16;
        // Often exactly at the threshold, or one below.
        if (c % 3 == 0 && bound < threshold) {
          accumulators.data()[c] =
              static_cast<uint16_t>(threshold - bound - random() % 2);
        }
        if (accumulators.data()[c] + bound >= threshold) {
          expected.push_back(static_cast<uint16_t>(c));
        }
      }
      std::vector<uint16_t> found(num_columns + 32);
      found.resize(kernels.scan_high_bounded(
          accumulators.data(), thresholds.data(), rests.data(), factor, rest,
          num_chunks, found.data()));
      EXPECT_EQ(found, expected);
    }
  }
}

}  // namespace
}  // namespace warpclust
