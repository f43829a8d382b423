// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/analyzer.h"

#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "base/text/utf8.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Strings = std::vector<std::string>;

Strings Terms(const AnalyzerOptions& options, absl::string_view text) {
  absl::StatusOr<Analyzer> analyzer = Analyzer::Create(options);
  EXPECT_TRUE(analyzer.ok()) << analyzer.status();
  return analyzer->Terms(text);
}

AnalyzerOptions Plain() {
  AnalyzerOptions options;
  options.stop_words = false;
  options.stemmer = "";
  return options;
}

TEST(AnalyzerTest, WordsAreMaximalRunsOfLetters) {
  EXPECT_EQ(Terms(Plain(), ""), Strings());
  EXPECT_EQ(Terms(Plain(), " .,1 "), Strings());
  EXPECT_EQ(Terms(Plain(), "The U.S. don't pay 3m in mid-1987"),
            Strings({"the", "don", "pay", "in", "mid"}));
  EXPECT_EQ(Terms(Plain(), "b2b ab1cd"), Strings({"ab", "cd"}));
  EXPECT_EQ(Terms(Plain(), absl::string_view("ab\0cd", 5)),
            Strings({"ab", "cd"}));
}

TEST(AnalyzerTest, OtherScripts) {
  EXPECT_EQ(Terms(Plain(), "ÉCOLE—Straße, ΟΔΟΣ «Москва» naïve"),
            Strings({"école", "straße", "οδοσ", "москва", "naïve"}));
  // Not segmented, but split at punctuation.
  EXPECT_EQ(Terms(Plain(), "東京、大阪。"), Strings({"東京", "大阪"}));
  // One letter of three bytes is still one letter.
  EXPECT_EQ(Terms(Plain(), "東 é ab"), Strings({"ab"}));
  EXPECT_EQ(Terms(Plain(), "go\U0001F600team"), Strings({"go", "team"}));
}

TEST(AnalyzerTest, FoldsFromAnyLetterOn) {
  EXPECT_EQ(Terms(Plain(), "same Lower caMel tailS cafés.caféS x Y aB é1ab"),
            Strings({"same", "lower", "camel", "tails", "cafés", "cafés", "ab",
                     "ab"}));
}

TEST(AnalyzerTest, IllFormedUtf8Separates) {
  EXPECT_EQ(Terms(Plain(),
                  "ab\xFF"
                  "cd\xC3"),
            Strings({"ab", "cd"}));
}

TEST(AnalyzerTest, Options) {
  AnalyzerOptions options = Plain();
  options.digits = true;
  EXPECT_EQ(Terms(options, "b2b in 1987, a 7"), Strings({"b2b", "in", "1987"}));
  options = Plain();
  options.min_letters = 1;
  EXPECT_EQ(Terms(options, "I a-b"), Strings({"i", "a", "b"}));
  options.min_letters = 4;
  EXPECT_EQ(Terms(options, "four one seven été"), Strings({"four", "seven"}));
  options = Plain();
  options.stop_words = true;
  EXPECT_EQ(Terms(options, "The banks of THE river"),
            Strings({"banks", "river"}));
}

TEST(AnalyzerTest, Stemming) {
  // Stop words go first, and with their own form: "having" is one, "oneness"
  // is not.
  EXPECT_EQ(Terms({}, "The markets were having trading difficulties"),
            Strings({"market", "trade", "difficulti"}));
  AnalyzerOptions german = Plain();
  german.stemmer = "de";
  EXPECT_EQ(Terms(german, "Häuser"), Strings({"haus"}));
  german.stemmer = "german";
  EXPECT_EQ(Terms(german, "HÄUSER"), Strings({"haus"}));
}

TEST(AnalyzerTest, WordsAndTermsSeparately) {
  absl::StatusOr<Analyzer> created = Analyzer::Create();
  ASSERT_TRUE(created.ok());
  Analyzer analyzer = *std::move(created);
  Strings words;
  analyzer.ForEachWord(
      "The Markets", [&](absl::string_view word) { words.emplace_back(word); });
  EXPECT_EQ(words, Strings({"the", "markets"}));
  EXPECT_EQ(analyzer.TermOf("the"), "");
  EXPECT_EQ(analyzer.TermOf("markets"), "market");
}

TEST(AnalyzerTest, BadOptions) {
  AnalyzerOptions options;
  options.stemmer = "klingon";
  const absl::Status unknown = Analyzer::Create(options).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(unknown.message(), "found 'klingon'"));
  EXPECT_TRUE(absl::StrContains(unknown.message(), "english")) << unknown;
  options = {};
  options.min_letters = 0;
  EXPECT_EQ(Analyzer::Create(options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(AnalyzerTest, MayBeTermIsExactWithoutAStemmer) {
  AnalyzerOptions options = Plain();
  options.stop_words = true;
  absl::StatusOr<Analyzer> analyzer = Analyzer::Create(options);
  ASSERT_TRUE(analyzer.ok()) << analyzer.status();
  for (const char* term : {"banks", "école", "東京"}) {
    EXPECT_TRUE(analyzer->MayBeTerm(term)) << term;
  }
  for (const char* term : {"", "Banks", "the", "new york", "b2b", "a", "École",
                           "banks.", " banks", "banks\xFF"}) {
    EXPECT_FALSE(analyzer->MayBeTerm(term)) << term;
  }
}

// Whatever the language: a stem of what ForEachWord gives.
TEST(AnalyzerTest, MayBeTermTakesEveryStem) {
  constexpr absl::string_view kUnknown = "stemmer: expected one of ";
  AnalyzerOptions options;
  options.stemmer = "none such";
  const std::string message(Analyzer::Create(options).status().message());
  ASSERT_TRUE(absl::StartsWith(message, kUnknown)) << message;
  const Strings languages = absl::StrSplit(
      absl::string_view(message).substr(
          kUnknown.size(), message.find(", found") - kUnknown.size()),
      ", ");
  ASSERT_GT(languages.size(), 10);
  // Where letters of each script are.
  constexpr std::pair<char32_t, char32_t> kScripts[] = {
      {0x41, 0x7A},   {0x41, 0x17F},    {0x370, 0x3FF}, {0x400, 0x45F},
      {0x531, 0x587}, {0x5D0, 0x5EA},   {0x620, 0x64A}, {0x900, 0x97F},
      {0xB80, 0xBFF}, {0x1E00, 0x1EFF}, {0x61, 0x6A},   {0x69, 0x7A}};
  for (const std::string& language : languages) {
    SCOPED_TRACE(language);
    std::mt19937 random(7);
    options.stemmer = language;
    absl::StatusOr<Analyzer> analyzer = Analyzer::Create(options);
    ASSERT_TRUE(analyzer.ok()) << analyzer.status();
    std::string text;
    for (int word = 0; word < 20000; ++word) {
      const auto [first, last] = kScripts[random() % std::size(kScripts)];
      for (int letter = 0; letter < 2 + word % 9; ++letter) {
        AppendUtf8(first + random() % (last - first + 1), &text);
      }
      text += ' ';
    }
    for (const std::string& term : analyzer->Terms(text)) {
      EXPECT_TRUE(analyzer->MayBeTerm(term)) << term;
    }
    for (const char* term : {"", "Banks", "new york", "b2b", "don't"}) {
      EXPECT_FALSE(analyzer->MayBeTerm(term)) << term;
    }
  }
}

TEST(AnalyzerOptionsTest, ReadsWhatItWrites) {
  AnalyzerOptions options;
  EXPECT_EQ(FormatAnalyzer(options),
            "min_letters=2 digits=0 stop_words=1 stemmer=english");
  options.stemmer = "";
  options.digits = true;
  options.stop_words = false;
  options.min_letters = 3;
  absl::StatusOr<AnalyzerOptions> read = ParseAnalyzer(FormatAnalyzer(options));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->min_letters, 3);
  EXPECT_TRUE(read->digits);
  EXPECT_FALSE(read->stop_words);
  EXPECT_EQ(read->stemmer, "");
  EXPECT_FALSE(ParseAnalyzer("digits=2").ok());
  EXPECT_FALSE(ParseAnalyzer("anything").ok());
}

}  // namespace
}  // namespace warpclust
