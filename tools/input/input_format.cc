// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/input_format.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/byte_reader.h"
#include "base/status/status_macros.h"
#include "tools/input/format_guess.h"
#include "tools/input/input_head.h"

namespace warpclust {
namespace {

constexpr std::pair<InputFormat, absl::string_view> kNames[] = {
    {InputFormat::kJsonLines, "jsonl"},
    {InputFormat::kLines, "lines"},
    {InputFormat::kDirectory, "directory"},
    {InputFormat::kSvmlight, "svmlight"},
    {InputFormat::kMatrixMarket, "matrixmarket"},
    {InputFormat::kEdges, "edges"},
    {InputFormat::kCsv, "csv"},
    {InputFormat::kNpy, "npy"},
    {InputFormat::kFvecs, "fvecs"},
    {InputFormat::kBvecs, "bvecs"},
    {InputFormat::kSafetensors, "safetensors"},
    {InputFormat::kJsonVectors, "jsonl_vectors"},
};

absl::StatusOr<FormatGuess> GuessFormat(absl::string_view path,
                                        bool edges_allowed) {
  if (path == "-") {
    return GuessByContent(InputName(path), PeekBytes(STDIN_FILENO),
                          edges_allowed, /*has_name=*/false);
  }
  ASSIGN_OR_RETURN(mode_t mode, ModeOf(path));
  if (S_ISDIR(mode))
    return FormatGuess{InputFormat::kDirectory, "it is a directory"};
  const std::string lower = PlainName(path);
  if (const Extension* const known = FindExtension(lower)) {
    if (known->format == InputFormat::kEdges && !edges_allowed) {
      return FoundGraph(path);
    }
    return FormatGuess{known->format,
                       absl::StrCat("the name ends in ", known->extension)};
  }
  ASSIGN_OR_RETURN(std::string head, PeekFile(path, mode));
  ASSIGN_OR_RETURN(FormatGuess guess,
                   GuessByContent(path, head, edges_allowed, !S_ISFIFO(mode)));
  // Edges may be in a file of that name too.
  if (guess.format == InputFormat::kLines && absl::EndsWith(lower, ".csv")) {
    guess = {InputFormat::kCsv, "the name ends in .csv"};
  }
  return guess;
}

}  // namespace

absl::string_view InputFormatName(InputFormat format) {
  for (const auto& [known, name] : kNames) {
    if (known == format) return name;
  }
  return "";
}

absl::StatusOr<InputFormat> ParseInputFormat(absl::string_view name) {
  for (const auto& [format, known] : kNames) {
    if (known == name) return format;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected an input format, found \"", name, "\""));
}

bool IsText(InputFormat format) {
  return format == InputFormat::kJsonLines || format == InputFormat::kLines ||
         format == InputFormat::kDirectory || format == InputFormat::kCsv;
}

bool IsDense(InputFormat format) {
  return format == InputFormat::kNpy || format == InputFormat::kFvecs ||
         format == InputFormat::kBvecs || format == InputFormat::kSafetensors ||
         format == InputFormat::kJsonVectors;
}

absl::StatusOr<InputFormat> ResolveInputFormat(absl::string_view path,
                                               absl::string_view name,
                                               bool edges_allowed,
                                               const FormatNote& note) {
  return name == "auto" ? DetectInputFormat(path, edges_allowed, note)
                        : ParseInputFormat(name);
}

absl::StatusOr<InputFormat> DetectInputFormat(absl::string_view path,
                                              bool edges_allowed,
                                              const FormatNote& note) {
  ASSIGN_OR_RETURN(const FormatGuess guess, GuessFormat(path, edges_allowed));
  if (edges_allowed && guess.ambiguous_words > 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        InputName(path), ": expected documents or edges, found ",
        guess.ambiguous_words,
        " words on each line, which may be either: --input_format=lines reads "
        "a text per line, --input_format=edges an edge per line"));
  }
  TellGuess(note, path, guess);
  return guess.format;
}

absl::StatusOr<InputFormat> DetectGraphFormat(absl::string_view path,
                                              const FormatNote& note) {
  ASSIGN_OR_RETURN(FormatGuess guess,
                   GuessFormat(path, /*edges_allowed=*/true));
  if (guess.format == InputFormat::kJsonLines) {
    return absl::InvalidArgumentError(
        absl::StrCat(InputName(path),
                     ": expected a graph as edges or MatrixMarket, found JSON "
                     "(--input_format=edges reads any lines)"));
  }
  if (guess.format != InputFormat::kMatrixMarket &&
      guess.format != InputFormat::kEdges) {
    guess = {InputFormat::kEdges, "it is not MatrixMarket"};
  }
  TellGuess(note, path, guess);
  return guess.format;
}

}  // namespace warpclust
