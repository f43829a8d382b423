// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/analyzer.h"

#include <libstemmer.h>

#include <algorithm>
#include <climits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/text/utf8.h"
#include "sparse/text/letters.h"
#include "sparse/text/stop_words.h"

namespace warpclust {
namespace {

std::string KnownLanguages() {
  std::string names;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", *name);
  }
  return names;
}

}  // namespace

void Analyzer::DeleteStemmer::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

Analyzer::Analyzer(const AnalyzerOptions& options) : options_(options) {
  for (char c = 'a'; c <= 'z'; ++c) {
    folded_[c] = c;
    folded_[c - 'a' + 'A'] = c;
  }
  if (options.digits) {
    for (char c = '0'; c <= '9'; ++c) folded_[c] = c;
  }
}

absl::StatusOr<Analyzer> Analyzer::Create(const AnalyzerOptions& options) {
  if (options.min_letters < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "min_letters: expected 1 or more, found ", options.min_letters));
  }
  Analyzer analyzer(options);
  if (!options.stemmer.empty()) {
    analyzer.stemmer_.reset(sb_stemmer_new(options.stemmer.c_str(), "UTF_8"));
    if (analyzer.stemmer_ == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("stemmer: expected one of ", KnownLanguages(),
                       ", found '", options.stemmer, "'"));
    }
  }
  return analyzer;
}

void Analyzer::ForEachWord(absl::string_view text,
                           absl::FunctionRef<void(absl::string_view)> use) {
  const auto is_folded = [this](char c) {
    return static_cast<unsigned char>(c) < 0x80 && c != 0 &&
           folded_[static_cast<size_t>(c)] == c;
  };
  const auto ends_word = [this](char c) {
    return static_cast<unsigned char>(c) < 0x80 &&
           folded_[static_cast<size_t>(c)] == 0;
  };
  int64_t letters = 0;
  const auto end_word = [&] {
    if (letters >= options_.min_letters) use(word_);
    letters = 0;
    word_.clear();
  };
  size_t i = 0;
  while (i < text.size()) {
    if (letters == 0) {
      // Words that need no folding, which most are, are not copied.
      const size_t begin = i;
      while (i < text.size() && is_folded(text[i])) ++i;
      const auto size = static_cast<int64_t>(i - begin);
      if (i == text.size() || ends_word(text[i])) {
        if (size >= options_.min_letters) use(text.substr(begin, size));
        if (i < text.size()) ++i;
        continue;
      }
      word_.assign(text.data() + begin, size);
      letters = size;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      ++i;
      const char folded = folded_[byte];
      if (folded != 0) {
        word_.push_back(folded);
        ++letters;
      } else if (letters > 0) {
        end_word();
      }
      continue;
    }
    const Utf8CodePoint point = DecodeUtf8(text.substr(i));
    i += point.length;
    if (point.valid && IsLetter(point.value)) {
      AppendUtf8(FoldCase(point.value), &word_);
      ++letters;
    } else if (letters > 0) {
      end_word();
    }
  }
  if (letters > 0) end_word();
}

absl::string_view Analyzer::TermOf(absl::string_view word) {
  if (options_.stop_words && IsEnglishStopWord(word)) return {};
  // The stemmer counts bytes in an int; a word of gigabytes stays as it is.
  if (stemmer_ == nullptr || word.size() > INT_MAX / 2) return word;
  const sb_symbol* stem = sb_stemmer_stem(
      stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
      static_cast<int>(word.size()));
  if (stem == nullptr) return word;
  return absl::string_view(reinterpret_cast<const char*>(stem),
                           sb_stemmer_length(stemmer_.get()));
}

bool Analyzer::MayBeTerm(absl::string_view term) {
  if (stemmer_ == nullptr) {
    bool is_word = false;
    ForEachWord(term, [&](absl::string_view word) { is_word = word == term; });
    return is_word && !TermOf(term).empty();
  }
  return !term.empty() && std::all_of(term.begin(), term.end(), [this](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte != 0 && folded_[byte] == c);
  });
}

std::vector<std::string> Analyzer::Terms(absl::string_view text) {
  std::vector<std::string> terms;
  ForEachWord(text, [&](absl::string_view word) {
    const absl::string_view term = TermOf(word);
    if (!term.empty()) terms.emplace_back(term);
  });
  return terms;
}

std::string FormatAnalyzer(const AnalyzerOptions& options) {
  return absl::StrCat(
      "min_letters=", options.min_letters, " digits=", options.digits ? 1 : 0,
      " stop_words=", options.stop_words ? 1 : 0, " stemmer=", options.stemmer);
}

absl::StatusOr<AnalyzerOptions> ParseAnalyzer(absl::string_view text) {
  AnalyzerOptions options;
  for (absl::string_view field : absl::StrSplit(text, ' ')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(field, absl::MaxSplits('=', 1));
    if (parts.first == "min_letters" &&
        absl::SimpleAtoi(parts.second, &options.min_letters)) {
      continue;
    }
    if (parts.first == "stemmer") {
      options.stemmer = std::string(parts.second);
      continue;
    }
    bool* const flag = parts.first == "digits"       ? &options.digits
                       : parts.first == "stop_words" ? &options.stop_words
                                                     : nullptr;
    if (flag == nullptr || (parts.second != "0" && parts.second != "1")) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected analyzer options, found \"", text, "\""));
    }
    *flag = parts.second == "1";
  }
  return options;
}

}  // namespace warpclust
