// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FormatGuess: the format that an input seems to have, and why. For the files
// behind input_format.h.

#ifndef WARPCLUST_TOOLS_INPUT_FORMAT_GUESS_H_
#define WARPCLUST_TOOLS_INPUT_FORMAT_GUESS_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/input/input_format.h"

namespace warpclust {

// A format, and the rule by which it was chosen.
struct FormatGuess {
  InputFormat format = InputFormat::kLines;
  std::string rule = "no other format fits";
  // As lines of text it could also be edges: the words of each line.
  size_t ambiguous_words = 0;
};

// Passes on what `path` is read as, and why.
void TellGuess(const FormatNote& note, absl::string_view path,
               const FormatGuess& guess);

// A path in lower case, without ".gz" or ".zst" at the end.
std::string PlainName(absl::string_view path);

struct Extension {
  absl::string_view extension;
  InputFormat format;
};

// The format of documents or edges that a plain name ends in, or null.
const Extension* FindExtension(absl::string_view plain_name);

// "a zip file" if `text` begins a file that is not text, or empty.
absl::string_view ForeignFile(absl::string_view text);

// The format of an input named `name` that begins with `head`, which may be
// compressed. InvalidArgument if it is not text, or a graph where
// `edges_allowed` is false. Without a name, its first line may show CSV.
absl::StatusOr<FormatGuess> GuessByContent(absl::string_view name,
                                           const std::string& head,
                                           bool edges_allowed, bool has_name);

// The error of a graph where documents are expected.
absl::Status FoundGraph(absl::string_view name);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_FORMAT_GUESS_H_
