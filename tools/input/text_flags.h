// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the flags of texts, --stop_words, --stem and --language, have to do with
// the input and with each other: one that would not be heeded is refused.

#ifndef WARPCLUST_TOOLS_INPUT_TEXT_FLAGS_H_
#define WARPCLUST_TOOLS_INPUT_TEXT_FLAGS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/cli/flag_set.h"

namespace warpclust {

// UsageError if the command line names --language without a stemmer (`stem` is
// the value of --stem), or names no language.
absl::Status CheckLanguageFlag(const FlagSet& flags, bool stem,
                               absl::string_view language);

// UsageError if the command line names a flag of texts: `subject` ("the input
// is") is vectors.
absl::Status CheckNoTextFlags(const FlagSet& flags, absl::string_view subject);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_TEXT_FLAGS_H_
