// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Each loop, at every level of this processor, against its definition.

#include "graph/cosine/filter/cosine_row_kernels.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CosineRowKernelsTest, WeighTerms) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<TableTerm> table(1 + random() % 200);
    for (TableTerm& term : table) {
      term.factor = 0.01f * static_cast<float>(random() % 1000);
      term.rank = std::max(-1, static_cast<int32_t>(random() % 300) - 60);
    }
    const int64_t size = random() % 100;
    const int32_t num_bounded =
        seed % 3 == 0 ? 0 : static_cast<int32_t>(random() % 250);
    std::vector<int32_t> terms(size);
    std::vector<float> entries(size);
    std::vector<int32_t> ranks[2];
    std::vector<float> weights[2];
    double norm = 0;
    double residual = 0;
    for (int64_t e = 0; e < size; ++e) {
      // Some are beyond the table: the last element is theirs.
      terms[e] = static_cast<int32_t>(
          random() % 8 == 0 ? random() >> 1 : random() % table.size());
      entries[e] = static_cast<float>(1 + random() % 9);
      const TableTerm term =
          table[std::min<size_t>(terms[e], table.size() - 1)];
      const float weight = entries[e] * term.factor;
      norm += static_cast<double>(weight) * weight;
      if (term.rank < 0) continue;
      const bool bounded = term.rank < num_bounded;
      ranks[bounded].push_back(term.rank);
      weights[bounded].push_back(weight);
      if (bounded) residual += static_cast<double>(weight) * weight;
    }
    for (SimdLevel level : SimdLevels()) {
      const int64_t room = size + kRowPadding;
      std::vector<int32_t> found_ranks[2] = {std::vector<int32_t>(room),
                                             std::vector<int32_t>(room)};
      std::vector<float> found_weights[2] = {std::vector<float>(room),
                                             std::vector<float>(room)};
      const WeighedRow row = CosineRowKernelsFor(level).weigh_terms(
          terms.data(), entries.data(), size, table.data(),
          static_cast<uint32_t>(table.size() - 1), num_bounded,
          found_ranks[0].data(), found_weights[0].data(), found_ranks[1].data(),
          found_weights[1].data());
      ASSERT_EQ(row.num_kept, static_cast<int64_t>(ranks[0].size()));
      ASSERT_EQ(row.num_bounded, static_cast<int64_t>(ranks[1].size()));
      for (int k = 0; k < 2; ++k) {
        found_ranks[k].resize(ranks[k].size());
        found_weights[k].resize(ranks[k].size());
        EXPECT_EQ(found_ranks[k], ranks[k]);
        EXPECT_EQ(found_weights[k], weights[k]);
      }
      EXPECT_NEAR(row.squared_norm, norm, 1e-12 * norm);
      EXPECT_NEAR(row.squared_residual, residual, 1e-12 * norm);
    }
  }
}

TEST(CosineRowKernelsTest, Quantize) {
  std::mt19937 random(1);
  for (int64_t size = 0; size < 70; ++size) {
    SCOPED_TRACE(size);
    std::vector<float> weights(size);
    for (float& weight : weights) {
      weight = static_cast<float>(random() % 70000) / 7.0f;
    }
    for (float scale : {1.0f, 3.7f, 65534.875f, 1e-3f}) {
      for (SimdLevel level : SimdLevels()) {
        std::vector<uint16_t> quantized(size + kRowPadding);
        CosineRowKernelsFor(level).quantize(weights.data(), size, scale,
                                            quantized.data());
        for (int64_t e = 0; e < size; ++e) {
          ASSERT_EQ(quantized[e], static_cast<uint16_t>(
                                      std::min(65535.0f, weights[e] * scale)));
        }
      }
    }
  }
}

TEST(CosineRowKernelsTest, SortTerms) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<TermSlot> slots(1 + random() % 100);
    for (TermSlot& slot : slots) {
      slot = {static_cast<uint32_t>(random()),
              static_cast<uint16_t>(random() % 40000),
              static_cast<uint16_t>(random() % kTermKinds)};
    }
    const int64_t size = random() % 60;
    const int32_t first_rank =
        seed % 2 == 0 ? 0 : static_cast<int32_t>(random() % 50);
    std::vector<int32_t> ranks(size);
    std::vector<uint16_t> weights(size);
    std::vector<RowTerm<uint16_t>> expected[kTermKinds];
    for (int64_t e = 0; e < size; ++e) {
      ranks[e] = static_cast<int32_t>(random() % slots.size());
      weights[e] = static_cast<uint16_t>(random());
      const TermSlot slot = slots[ranks[e]];
      if (ranks[e] < first_rank || slot.kind == kAbsentTerm) continue;
      expected[slot.kind].push_back({slot.begin, slot.groups, weights[e]});
    }
    for (SimdLevel level : SimdLevels()) {
      std::vector<RowTerm<uint16_t>> found[kTermKinds];
      RowTerm<uint16_t>* ends[kTermKinds];
      for (int kind = 0; kind < kTermKinds; ++kind) {
        found[kind].resize(size + kRowPadding);
        ends[kind] = found[kind].data();
      }
      CosineRowKernelsFor(level).sort_terms(ranks.data(), weights.data(), size,
                                            slots.data(), first_rank, ends);
      for (int kind = kDenseTerm; kind < kTermKinds; ++kind) {
        ASSERT_EQ(ends[kind] - found[kind].data(),
                  static_cast<int64_t>(expected[kind].size()));
        for (size_t i = 0; i < expected[kind].size(); ++i) {
          EXPECT_EQ(found[kind][i].begin, expected[kind][i].begin);
          EXPECT_EQ(found[kind][i].groups, expected[kind][i].groups);
          EXPECT_EQ(found[kind][i].weight, expected[kind][i].weight);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
