// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/number_terms.h"

#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(NumberTerms, RandomParts) {
  std::mt19937 random(4);
  for (const int num_parts : {0, 1, 2, 9}) {
    for (const unsigned num_words : {1u, 7u, 3000u}) {
      std::vector<Vocabulary> parts(num_parts);
      std::set<std::string> all;
      for (Vocabulary& part : parts) {
        for (unsigned i = random() % (num_words + 1); i > 0; --i) {
          // Some are beginnings of others, some have bytes above 127.
          const std::string word = absl::StrCat(
              random() % 3 == 0 ? "\xC3\xA9" : "", random() % num_words);
          part.Add(word);
          all.insert(word);
        }
      }
      for (const int threads : {1, 2, 7}) {
        const NumberedTerms found = NumberTerms(parts, threads);
        ASSERT_EQ(found.terms.size(), all.size());
        int32_t number = 0;
        for (const std::string& term : all) {
          ASSERT_EQ(found.terms[number++], term);
        }
        ASSERT_EQ(found.numbers.size(), parts.size());
        for (int p = 0; p < num_parts; ++p) {
          ASSERT_EQ(static_cast<int32_t>(found.numbers[p].size()),
                    parts[p].size());
          for (int32_t id = 0; id < parts[p].size(); ++id) {
            ASSERT_EQ(found.terms[found.numbers[p][id]], parts[p].Term(id));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
