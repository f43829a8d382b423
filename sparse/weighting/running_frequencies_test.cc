// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/weighting/running_frequencies.h"

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(RunningFrequenciesTest, ByHand) {
  DocumentMatrix documents;
  documents.offsets = {0, 2, 2, 4};
  documents.terms = {0, 3, 0, 1};
  documents.weights = {1, 2, 3, 4};
  documents.num_terms = 4;
  RunningFrequencies frequencies;
  frequencies.Weigh(&documents);
  // The first document: n = df = 1. The last: n = 3; df = 2, 1.
  EXPECT_EQ(documents.weights,
            (std::vector<float>{static_cast<float>(std::log(2.0)),
                                static_cast<float>(2 * std::log(2.0)),
                                static_cast<float>(3 * std::log(1 + 1.5)),
                                static_cast<float>(4 * std::log(4.0))}));
  EXPECT_EQ(frequencies.num_documents(), 3);
  EXPECT_EQ(frequencies.frequencies(), (std::vector<int64_t>{2, 1, 0, 1}));
}

TEST(RunningFrequenciesTest, LargestAndSmallestWeights) {
  DocumentMatrix documents;
  documents.offsets = {0, 2};
  documents.terms = {0, 1};
  documents.weights = {std::numeric_limits<float>::max(),
                       std::numeric_limits<float>::denorm_min()};
  documents.num_terms = 2;
  RunningFrequencies frequencies(1000000, {});
  frequencies.Weigh(&documents);
  EXPECT_TRUE(ValidateDocuments(documents).ok());
  EXPECT_EQ(documents.weights[0], std::numeric_limits<float>::max());
}

// Independent of how the stream is split, and of interruptions.
TEST(RunningFrequenciesTest, CutsDoNotMatter) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    DocumentMatrix all;
    all.num_terms = 20;
    for (int d = 0; d < 60; ++d) {
      std::set<int32_t> terms;
      for (uint32_t i = random() % 6; i > 0; --i) terms.insert(random() % 20);
      for (const int32_t term : terms) {
        all.terms.push_back(term);
        all.weights.push_back(static_cast<float>(1 + random() % 9));
      }
      all.offsets.push_back(all.num_entries());
    }
    DocumentMatrix whole = all;
    RunningFrequencies once;
    once.Weigh(&whole);

    std::vector<float> weights;
    RunningFrequencies frequencies;
    for (int32_t d = 0; d < all.num_documents();) {
      const int32_t end = std::min<int32_t>(d + random() % 10, 60);
      DocumentMatrix part;
      part.num_terms = 20;
      for (; d < end; ++d) {
        const auto terms = all.TermsOf(d);
        const auto row = all.WeightsOf(d);
        part.terms.insert(part.terms.end(), terms.begin(), terms.end());
        part.weights.insert(part.weights.end(), row.begin(), row.end());
        part.offsets.push_back(part.num_entries());
      }
      frequencies.Weigh(&part);
      weights.insert(weights.end(), part.weights.begin(), part.weights.end());
      frequencies = RunningFrequencies(frequencies.num_documents(),
                                       frequencies.frequencies());
    }
    EXPECT_EQ(weights, whole.weights) << "seed " << seed;
    EXPECT_EQ(frequencies.frequencies(), once.frequencies());
    EXPECT_EQ(frequencies.num_documents(), 60);
  }
}

}  // namespace
}  // namespace warpclust
