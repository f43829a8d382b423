// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_documents.h"

#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "sparse/dense/dense_of_sparse.h"
#include "sparse/io/id_lists.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/matrix_market.h"
#include "sparse/io/svmlight.h"
#include "sparse/io/text_directory.h"
#include "sparse/io/text_documents.h"
#include "sparse/io/text_lines.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/first_words.h"
#include "sparse/text/vectorizer.h"
#include "sparse/weighting/top_terms.h"
#include "sparse/weighting/weighting.h"
#include "tools/input/text_flags.h"

namespace warpclust {
namespace {

constexpr absl::string_view kExample = "encyclopedia.jsonl";

absl::StatusOr<TextDocuments> ReadTexts(const Input& input,
                                        const DocumentOptions& options,
                                        SkippedLines* skipped) {
  if (input.format == InputFormat::kDirectory) {
    return ReadTextDirectory(input.path, input.work, input.num_threads);
  }
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(input.path, input.work));
  if (input.format == InputFormat::kCsv) {
    return ReadCsvDocuments(lines, options.csv, input.note, options.describe,
                            input.num_threads);
  }
  if (input.format == InputFormat::kLines) {
    return ReadTextLines(lines, input.num_threads);
  }
  JsonLinesOptions json_options = JsonOptions(options.json);
  json_options.read_title = options.describe;
  json_options.read_labels = options.labels;
  absl::StatusOr<TextDocuments> texts = ReadJsonLines(
      lines, json_options, options.json.skip_bad_lines ? skipped : nullptr,
      input.num_threads);
  RETURN_IF_ERROR(HintJsonFlags(texts.status(), "text_field"));
  return texts;
}

absl::StatusOr<InputDocuments> ReadTextInput(const Input& input,
                                             const DocumentOptions& options) {
  // Checked before the input is read: a wrong language is a wrong flag.
  ASSIGN_OR_RETURN(const AnalyzerOptions analyzer, TextAnalyzer(options.text));
  InputDocuments result;
  ASSIGN_OR_RETURN(TextDocuments texts,
                   ReadTexts(input, options, &result.skipped));
  if (options.describe) {
    result.titles = std::move(texts.titles);
    result.titles.resize(texts.texts.size());
    for (size_t d = 0; d < texts.texts.size(); ++d) {
      result.titles[d] = DocumentTitle(result.titles[d], texts.texts[d]);
    }
  }
  // The texts take memory until they are counted.
  ASSIGN_OR_RETURN(VectorizedTexts vectors,
                   VectorizeAndFree(&texts.texts, analyzer, input.work,
                                    input.num_threads, options.describe));
  result.words = std::move(vectors.words);
  result.frequencies =
      DocumentFrequencies(vectors.documents, input.num_threads);
  result.documents = std::move(vectors.documents);
  result.vocabulary = std::move(vectors.vocabulary);
  result.ids = std::move(texts.ids);
  result.labels = std::move(texts.labels);
  return result;
}

absl::StatusOr<InputDocuments> ReadVectorInput(const Input& input) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(input.path, input.work));
  ASSIGN_OR_RETURN(
      LabelledDocuments vectors,
      input.format == InputFormat::kSvmlight
          ? ReadSvmLight(lines, input.num_threads, input.allow_negative)
          : ReadMatrixMarket(lines, input.num_threads, input.allow_negative));
  InputDocuments result;
  result.documents = std::move(vectors.documents);
  result.ids = std::move(vectors.ids);
  result.labels = std::move(vectors.labels);
  return result;
}

}  // namespace

void AddDocumentFlags(FlagSet* flags, DocumentOptions* options) {
  flags->Group("Documents");
  flags->AddChoice("weighting", &options->weighting, {"tf", "tfidf"},
                   "Term counts as they are, or times log(n / documents with "
                   "the term).");
  AddTextFlags(flags, &options->text);
  AddJsonFlags(flags, &options->json, /*times=*/false);
  flags->AddInt("max_terms", &options->max_terms, 0,
                std::numeric_limits<int32_t>::max(),
                "Keep only the N heaviest terms of a document; 0 for all.");
  flags->AddReadPath("ids", &options->ids, "PATH",
                     "Names of the documents, one per line, for vectors or "
                     "instead of the names in the input.");
  AddCsvFlags(flags, &options->csv, /*times=*/false);
}

absl::StatusOr<Input> FindInput(const ToolRun& run, bool edges_allowed) {
  Input input;
  ASSIGN_OR_RETURN(input.path, InputOrExample(run, kExample));
  input.note = run.InputNotes();
  input.work = run.progress.work();
  input.num_threads = run.threads;
  ASSIGN_OR_RETURN(input.format,
                   ResolveInputFormat(input.path, run.options.input_format,
                                      edges_allowed, input.note));
  return input;
}

absl::StatusOr<InputDocuments> ReadDocuments(const Input& input,
                                             const DocumentOptions& options,
                                             const FlagSet& flags) {
  RETURN_IF_ERROR(
      IsText(input.format)
          ? CheckLanguageFlag(flags, options.text.stem, options.text.language)
          : CheckNoTextFlags(flags, "the input is"));
  RETURN_IF_ERROR(CheckCsvFlags(flags, input.format));
  RETURN_IF_ERROR(CheckJsonFlags(options.json, input.format));
  ASSIGN_OR_RETURN(InputDocuments result, IsText(input.format)
                                              ? ReadTextInput(input, options)
                                              : ReadVectorInput(input));
  if (!options.ids.empty()) {
    ASSIGN_OR_RETURN(
        result.ids,
        ReadIds(options.ids, static_cast<int64_t>(result.ids.size())));
  }
  if (options.describe) {
    result.titles.resize(result.ids.size());
    for (size_t d = 0; d < result.ids.size(); ++d) {
      if (result.titles[d].empty()) result.titles[d] = result.ids[d];
    }
  }
  result.has_negative_weights =
      input.allow_negative &&
      HasNegativeWeights(result.documents, input.num_threads);
  if (result.has_negative_weights) {
    RETURN_IF_ERROR(RefuseFlags(
        flags, {"weighting", "max_terms"},
        "is for weights that are not negative, and the input has others"));
    return result;
  }
  ASSIGN_OR_RETURN(const Weighting weighting,
                   options.choose == nullptr
                       ? ParseWeighting(options.weighting)
                       : options.choose(result.documents));
  absl::StatusOr<DocumentMatrix> weighted =
      ApplyWeighting(std::move(result.documents), weighting, input.num_threads);
  if (weighted.ok() && options.max_terms > 0) {
    weighted = KeepTopTerms(*std::move(weighted),
                            static_cast<int32_t>(options.max_terms));
  }
  if (!weighted.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(input.path, ": ", weighted.status().message()));
  }
  result.documents = *std::move(weighted);
  return result;
}

}  // namespace warpclust
