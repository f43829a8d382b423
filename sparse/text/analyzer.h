// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Analyzer: text to terms. Words in lower case, less the stop words, stemmed.
//
// A word is a maximal run of letters (sparse/text/letters.h: all scripts,
// accents included; ASCII digits too if asked for) of at least `min_letters`.
// All else separates, the apostrophe and ill-formed UTF-8 included: "don't"
// gives "don". Scripts written without spaces (Chinese, Japanese, Thai) are not
// segmented: a run between punctuation is one word. Stop words are removed
// before stemming.
//
// Cost: one pass over the text, and one stemming a word; the vectorizer stems
// each distinct word once. Determinism: a pure function of text and options.
// Thread-safety: one thread at a time (the stemmer has state). Move-only.

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

// The options as one line of text, for a store to keep, and back.
// InvalidArgument for any other text.
std::string FormatAnalyzer(const AnalyzerOptions& options);
absl::StatusOr<AnalyzerOptions> ParseAnalyzer(absl::string_view text);

class Analyzer {
 public:
  // InvalidArgument if a field is out of range, or the language is unknown: the
  // message lists those there are.
  static absl::StatusOr<Analyzer> Create(const AnalyzerOptions& options = {});

  Analyzer(Analyzer&&) = default;
  Analyzer& operator=(Analyzer&&) = default;

  // Calls `use` with every word of `text` in order: in lower case, long enough,
  // stop words among them. The view holds during the call.
  void ForEachWord(absl::string_view text,
                   absl::FunctionRef<void(absl::string_view)> use);

  // The term of a word that ForEachWord gave: its stem, or empty for a stop
  // word. The view holds until the next call or as long as `word`.
  absl::string_view TermOf(absl::string_view word);

  // Both steps: the terms of `text` in order.
  std::vector<std::string> Terms(absl::string_view text);

  // Whether a text may have this term. Exact without a stemmer. With one, false
  // is sure, for a term that no stem can be: of what is ASCII in it, one
  // character is neither a small letter nor, if asked for, a digit.
  bool MayBeTerm(absl::string_view term);

 private:
  struct DeleteStemmer {
    void operator()(sb_stemmer* stemmer) const;
  };

  explicit Analyzer(const AnalyzerOptions& options);

  AnalyzerOptions options_;
  std::unique_ptr<sb_stemmer, DeleteStemmer> stemmer_;
  // The lower case of each ASCII byte that counts as a letter, else 0.
  std::array<char, 128> folded_ = {};
  std::string word_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_ANALYZER_H_
