// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --stop_words, --stem and --language: how texts become terms. A flag that has
// no effect is refused.

#ifndef WARPCLUST_TOOLS_INPUT_TEXT_FLAGS_H_
#define WARPCLUST_TOOLS_INPUT_TEXT_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "sparse/text/analyzer.h"
#include "tools/cli/flags/flag_set.h"

namespace warpclust {

struct TextOptions {
  bool stop_words = true;
  bool stem = true;
  std::string language = "english";
};

void AddTextFlags(FlagSet* flags, TextOptions* options);

// What the flags mean. UsageError if there is no stemmer for the language.
absl::StatusOr<AnalyzerOptions> TextAnalyzer(const TextOptions& options);

// UsageError if the command line has --language although there is no stemmer
// (`stem` is the value of --stem), or has an empty --language.
absl::Status CheckLanguageFlag(const FlagSet& flags, bool stem,
                               absl::string_view language);

// UsageError if the command line has a flag for texts, since `subject` ("the
// input is") is vectors.
absl::Status CheckNoTextFlags(const FlagSet& flags, absl::string_view subject);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_TEXT_FLAGS_H_
