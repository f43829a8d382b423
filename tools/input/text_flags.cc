// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/text_flags.h"

#include "absl/strings/str_cat.h"
#include "tools/cli/cli.h"

namespace warpclust {

absl::Status CheckLanguageFlag(const FlagSet& flags, bool stem,
                               absl::string_view language) {
  if (!flags.WasGiven("language")) return absl::OkStatus();
  if (language.empty()) {
    return UsageError("--language: expected a language, found \"\"");
  }
  return stem ? absl::OkStatus()
              : UsageError("--language is the stemmer's, and needs --stem");
}

absl::Status CheckNoTextFlags(const FlagSet& flags, absl::string_view subject) {
  for (absl::string_view flag : {"stop_words", "stem", "language"}) {
    if (flags.WasGiven(flag)) {
      return UsageError(
          absl::StrCat("--", flag, " is for texts, and ", subject, " vectors"));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
