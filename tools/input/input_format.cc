// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/input_format.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/io/byte_reader.h"
#include "base/io/csv_reader.h"
#include "base/io/line_reader.h"
#include "base/io/npy_header.h"
#include "base/status/status_macros.h"
#include "base/text/json_reader.h"
#include "sparse/dense/io/safetensors.h"
#include "sparse/io/json_texts.h"
#include "tools/input/input_head.h"

namespace warpclust {
namespace {

constexpr int kHeadLines = 20;
constexpr absl::string_view kVertexMark = "#vertex\t";

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

// A format, and the rule by which it was chosen.
struct Guess {
  InputFormat format = InputFormat::kLines;
  std::string rule = "no other format fits";
  // As lines of text it could also be edges: the words of each line.
  size_t ambiguous_words = 0;
};

// The rule for a format that the content shows.
absl::string_view ContentRule(InputFormat format) {
  switch (format) {
    case InputFormat::kJsonLines:
      return "it begins with an object";
    case InputFormat::kSvmlight:
      return "its first lines are `label index:value ...`";
    case InputFormat::kMatrixMarket:
      return "it begins with %%MatrixMarket";
    case InputFormat::kEdges:
      return "its first lines are `u v [weight]`";
    default:
      return "no other format fits";
  }
}

void Tell(const FormatNote& note, absl::string_view path, const Guess& guess) {
  if (!note) return;
  note(absl::StrCat(InputName(path), ": read as ", LongName(guess.format), " (",
                    guess.rule, "; --input_format sets another)"));
}

constexpr std::pair<absl::string_view, InputFormat> kExtensions[] = {
    {".jsonl", InputFormat::kJsonLines},   {".ndjson", InputFormat::kJsonLines},
    {".json", InputFormat::kJsonLines},    {".svm", InputFormat::kSvmlight},
    {".svmlight", InputFormat::kSvmlight}, {".libsvm", InputFormat::kSvmlight},
    {".mtx", InputFormat::kMatrixMarket},  {".edges", InputFormat::kEdges},
    {".edgelist", InputFormat::kEdges},    {".el", InputFormat::kEdges},
};

constexpr std::pair<absl::string_view, InputFormat> kDenseExtensions[] = {
    {".npy", InputFormat::kNpy},
    {".fvecs", InputFormat::kFvecs},
    {".bvecs", InputFormat::kBvecs},
    {".safetensors", InputFormat::kSafetensors},
};
constexpr absl::string_view kDefaultVectorField = "embedding";

// In lower case, without ".gz" or ".zst" at the end.
std::string PlainName(absl::string_view path) {
  std::string name = absl::AsciiStrToLower(path);
  name.resize(absl::StripSuffix(name, ".gz").size());
  name.resize(absl::StripSuffix(name, ".zst").size());
  return name;
}

bool IsNumber(absl::string_view text) {
  double value = 0;
  return absl::SimpleAtod(text, &value);
}

// `label index:value ...`, or a label alone.
bool LooksLikeSvmlight(const std::vector<absl::string_view>& fields) {
  for (size_t i = 1; i < fields.size(); ++i) {
    const std::vector<absl::string_view> pair = absl::StrSplit(fields[i], ':');
    if (pair.size() != 2) return false;
    if (!IsNumber(pair[0]) && pair[0] != "qid") return false;
    if (!IsNumber(pair[1])) return false;
  }
  return true;
}

// `u v` with numbered vertices, or `u v weight` with vertices of any name.
bool LooksLikeEdge(const std::vector<absl::string_view>& fields) {
  if (fields.size() == 2) {
    int64_t id = 0;
    return absl::SimpleAtoi(fields[0], &id) && absl::SimpleAtoi(fields[1], &id);
  }
  return fields.size() == 3 && IsNumber(fields[2]);
}

// Whether `text` begins the first object of a JSON array: "[{", or "{" after a
// line "[".
bool StartsObjects(const std::vector<std::string>& seen,
                   absl::string_view text) {
  if (seen.size() == 1) return seen[0] == "[" && text[0] == '{';
  return seen.empty() && absl::ConsumePrefix(&text, "[") &&
         absl::StartsWith(absl::StripLeadingAsciiWhitespace(text), "{");
}

// Files that are not text, by their first bytes.
constexpr std::pair<absl::string_view, absl::string_view> kForeign[] = {
    {"\xFD\x37zXZ", "an xz file"}, {"BZh91AY&SY", "a bzip2 file"},
    {"PK\x03\x04", "a zip file"},  {kNpyMagic, "an NPY file"},
    {"%PDF-", "a PDF file"},
};

// Content of no other format is read as lines of text. Without this check, an
// archive would be clustered too.
absl::Status CheckIsText(absl::string_view name, absl::string_view text) {
  for (const auto& [start, what] : kForeign) {
    if (absl::StartsWith(text, start)) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, ": expected text, plain or compressed by gzip or zstd, found ",
          what));
    }
  }
  // The readers report UTF-16 with its line.
  if (!CheckIsNotUtf16(text).ok()) return absl::OkStatus();
  if (text.find('\0') != absl::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat(name,
                     ": expected text, plain or compressed by gzip or zstd, "
                     "found a NUL byte "
                     "(--input_format=lines reads any bytes)"));
  }
  return absl::OkStatus();
}

absl::Status FoundGraph(absl::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat(name,
                   ": expected documents, found the edges of a graph "
                   "(--input_format=lines reads them as texts)"));
}

// 2 or 3 if that is the number of words of each of the first lines, at least
// three; otherwise 0. `text` may be cut short.
size_t WordsPerLine(absl::string_view text) {
  size_t words = 0;
  int lines = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const bool is_last = line.data() + line.size() == text.data() + text.size();
    if (lines == kHeadLines || (is_last && text.size() >= kHeadBytes)) break;
    const std::vector<absl::string_view> columns =
        absl::StrSplit(line, absl::ByAnyChar(" \t\r,"), absl::SkipEmpty());
    if (columns.empty() || columns[0][0] == '#' || columns[0][0] == '%') {
      continue;
    }
    if (lines > 0 && columns.size() != words) return 0;
    words = columns.size();
    ++lines;
  }
  return lines >= 3 && (words == 2 || words == 3) ? words : 0;
}

// Whether `field` could name a column.
bool LooksLikeName(absl::string_view field) {
  field = absl::StripAsciiWhitespace(field);
  return !field.empty() && !absl::ascii_isdigit(field[0]) &&
         absl::c_all_of(field, [](char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '.';
         });
}

// For an input without a name: `guess`, or CSV if `text`, its begin, has a
// header that names a column text and records of as many columns.
Guess GuessCsv(absl::string_view text, Guess guess) {
  // The last line may be cut off.
  LineReader lines =
      LineReader::FromString(std::string(text.substr(0, text.rfind('\n') + 1)));
  CsvReader csv(&lines);
  std::vector<std::string> header;
  std::vector<std::string> fields;
  absl::StatusOr<bool> more = csv.Next(&header);
  if (!more.ok() || header.size() < 2) return guess;
  int records = 1;
  while ((more = csv.Next(&fields)).ok() && *more) ++records;
  // At the end, a quoted field may be cut off.
  if (!more.ok() && !lines.ended()) return guess;
  const auto is_text = [](absl::string_view field) {
    return absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(field), "text");
  };
  if (absl::c_all_of(header, LooksLikeName) &&
      absl::c_any_of(header, is_text)) {
    return {InputFormat::kCsv, "its first line names a column text"};
  }
  if (records >= 3) {
    guess.rule =
        "no other format fits; it may be CSV, without a header that names a "
        "column text: --input_format=csv";
  }
  return guess;
}

absl::StatusOr<Guess> GuessByContent(absl::string_view name,
                                     const std::string& head,
                                     bool edges_allowed, bool has_name) {
  Guess guess;
  guess.format = DetectContentFormat(head, edges_allowed);
  guess.rule = std::string(ContentRule(guess.format));
  if (guess.format == InputFormat::kLines) {
    const std::string text = Inflated(head);
    RETURN_IF_ERROR(CheckIsText(name, text));
    // How similarity_graph begins.
    if (absl::StartsWith(text, kVertexMark)) return FoundGraph(name);
    guess.ambiguous_words = WordsPerLine(text);
    if (!has_name) return GuessCsv(text, std::move(guess));
  }
  return guess;
}

absl::StatusOr<Guess> GuessFormat(absl::string_view path, bool edges_allowed) {
  if (path == "-") {
    return GuessByContent(InputName(path), PeekBytes(STDIN_FILENO),
                          edges_allowed, /*has_name=*/false);
  }
  ASSIGN_OR_RETURN(mode_t mode, ModeOf(path));
  if (S_ISDIR(mode)) return Guess{InputFormat::kDirectory, "it is a directory"};
  const std::string lower = PlainName(path);
  for (const auto& [extension, format] : kExtensions) {
    if (!absl::EndsWith(lower, extension)) continue;
    if (format == InputFormat::kEdges && !edges_allowed) {
      return FoundGraph(path);
    }
    return Guess{format, absl::StrCat("the name ends in ", extension)};
  }
  ASSIGN_OR_RETURN(std::string head, PeekFile(path, mode));
  ASSIGN_OR_RETURN(Guess guess,
                   GuessByContent(path, head, edges_allowed, !S_ISFIFO(mode)));
  // Edges may be in a file of that name too.
  if (guess.format == InputFormat::kLines && absl::EndsWith(lower, ".csv")) {
    guess = {InputFormat::kCsv, "the name ends in .csv"};
  }
  return guess;
}

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
absl::StatusOr<absl::optional<Guess>> GuessDense(
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
        return Guess{format, absl::StrCat("the name ends in ", extension)};
      }
    }
    for (const auto& [extension, format] : kExtensions) {
      if (format != InputFormat::kJsonLines &&
          absl::EndsWith(lower, extension)) {
        return absl::nullopt;
      }
    }
    // The general detection reports what cannot be examined.
    absl::StatusOr<std::string> peeked = PeekFile(path, mode);
    if (!peeked.ok()) return absl::nullopt;
    head = *std::move(peeked);
  }
  const std::string start = Inflated(std::move(head));
  if (IsNpy(start)) return Guess{InputFormat::kNpy, "it begins like NPY"};
  if (IsSafetensors(start)) {
    return Guess{InputFormat::kSafetensors, "it begins like safetensors"};
  }
  const size_t first = start.find_first_not_of(" \t\r\n");
  if (first != std::string::npos &&
      (start[first] == '{' || start[first] == '[') &&
      HasVector(start, vector_field)) {
    return Guess{InputFormat::kJsonVectors,
                 absl::StrCat("its first object has an array ", vector_field)};
  }
  return absl::nullopt;
}

// The kind of points that begin with `head`, which may be gzip'ed.
absl::StatusOr<Guess> GuessPointsByContent(absl::string_view name,
                                           std::string head) {
  const std::string start = Inflated(std::move(head));
  if (IsNpy(start)) return Guess{InputFormat::kNpy, "it begins like NPY"};
  for (const auto& [mark, what] : kForeign) {
    if (!absl::StartsWith(start, mark)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        name,
        ": expected points as CSV or NPY, plain or compressed by gzip or zstd, "
        "found ",
        what,
        absl::StartsWith(mark, "PK")
            ? "; an .npz is a zip file of arrays: `unzip` it and read one .npy"
            : ""));
  }
  return Guess{InputFormat::kCsv, "it is not NPY"};
}

absl::StatusOr<Guess> GuessPoints(absl::string_view path) {
  if (path == "-") {
    return GuessPointsByContent(InputName(path), PeekBytes(STDIN_FILENO));
  }
  ASSIGN_OR_RETURN(mode_t mode, ModeOf(path));
  const std::string lower = PlainName(path);
  if (absl::EndsWith(lower, ".npy")) {
    return Guess{InputFormat::kNpy, "the name ends in .npy"};
  }
  // The reader reports a directory.
  if (S_ISDIR(mode) || (S_ISFIFO(mode) && absl::EndsWith(lower, ".csv"))) {
    return Guess{InputFormat::kCsv, "the name ends in .csv"};
  }
  ASSIGN_OR_RETURN(std::string head, PeekFile(path, mode));
  return GuessPointsByContent(path, std::move(head));
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

InputFormat DetectContentFormat(absl::string_view head, bool edges_allowed) {
  LineReader lines = LineReader::FromString(std::string(head));
  std::vector<std::string> seen;
  absl::string_view line;
  // The last line may be cut short: it counts only if it is the only one.
  while (seen.size() <= kHeadLines && lines.Next(&line)) {
    if (seen.empty() && absl::StartsWithIgnoreCase(line, "%%MatrixMarket")) {
      return InputFormat::kMatrixMarket;
    }
    // How similarity_graph begins; the edges may be far below.
    if (edges_allowed && absl::StartsWith(line, kVertexMark)) {
      return InputFormat::kEdges;
    }
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    if (seen.empty() && !text.empty() && text[0] == '{') {
      return InputFormat::kJsonLines;
    }
    // An array of objects, which the reader of JSON Lines reads too.
    if (!text.empty() && StartsObjects(seen, text)) {
      return InputFormat::kJsonLines;
    }
    if (!text.empty() && text[0] != '#' && text[0] != '%') {
      seen.emplace_back(text);
    }
  }
  if (seen.size() > 1) seen.pop_back();
  bool svmlight = !seen.empty(), edges = edges_allowed && !seen.empty();
  bool has_pairs = false;
  for (const std::string& text : seen) {
    const absl::string_view data = absl::StripAsciiWhitespace(
        absl::string_view(text).substr(0, text.find('#')));
    // Commas separate the columns of an edge, and the labels of a svmlight
    // line.
    const std::vector<absl::string_view> words =
        absl::StrSplit(data, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    const std::vector<absl::string_view> columns =
        absl::StrSplit(data, absl::ByAnyChar(" \t,"), absl::SkipEmpty());
    svmlight = svmlight && LooksLikeSvmlight(words);
    has_pairs = has_pairs || words.size() > 1;
    edges = edges && LooksLikeEdge(columns);
  }
  if (svmlight && has_pairs) return InputFormat::kSvmlight;
  return edges ? InputFormat::kEdges : InputFormat::kLines;
}

absl::StatusOr<InputFormat> DetectInputFormat(absl::string_view path,
                                              bool edges_allowed,
                                              const FormatNote& note) {
  ASSIGN_OR_RETURN(const Guess guess, GuessFormat(path, edges_allowed));
  if (edges_allowed && guess.ambiguous_words > 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        InputName(path), ": expected documents or edges, found ",
        guess.ambiguous_words,
        " words on each line, which may be either: --input_format=lines reads "
        "a text per line, --input_format=edges an edge per line"));
  }
  Tell(note, path, guess);
  return guess.format;
}

absl::StatusOr<absl::optional<InputFormat>> DetectDenseFormat(
    absl::string_view path, absl::string_view vector_field,
    const FormatNote& note) {
  ASSIGN_OR_RETURN(const absl::optional<Guess> guess,
                   GuessDense(path, vector_field));
  if (!guess.has_value()) return absl::nullopt;
  Tell(note, path, *guess);
  return guess->format;
}

absl::StatusOr<InputFormat> DetectPointFormat(absl::string_view path,
                                              const FormatNote& note) {
  ASSIGN_OR_RETURN(const Guess guess, GuessPoints(path));
  Tell(note, path, guess);
  return guess.format;
}

absl::StatusOr<InputFormat> DetectGraphFormat(absl::string_view path,
                                              const FormatNote& note) {
  ASSIGN_OR_RETURN(Guess guess, GuessFormat(path, /*edges_allowed=*/true));
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
  Tell(note, path, guess);
  return guess.format;
}

}  // namespace warpclust
