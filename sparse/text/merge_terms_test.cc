// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/merge_terms.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/communicator/thread_ranks.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(MergeTermsTest, NumbersAllTermsInOrder) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    for (int p = 1; p <= 7; ++p) {
      SCOPED_TRACE(testing::Message()
                   << "seed " << seed << ", " << p << " ranks");
      std::mt19937 random(seed);
      // The same terms on many ranks; some ranks have none.
      std::vector<std::vector<std::string>> terms(p);
      std::vector<std::vector<int32_t>> frequencies(p);
      std::map<std::string, int32_t> all;
      for (int r = 0; r < p; ++r) {
        std::map<std::string, int32_t> mine;
        const uint32_t size = random() % 4 == 0 ? 0 : random() % 300;
        for (uint32_t i = 0; i < size; ++i) {
          std::string term;
          do term += static_cast<char>(random() % (seed % 2 == 0 ? 256 : 3));
          while (random() % 4 != 0);
          mine[term] = 1 + static_cast<int32_t>(random() % 9);
        }
        for (const auto& [term, frequency] : mine) {
          // In no special order.
          const size_t at = random() % (terms[r].size() + 1);
          terms[r].insert(terms[r].begin() + at, term);
          frequencies[r].insert(frequencies[r].begin() + at, frequency);
          all[term] += frequency;
        }
      }
      std::map<std::string, int32_t> numbers;
      for (const auto& [term, frequency] : all) {
        numbers.emplace(term, static_cast<int32_t>(numbers.size()));
      }
      const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
        const int rank = ranks.rank();
        Vocabulary vocabulary;
        for (const std::string& term : terms[rank]) vocabulary.Add(term);
        const auto merged = MergeTerms(ranks, vocabulary, frequencies[rank]);
        if (!merged.ok()) return merged.status();
        EXPECT_EQ(merged->num_terms, static_cast<int32_t>(all.size()));
        for (size_t t = 0; t < terms[rank].size(); ++t) {
          EXPECT_EQ(merged->numbers[t], numbers.at(terms[rank][t]));
          EXPECT_EQ(merged->frequencies[t], all.at(terms[rank][t]));
        }
        return absl::OkStatus();
      });
      ASSERT_TRUE(status.ok()) << status;
    }
  }
}

}  // namespace
}  // namespace warpclust
