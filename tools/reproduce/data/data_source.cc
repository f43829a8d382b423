// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/data/data_source.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"
#include "tools/synthetic/generate_documents.h"
#include "tools/synthetic/generate_points.h"
#include "tools/synthetic/generate_signed_graph.h"
#include "tools/synthetic/generate_stream.h"

namespace warpclust {
namespace {

// Takes parameters out of a source; what nobody takes is an error.
class Parameters {
 public:
  explicit Parameters(const DataSource& source) : source_(source) {}

  template <typename Int>
  void Take(absl::string_view name, Int* target) {
    Decimal value;
    if (Find(name, &value)) *target = static_cast<Int>(value.numerator);
  }
  void Take(absl::string_view name, Decimal* target) { Find(name, target); }

  absl::Status Finish() const {
    for (const auto& [name, value] : source_.parameters) {
      if (!taken_.count(name)) {
        return absl::InvalidArgumentError(absl::StrCat(
            source_.text, ": ", source_.kind, " have no parameter ", name));
      }
    }
    return absl::OkStatus();
  }

 private:
  bool Find(absl::string_view name, Decimal* value) {
    taken_.insert(std::string(name));
    const auto found = source_.parameters.find(std::string(name));
    if (found == source_.parameters.end()) return false;
    *value = found->second;
    return true;
  }

  const DataSource& source_;
  std::set<std::string> taken_;
};

absl::Status Generate(const DataSource& source, const TextSink& sink,
                      int num_threads) {
  Parameters parameters(source);
  if (source.kind == "documents") {
    GenerateDocumentsOptions options;
    parameters.Take("n", &options.num_documents);
    parameters.Take("terms", &options.terms_per_document);
    parameters.Take("vocabulary", &options.vocabulary_size);
    parameters.Take("seed", &options.seed);
    RETURN_IF_ERROR(parameters.Finish());
    return GenerateDocuments(options, sink, nullptr, num_threads);
  }
  if (source.kind == "stream") {
    GenerateStreamOptions options;
    parameters.Take("n", &options.num_documents);
    parameters.Take("words", &options.words_per_document);
    parameters.Take("vocabulary", &options.vocabulary_size);
    parameters.Take("hours", &options.duration_hours);
    parameters.Take("seed", &options.seed);
    RETURN_IF_ERROR(parameters.Finish());
    GenerateStream(options, sink, nullptr);
    return absl::OkStatus();
  }
  if (source.kind == "points") {
    GeneratePointsOptions options;
    parameters.Take("n", &options.num_points);
    parameters.Take("dimensions", &options.dimensions);
    parameters.Take("clusters", &options.num_blobs);
    parameters.Take("deviation", &options.deviation);
    parameters.Take("seed", &options.seed);
    RETURN_IF_ERROR(parameters.Finish());
    GeneratePoints(options, sink, nullptr);
    return absl::OkStatus();
  }
  GenerateSignedGraphOptions options;
  parameters.Take("n", &options.num_vertices);
  parameters.Take("density", &options.density);
  parameters.Take("negative", &options.negative);
  parameters.Take("seed", &options.seed);
  RETURN_IF_ERROR(parameters.Finish());
  GenerateSignedGraph(options, sink);
  return absl::OkStatus();
}

absl::Status Malformed(absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a source like file:NAME[0:10] or points:n=10, found \"", text,
      "\""));
}

}  // namespace

absl::StatusOr<DataSource> ParseDataSource(absl::string_view text) {
  DataSource source;
  source.text = std::string(text);
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  source.kind = std::string(parts.first);
  absl::string_view rest = parts.second;
  if (source.kind == "file") {
    if (absl::ConsumeSuffix(&rest, "]")) {
      const std::vector<absl::string_view> file =
          absl::StrSplit(rest, absl::ByAnyChar("[:"));
      if (file.size() != 3 || !absl::SimpleAtoi(file[1], &source.begin) ||
          !absl::SimpleAtoi(file[2], &source.end) || source.begin < 0 ||
          source.end < source.begin) {
        return Malformed(text);
      }
      rest = file[0];
    }
    source.file = std::string(rest);
    if (rest.empty()) return Malformed(text);
    return source;
  }
  if (source.kind != "documents" && source.kind != "stream" &&
      source.kind != "points" && source.kind != "signed") {
    return Malformed(text);
  }
  for (const absl::string_view field : absl::StrSplit(rest, ',')) {
    const std::pair<absl::string_view, absl::string_view> parameter =
        absl::StrSplit(field, absl::MaxSplits('=', 1));
    const absl::StatusOr<Decimal> value = ParseDecimal(parameter.second);
    if (!value.ok()) return Malformed(text);
    source.parameters[std::string(parameter.first)] = *value;
  }
  if (!source.parameters.count("n")) return Malformed(text);
  return source;
}

std::string GeneratedFileName(const DataSource& source) {
  if (source.kind == "documents") return "documents.svm";
  if (source.kind == "stream") return "stream.jsonl";
  return source.kind == "points" ? "points.csv" : "signed.txt";
}

absl::Status GenerateData(const DataSource& source, absl::string_view path,
                          int num_threads) {
  ASSIGN_OR_RETURN(TextWriter writer, TextWriter::Open(path));
  RETURN_IF_ERROR(Generate(
      source, [&](absl::string_view piece) { writer.Write(piece); },
      num_threads));
  return writer.Close();
}

}  // namespace warpclust
