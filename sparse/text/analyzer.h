// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Analyzer: text to terms: words in lower case, without stop words, stemmed.
//
//   ASSIGN_OR_RETURN(Analyzer analyzer, Analyzer::Create());
//   analyzer.Terms("Dams and the rivers");  // {"dam", "river"}
//
// A word is a maximal run of at least `min_letters` letters (letters.h: all
// scripts, with accents; ASCII digits if `digits`). Everything else separates
// words, also the apostrophe and ill-formed UTF-8: "don't" gives "don". Scripts
// written without spaces (Chinese, Japanese, Thai) are not segmented: a run
// between punctuation is one word. Stop words are removed before stemming.
//
// Cost: one pass over the text, and one stemming per word. One thread at a time
// uses an Analyzer, since the stemmer has state. Move-only.

#ifndef WARPCLUST_SPARSE_TEXT_ANALYZER_H_
#define WARPCLUST_SPARSE_TEXT_ANALYZER_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

struct sb_stemmer;

namespace warpclust {

struct AnalyzerOptions {
  // Shorter words are dropped, before stemming. At least 1.
  int32_t min_letters = 2;
  // Whether 0 to 9 count as letters ("b2b", "1987").
  bool digits = false;
  // Drops the English stop words (sparse/text/stop_words.h).
  bool stop_words = true;
  // Language of the Snowball stemmer, by English name or ISO 639 code
  // ("english", "de"); empty: no stemming.
  std::string stemmer = "english";
};

// The options as one line of text for a store, and back. InvalidArgument for
// any other text.
std::string FormatAnalyzer(const AnalyzerOptions& options);
absl::StatusOr<AnalyzerOptions> ParseAnalyzer(absl::string_view text);

class Analyzer {
 public:
  // InvalidArgument if a field is out of range or the language is unknown; the
  // message lists the known ones.
  static absl::StatusOr<Analyzer> Create(const AnalyzerOptions& options = {});

  Analyzer(Analyzer&&) = default;
  Analyzer& operator=(Analyzer&&) = default;

  // Calls `use` with every word of `text` in order, in lower case, stop words
  // included. The view is valid during the call.
  void ForEachWord(absl::string_view text,
                   absl::FunctionRef<void(absl::string_view)> use);

  // The term of a word from ForEachWord: its stem, or empty for a stop word.
  // The view is valid until the next call and as long as `word`.
  absl::string_view TermOf(absl::string_view word);

  // Both steps: the terms of `text` in order.
  std::vector<std::string> Terms(absl::string_view text);

  // False if no text can have this term. Exact without a stemmer. With one,
  // only terms with an ASCII character that no word has are recognized.
  bool MayBeTerm(absl::string_view term);

 private:
  struct DeleteStemmer {
    void operator()(sb_stemmer* stemmer) const;
  };

  explicit Analyzer(const AnalyzerOptions& options);

  AnalyzerOptions options_;
  std::unique_ptr<sb_stemmer, DeleteStemmer> stemmer_;
  // The lower case of each ASCII byte that counts as a letter; others are 0.
  std::array<char, 128> folded_ = {};
  std::string word_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_ANALYZER_H_
