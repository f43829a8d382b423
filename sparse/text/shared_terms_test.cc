// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/shared_terms.h"

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(SharedTermsTest, RandomWords) {
  std::mt19937 random(4);
  for (const int num_threads : {1, 2, 9}) {
    for (const unsigned num_words : {0u, 1u, 7u, 5000u, 200'000u}) {
      if (num_words > 5000 && num_threads != 2) continue;
      // Stems are equal, beginnings of others, or differ after eight bytes, or
      // are long; some have bytes above 127.
      std::vector<std::string> words = {"the"};
      for (unsigned i = 0; i < num_words; ++i) {
        std::string word = random() % 3 == 0 ? "\xC3\xA9" : "";
        if (random() % 3 == 0) word += "wordwithabeginning";
        if (random() % 9 == 0) word += "anotherbeginning";
        for (int letters = 2 + random() % 6; letters > 0; --letters) {
          word += static_cast<char>('a' + random() % 26);
        }
        words.push_back(word + (random() % 4 == 0 ? "ing" : ""));
      }
      std::vector<std::vector<std::string>> shares(num_threads);
      for (const std::string& word : words) {
        if (num_threads == 1) shares[0].push_back(word);
        for (int i = 0; num_threads > 1 && i < 3; ++i) {
          shares[random() % num_threads].push_back(word);
        }
      }
      SharedTerms shared(num_threads);
      std::vector<std::map<std::string, int32_t>> found(num_threads);
#pragma omp parallel for num_threads(num_threads) schedule(static, 1)
      for (int t = 0; t < num_threads; ++t) {
        absl::StatusOr<Analyzer> analyzer = Analyzer::Create();
        for (const std::string& word : shares[t]) {
          found[t][word] = shared.Find(word, *analyzer);
        }
      }
      std::set<std::string> terms;
      absl::StatusOr<Analyzer> analyzer = Analyzer::Create();
      ASSERT_TRUE(analyzer.ok());
      for (const std::string& word : words) {
        const std::string term(analyzer->TermOf(word));
        if (!term.empty()) terms.insert(term);
      }
      for (const int threads : {1, 2, 7}) {
        const SharedTerms::Numbered numbered = shared.Number(threads);
        ASSERT_EQ(std::vector<std::string>(numbered.terms.begin(),
                                           numbered.terms.end()),
                  std::vector<std::string>(terms.begin(), terms.end()));
        for (const std::map<std::string, int32_t>& numbers : found) {
          for (const auto& [word, number] : numbers) {
            const absl::string_view term = analyzer->TermOf(word);
            ASSERT_EQ(number == SharedTerms::kNone, term.empty()) << word;
            if (term.empty()) continue;
            ASSERT_EQ(numbered.terms[numbered.places[number]], term);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
