// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The format of dense documents and of points.

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/io/npy/npy_header.h"
#include "base/status/status_macros.h"
#include "base/text/json_reader.h"
#include "sparse/dense/io/safetensors.h"
#include "sparse/io/json_texts.h"
#include "tools/input/format_guess.h"
#include "tools/input/input_format.h"
#include "tools/input/input_head.h"

namespace warpclust {
namespace {

constexpr std::pair<absl::string_view, InputFormat> kDenseExtensions[] = {
    {".npy", InputFormat::kNpy},
    {".fvecs", InputFormat::kFvecs},
    {".bvecs", InputFormat::kBvecs},
    {".safetensors", InputFormat::kSafetensors},
};
constexpr absl::string_view kDefaultVectorField = "embedding";

// Whether the first object of `head`, which may be cut off behind it, has an
// array `vector_field`, and no text if that is the default name.
bool HasVector(absl::string_view head, absl::string_view vector_field) {
  LineReader lines = LineReader::FromString(std::string(head));
  JsonTexts texts;
  JsonText text;
  absl::string_view line;
  while (lines.Next(&line)) {
    texts.Feed(line);
    const absl::StatusOr<bool> found = texts.Next(lines, &text);
    if (!found.ok()) return false;
    if (!*found || absl::StripAsciiWhitespace(text.text).empty()) continue;
    bool has_vector = false, has_text = false;
    const absl::Status status =
        ReadJsonText(lines, text, [&](absl::string_view key, JsonValue& value) {
          has_text = has_text || key == "text";
          has_vector = has_vector || (key == vector_field &&
                                      value.kind() == JsonValue::Kind::kArray);
          return value.Skip();
        });
    return status.ok() && has_vector &&
           (!has_text || vector_field != kDefaultVectorField);
  }
  return false;
}

// Empty if these are no dense documents.
absl::StatusOr<absl::optional<FormatGuess>> GuessDense(
    absl::string_view path, absl::string_view vector_field) {
  std::string head;
  if (path == "-") {
    head = PeekBytes(STDIN_FILENO);
  } else {
    ASSIGN_OR_RETURN(const mode_t mode, ModeOf(path));
    if (S_ISDIR(mode)) return absl::nullopt;
    const std::string lower = PlainName(path);
    for (const auto& [extension, format] : kDenseExtensions) {
      if (absl::EndsWith(lower, extension)) {
        return FormatGuess{format,
                           absl::StrCat("the name ends in ", extension)};
      }
    }
    const Extension* const known = FindExtension(lower);
    if (known != nullptr && known->format != InputFormat::kJsonLines) {
      return absl::nullopt;
    }
    // The general detection reports what cannot be examined.
    absl::StatusOr<std::string> peeked = PeekFile(path, mode);
    if (!peeked.ok()) return absl::nullopt;
    head = *std::move(peeked);
  }
  const std::string start = Inflated(std::move(head));
  if (IsNpy(start)) return FormatGuess{InputFormat::kNpy, "it begins like NPY"};
  if (IsSafetensors(start)) {
    return FormatGuess{InputFormat::kSafetensors, "it begins like safetensors"};
  }
  const size_t first = start.find_first_not_of(" \t\r\n");
  if (first != std::string::npos &&
      (start[first] == '{' || start[first] == '[') &&
      HasVector(start, vector_field)) {
    return FormatGuess{
        InputFormat::kJsonVectors,
        absl::StrCat("its first object has an array ", vector_field)};
  }
  return absl::nullopt;
}

// The kind of points that begin with `head`, which may be gzip'ed.
absl::StatusOr<FormatGuess> GuessPointsByContent(absl::string_view name,
                                                 std::string head) {
  const std::string start = Inflated(std::move(head));
  if (IsNpy(start)) return FormatGuess{InputFormat::kNpy, "it begins like NPY"};
  if (const absl::string_view what = ForeignFile(start); !what.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        name,
        ": expected points as CSV or NPY, plain or compressed by gzip or zstd, "
        "found ",
        what,
        absl::StartsWith(start, "PK")
            ? "; an .npz is a zip file of arrays: `unzip` it and read one .npy"
            : ""));
  }
  return FormatGuess{InputFormat::kCsv, "it is not NPY"};
}

absl::StatusOr<FormatGuess> GuessPoints(absl::string_view path) {
  if (path == "-") {
    return GuessPointsByContent(InputName(path), PeekBytes(STDIN_FILENO));
  }
  ASSIGN_OR_RETURN(mode_t mode, ModeOf(path));
  const std::string lower = PlainName(path);
  if (absl::EndsWith(lower, ".npy")) {
    return FormatGuess{InputFormat::kNpy, "the name ends in .npy"};
  }
  // The reader reports a directory.
  if (S_ISDIR(mode) || (S_ISFIFO(mode) && absl::EndsWith(lower, ".csv"))) {
    return FormatGuess{InputFormat::kCsv, "the name ends in .csv"};
  }
  ASSIGN_OR_RETURN(std::string head, PeekFile(path, mode));
  return GuessPointsByContent(path, std::move(head));
}

}  // namespace

absl::StatusOr<absl::optional<InputFormat>> DetectDenseFormat(
    absl::string_view path, absl::string_view vector_field,
    const FormatNote& note) {
  ASSIGN_OR_RETURN(const absl::optional<FormatGuess> guess,
                   GuessDense(path, vector_field));
  if (!guess.has_value()) return absl::nullopt;
  TellGuess(note, path, *guess);
  return guess->format;
}

absl::StatusOr<InputFormat> DetectPointFormat(absl::string_view path,
                                              const FormatNote& note) {
  ASSIGN_OR_RETURN(const FormatGuess guess, GuessPoints(path));
  TellGuess(note, path, guess);
  return guess.format;
}

}  // namespace warpclust
