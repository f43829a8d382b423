// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/collection/dclustr_documents.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "sparse/dense/io/dense_json_lines.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/io/id_lists.h"
#include "sparse/io/matrix_market.h"
#include "sparse/io/text_directory.h"
#include "sparse/io/text_documents.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/text/first_words.h"
#include "sparse/text/term_counter.h"
#include "tools/cli/cli.h"
#include "tools/input/read_documents.h"
#include "tools/input/stream/document_stream.h"

namespace warpclust {
namespace {

// In the documents from row `first` on, replaces the term numbers of `terms` by
// those of `vocabulary`, to which it adds new terms in ascending order.
void Renumber(const Vocabulary& terms, int32_t first, Vocabulary* vocabulary,
              DocumentMatrix* documents) {
  std::vector<int32_t> order(terms.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return terms.Term(a) < terms.Term(b);
  });
  std::vector<int32_t> number(terms.size());
  for (int32_t t : order) number[t] = vocabulary->Add(terms.Term(t));
  std::vector<std::pair<int32_t, float>> row;
  for (int32_t d = first; d < documents->num_documents(); ++d) {
    const int64_t begin = documents->offsets[d];
    row.clear();
    for (int64_t e = begin; e < documents->offsets[d + 1]; ++e) {
      row.emplace_back(number[documents->terms[e]], documents->weights[e]);
    }
    std::sort(row.begin(), row.end());
    for (size_t i = 0; i < row.size(); ++i) {
      documents->terms[begin + i] = row[i].first;
      documents->weights[begin + i] = row[i].second;
    }
  }
}

// Calls `use` with the blocks of a file.
absl::Status ForEachBlock(const StoreReader::File& file, InputFormat format,
                          std::vector<SkippedLines>* skipped,
                          absl::FunctionRef<void(DocumentBlock& block)> use) {
  ASSIGN_OR_RETURN(DocumentStream stream,
                   DocumentStream::Open(file.path, format,
                                        {.ids_for_table = file.ids_for_table,
                                         .read_times = false,
                                         .read_titles = file.describe,
                                         .keep_lines = false,
                                         .json = file.json,
                                         .csv = file.csv,
                                         .note = file.note,
                                         .work = file.work}));
  DocumentStream::Limits limits;
  limits.documents = 1 << 14;
  limits.fill = true;
  for (;;) {
    ASSIGN_OR_RETURN(DocumentBlock block,
                     stream.Read(limits, [] { return false; }));
    if (block.size() == 0) {
      skipped->push_back(stream.skipped());
      return absl::OkStatus();
    }
    use(block);
  }
}

StoreReader::Content ContentOf(InputFormat format) {
  if (IsDense(format)) return StoreReader::Content::kEmbeddings;
  return IsText(format) ? StoreReader::Content::kTexts
                        : StoreReader::Content::kVectors;
}

// The format of a file of any content. UsageError for flags that are for
// others.
absl::StatusOr<InputFormat> FormatOf(const StoreReader::File& file) {
  absl::optional<InputFormat> format;
  if (file.input_format == "auto") {
    ASSIGN_OR_RETURN(
        format,
        DetectDenseFormat(file.path, file.dense.vector_field, file.note));
  }
  if (!format.has_value()) {
    ASSIGN_OR_RETURN(format,
                     ResolveInputFormat(file.path, file.input_format,
                                        /*edges_allowed=*/false, file.note));
  }
  if (*format != InputFormat::kCsv && file.csv.any()) {
    return UsageError(
        absl::StrCat("--text_column and --id_column are for CSV, and ",
                     file.path, " is not"));
  }
  RETURN_IF_ERROR(CheckDenseFlags(file.dense, file.json, *format));
  JsonFlags json = file.json;
  // Which vectors in JSON Lines have too.
  if (*format == InputFormat::kJsonVectors)
    json.id_field = JsonFlags().id_field;
  RETURN_IF_ERROR(CheckJsonFlags(json, *format));
  return *format;
}

}  // namespace

absl::string_view StoreReader::ContentName(Content content) {
  switch (content) {
    case Content::kTexts:
      return "texts";
    case Content::kVectors:
      return "vectors";
    case Content::kEmbeddings:
      return "embeddings";
    case Content::kUnknown:
      break;
  }
  return "";
}

absl::Status StoreReader::AppendTexts(const File& file, InputFormat format,
                                      Documents* documents) {
  ASSIGN_OR_RETURN(Analyzer analyzer, Analyzer::Create(knowledge_.analyzer));
  TermCounter counter(std::move(analyzer));
  if (file.describe) counter.KeepWords();
  // `own` is the title that the input gives, if any.
  const auto add_title = [&](absl::string_view own, absl::string_view text) {
    if (file.describe) documents->titles.push_back(DocumentTitle(own, text));
  };
  // In order of first appearance; renumbered at the end.
  Vocabulary terms;
  const int32_t first = documents->counts.num_documents();
  const auto count = [&](absl::string_view text) {
    counter.Append(
        text, [&](absl::string_view term) { return terms.Add(term); },
        &documents->counts);
  };
  if (format == InputFormat::kDirectory) {
    ASSIGN_OR_RETURN(
        TextDocuments texts,
        ReadTextDirectory(file.path, file.work, /*num_threads=*/1));
    for (const std::string& text : texts.texts) {
      count(text);
      add_title("", text);
    }
    for (std::string& id : texts.ids) documents->ids.push_back(std::move(id));
  } else {
    RETURN_IF_ERROR(ForEachBlock(
        file, format, &documents->skipped, [&](DocumentBlock& block) {
          for (size_t d = 0; d < block.texts.size(); ++d) {
            count(block.texts[d]);
            add_title(file.describe ? block.titles[d] : "", block.texts[d]);
          }
          for (std::string& id : block.ids) {
            documents->ids.push_back(std::move(id));
          }
          documents->lines.insert(documents->lines.end(),
                                  block.line_numbers.begin(),
                                  block.line_numbers.end());
        }));
  }
  Renumber(terms, first, &knowledge_.terms, &documents->counts);
  counter.ForEachKeptWord(
      [&](absl::string_view word, int32_t term, int64_t occurrences) {
        words_.Add(word, knowledge_.terms.Find(terms.Term(term)), occurrences);
      });
  documents->counts.num_terms = knowledge_.terms.size();
  return absl::OkStatus();
}

absl::Status StoreReader::AppendVectors(const File& file, InputFormat format,
                                        Documents* documents) {
  const size_t first = documents->ids.size();
  DocumentMatrix* const counts = &documents->counts;
  if (format == InputFormat::kMatrixMarket) {
    ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(file.path, file.work));
    ASSIGN_OR_RETURN(LabelledDocuments vectors, ReadMatrixMarket(lines));
    AppendRows(vectors.documents, 0, vectors.documents.num_documents(), counts);
    documents->ids.resize(first + vectors.ids.size());
  } else {
    RETURN_IF_ERROR(ForEachBlock(
        file, format, &documents->skipped, [&](DocumentBlock& block) {
          AppendRows(block.vectors, 0, block.vectors.num_documents(), counts);
          documents->ids.resize(documents->ids.size() + block.ids.size());
          documents->lines.insert(documents->lines.end(),
                                  block.line_numbers.begin(),
                                  block.line_numbers.end());
        }));
  }
  if (counts->num_terms > kMaxTerms) {
    return absl::InvalidArgumentError(
        absl::StrCat(file.path, ": expected indices up to ", kMaxTerms,
                     ", found ", counts->num_terms));
  }
  return absl::OkStatus();
}

absl::Status StoreReader::AppendEmbeddings(const File& file, InputFormat format,
                                           Documents* documents) {
  Input input;
  input.path = file.path;
  input.format = format;
  input.work = file.work;
  input.num_threads = file.num_threads;
  DenseJsonOptions json;
  json.id_field = file.json.id_field;
  json.number_documents = false;
  json.read_titles = file.describe;
  ASSIGN_OR_RETURN(DenseInput read,
                   ReadDenseRows(input, file.dense, std::move(json)));
  const int32_t n = read.documents.num_documents();
  if (n == 0) return absl::OkStatus();
  const absl::string_view name = InputName(file.path);
  if (knowledge_.dimensions != 0 &&
      knowledge_.dimensions != read.documents.num_dimensions) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, read.lines.empty() ? ": row 0" : absl::StrCat(":", read.lines[0]),
        ": expected ", knowledge_.dimensions,
        " dimensions, as the documents before have, found ",
        read.documents.num_dimensions));
  }
  knowledge_.dimensions = read.documents.num_dimensions;
  read.ids.resize(n);
  for (int32_t d = 0; file.ids_for_table && d < n; ++d) {
    if (read.ids[d].empty()) continue;
    RETURN_IF_ERROR(CheckTableId(name, read.lines[d], read.ids[d]));
  }
  std::move(read.ids.begin(), read.ids.end(),
            std::back_inserter(documents->ids));
  documents->lines.insert(documents->lines.end(), read.lines.begin(),
                          read.lines.end());
  if (file.describe) {
    read.titles.resize(n);
    std::move(read.titles.begin(), read.titles.end(),
              std::back_inserter(documents->titles));
  }
  if (documents->rows.num_documents() == 0) {
    documents->rows = std::move(read.documents);
    return absl::OkStatus();
  }
  OwnedDenseRows both;
  AppendRows(documents->rows, 0, documents->rows.num_documents(), &both);
  AppendRows(read.documents, 0, n, &both);
  documents->rows = MakeDenseDocuments(std::move(both));
  return absl::OkStatus();
}

absl::Status StoreReader::NameDocuments(const File& file, size_t first,
                                        Documents* documents) {
  std::vector<std::string>& ids = documents->ids;
  documents->lines.resize(ids.size());
  if (!file.ids_path.empty()) {
    ASSIGN_OR_RETURN(
        std::vector<std::string> names,
        ReadIds(file.ids_path, static_cast<int64_t>(ids.size() - first)));
    std::move(names.begin(), names.end(), ids.begin() + first);
    std::iota(documents->lines.begin() + first, documents->lines.end(), 1);
    return absl::OkStatus();
  }
  for (size_t d = first; d < ids.size(); ++d) {
    if (!ids[d].empty()) continue;
    if (file.ids_required) {
      return absl::InvalidArgumentError(
          absl::StrCat(file.path, ": document ", d - first,
                       ": expected the id of the document to replace, found "
                       "none; --ids=PATH gives ids"));
    }
    ids[d] = absl::StrCat(knowledge_.next_number++);
  }
  return absl::OkStatus();
}

absl::Status StoreReader::Append(const File& file, Documents* documents) {
  ASSIGN_OR_RETURN(const InputFormat format, FormatOf(file));
  const Content content = ContentOf(format);
  if (knowledge_.content != Content::kUnknown &&
      knowledge_.content != content) {
    return absl::InvalidArgumentError(
        absl::StrCat(file.path, ": expected ", ContentName(knowledge_.content),
                     ", as in the store, found ", ContentName(content), " (",
                     InputFormatName(format), ")"));
  }
  const size_t first = documents->ids.size();
  RETURN_IF_ERROR(content == Content::kTexts
                      ? AppendTexts(file, format, documents)
                  : content == Content::kVectors
                      ? AppendVectors(file, format, documents)
                      : AppendEmbeddings(file, format, documents));
  RETURN_IF_ERROR(NameDocuments(file, first, documents));
  if (documents->ids.size() > first) knowledge_.content = content;
  return absl::OkStatus();
}

}  // namespace warpclust
