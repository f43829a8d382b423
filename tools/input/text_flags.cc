// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/text_flags.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tools/cli/cli.h"

namespace warpclust {

void AddTextFlags(FlagSet* flags, TextOptions* options) {
  flags->AddBool("stop_words", &options->stop_words,
                 "Remove English stop words from texts.");
  flags->AddBool("stem", &options->stem, "Reduce the words of texts to stems.");
  flags->AddString("language", &options->language, "NAME",
                   "Language of the stemmer.");
}

absl::StatusOr<AnalyzerOptions> TextAnalyzer(const TextOptions& options) {
  AnalyzerOptions result;
  result.stop_words = options.stop_words;
  result.stemmer = options.stem ? options.language : "";
  const absl::Status status = Analyzer::Create(result).status();
  if (!status.ok()) {
    absl::string_view message = status.message();
    absl::ConsumePrefix(&message, "stemmer: ");
    return UsageError(absl::StrCat("--language: ", message));
  }
  return result;
}

absl::Status CheckLanguageFlag(const FlagSet& flags, bool stem,
                               absl::string_view language) {
  if (!flags.WasGiven("language")) return absl::OkStatus();
  if (language.empty()) {
    return UsageError("--language: expected a language, found \"\"");
  }
  return stem ? absl::OkStatus() : UsageError("--language needs --stem");
}

absl::Status CheckNoTextFlags(const FlagSet& flags, absl::string_view subject) {
  return RefuseFlags(flags, {"stop_words", "stem", "language"},
                     absl::StrCat("is for texts, and ", subject, " vectors"));
}

}  // namespace warpclust
