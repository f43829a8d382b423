// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ScanBoundedFunction and ScanListFunction against their definitions, at every
// level of this processor. graph/cosine/cpu/cosine_graph_cpu_test.cc runs the
// other loops at all levels.

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

TEST(CosineFilterKernelsTest, Scan) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    for (SimdLevel level : SimdLevels()) {
      std::mt19937 random(seed);
      const auto& loops = CosineFilterKernelsFor(level).quantized;
      const bool high = seed % 2 == 1;
      const int num_chunks = static_cast<int>(1 + random() % 3);
      const int num_columns = num_chunks * loops.chunk;
      const auto factor = static_cast<uint16_t>(random());
      AlignedBuffer<uint16_t> accumulators;
      AlignedBuffer<uint16_t> thresholds;
      accumulators.Reserve(num_columns);
      thresholds.Reserve(num_columns);
      std::vector<uint16_t> expected;
      for (int c = 0; c < num_columns; ++c) {
        // Thresholds on both sides of the factor; few columns pass, by one.
        const auto threshold = static_cast<uint16_t>(random());
        thresholds.data()[c] = threshold;
        const uint32_t least = high ? std::max(threshold, factor)
                                    : (uint32_t{threshold} * factor) >> 16;
        const uint32_t above = random() % 90 == 0 && least < 65535 ? 1 : 0;
        accumulators.data()[c] = static_cast<uint16_t>(least + above);
        if (above == 1) expected.push_back(static_cast<uint16_t>(c));
      }
      std::vector<uint16_t> found(num_columns + 32);
      found.resize(loops.scan[high](accumulators.data(), thresholds.data(),
                                    factor, num_chunks, found.data()));
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(CosineFilterKernelsTest, ScanBounded) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    for (SimdLevel level : SimdLevels()) {
      std::mt19937 random(seed);
      const CosineFilterKernels& kernels = CosineFilterKernelsFor(level);
      const int num_chunks = 1 + static_cast<int>(random() % 3);
      const int num_columns = num_chunks * kernels.quantized.chunk;
      AlignedBuffer<uint16_t> accumulators;
      AlignedBuffer<uint16_t> thresholds;
      AlignedBuffer<uint16_t> residuals;
      accumulators.Reserve(num_columns);
      thresholds.Reserve(num_columns);
      residuals.Reserve(num_columns);
      const uint16_t factor = static_cast<uint16_t>(random() % 40000);
      const uint16_t residual = static_cast<uint16_t>(random());
      std::vector<uint16_t> expected;
      for (int c = 0; c < num_columns; ++c) {
        accumulators.data()[c] = static_cast<uint16_t>(random());
        thresholds.data()[c] = static_cast<uint16_t>(random());
        residuals.data()[c] = static_cast<uint16_t>(random());
        const uint32_t threshold = std::max(thresholds.data()[c], factor);
        const uint32_t bound = uint32_t{residuals.data()[c]} * residual >> 16;
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
      found.resize(kernels.scan_bounded(accumulators.data(), thresholds.data(),
                                        residuals.data(), factor, residual,
                                        num_chunks, found.data()));
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(CosineFilterKernelsTest, ScanList) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    for (SimdLevel level : SimdLevels()) {
      std::mt19937 random(seed);
      const int count = static_cast<int>(random() % 70);
      std::vector<int32_t> documents(count + kListPadding);
      std::vector<float> weights(documents.size());
      std::vector<float> rests(documents.size());
      // Eighths: every level computes the same, often the threshold itself.
      const auto eighth = [&] { return static_cast<float>(random() % 9) / 8; };
      const float weight = eighth();
      const float rest = eighth();
      const float least = eighth();
      std::vector<int32_t> expected;
      for (size_t i = 0; i < documents.size(); ++i) {
        documents[i] = static_cast<int32_t>(random());
        weights[i] = eighth();
        rests[i] = eighth();
        if (static_cast<int>(i) < count &&
            weights[i] * weight + rests[i] * rest >= least) {
          expected.push_back(documents[i]);
        }
      }
      std::vector<int32_t> found(documents.size());
      found.resize(CosineFilterKernelsFor(level).scan_list(
          documents.data(), weights.data(), rests.data(), count, weight, rest,
          least, found.data()));
      EXPECT_EQ(found, expected);
    }
  }
}

}  // namespace
}  // namespace warpclust
