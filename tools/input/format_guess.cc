// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/format_guess.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/io/byte_reader.h"
#include "base/io/npy/npy_header.h"

namespace warpclust {
namespace {

// The name in notes.
absl::string_view LongName(InputFormat format) {
  switch (format) {
    case InputFormat::kJsonLines:
      return "JSON Lines";
    case InputFormat::kLines:
      return "lines of text";
    case InputFormat::kDirectory:
      return "a directory of texts";
    case InputFormat::kEdges:
      return "edges of a graph";
    case InputFormat::kCsv:
      return "CSV";
    case InputFormat::kNpy:
      return "NPY";
    case InputFormat::kSvmlight:
      return "svmlight";
    case InputFormat::kMatrixMarket:
      return "MatrixMarket";
    case InputFormat::kFvecs:
      return "fvecs";
    case InputFormat::kBvecs:
      return "bvecs";
    case InputFormat::kSafetensors:
      return "safetensors";
    case InputFormat::kJsonVectors:
      return "JSON Lines with vectors";
  }
  return "";
}

constexpr Extension kExtensions[] = {
    {".jsonl", InputFormat::kJsonLines},   {".ndjson", InputFormat::kJsonLines},
    {".json", InputFormat::kJsonLines},    {".svm", InputFormat::kSvmlight},
    {".svmlight", InputFormat::kSvmlight}, {".libsvm", InputFormat::kSvmlight},
    {".mtx", InputFormat::kMatrixMarket},  {".edges", InputFormat::kEdges},
    {".edgelist", InputFormat::kEdges},    {".el", InputFormat::kEdges},
};

// Files that are not text, by their first bytes.
constexpr std::pair<absl::string_view, absl::string_view> kForeign[] = {
    {"\xFD\x37zXZ", "an xz file"}, {"BZh91AY&SY", "a bzip2 file"},
    {"PK\x03\x04", "a zip file"},  {kNpyMagic, "an NPY file"},
    {"%PDF-", "a PDF file"},
};

}  // namespace

void TellGuess(const FormatNote& note, absl::string_view path,
               const FormatGuess& guess) {
  if (!note) return;
  note(absl::StrCat(InputName(path), ": read as ", LongName(guess.format), " (",
                    guess.rule, "; --input_format sets another)"));
}

std::string PlainName(absl::string_view path) {
  std::string name = absl::AsciiStrToLower(path);
  name.resize(absl::StripSuffix(name, ".gz").size());
  name.resize(absl::StripSuffix(name, ".zst").size());
  return name;
}

const Extension* FindExtension(absl::string_view plain_name) {
  for (const Extension& known : kExtensions) {
    if (absl::EndsWith(plain_name, known.extension)) return &known;
  }
  return nullptr;
}

absl::string_view ForeignFile(absl::string_view text) {
  for (const auto& [start, what] : kForeign) {
    if (absl::StartsWith(text, start)) return what;
  }
  return "";
}

}  // namespace warpclust
