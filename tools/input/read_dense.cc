// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_dense.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/io/slices.h"
#include "base/machine/resize_vector.h"
#include "base/status/status_macros.h"
#include "sparse/dense/dense_of_sparse.h"
#include "sparse/dense/io/dense_npy.h"
#include "sparse/dense/io/dense_vecs.h"
#include "sparse/dense/io/safetensors.h"
#include "sparse/io/id_lists.h"
#include "tools/input/json_flags.h"

namespace warpclust {
namespace {

// Values that a thread copies at once.
constexpr int64_t kCopied = int64_t{1} << 20;

// The documents of `share`, in memory of their own.
DenseInput TakeShare(DenseInput all, const RowShare& share, int num_threads) {
  const int64_t n = all.documents.num_documents();
  const auto begin = static_cast<int32_t>(share.Begin(n));
  const auto end = static_cast<int32_t>(share.End(n));
  const absl::Span<const float> rows = all.documents.Rows(begin, end).values;
  const auto size = static_cast<int64_t>(rows.size());
  std::vector<float> values;
  ResizeVector(size, num_threads, &values);
  (void)ForSlices(size, kCopied, num_threads, [&](int64_t from, int64_t to) {
    std::copy(rows.begin() + from, rows.begin() + to, values.begin() + from);
    return absl::OkStatus();
  });
  all.documents = MakeDenseDocuments(std::move(values), end - begin);
  const auto keep = [&](auto* of_all) {
    if (of_all->empty()) return;
    of_all->erase(of_all->begin() + end, of_all->end());
    of_all->erase(of_all->begin(), of_all->begin() + begin);
  };
  keep(&all.ids);
  keep(&all.lines);
  keep(&all.titles);
  return all;
}

// The documents of a format that is read as a whole.
absl::StatusOr<DenseInput> ReadWhole(const Input& input,
                                     const DenseFlags& dense,
                                     DenseJsonOptions json) {
  if (input.format == InputFormat::kJsonVectors) {
    ASSIGN_OR_RETURN(LineReader lines,
                     LineReader::Open(input.path, input.work));
    json.vector_field = dense.vector_field;
    absl::StatusOr<DenseJsonDocuments> read =
        ReadDenseJsonLines(lines, json, input.num_threads);
    RETURN_IF_ERROR(HintJsonFlags(read.status(), "vector_field"));
    return DenseInput{std::move(read->documents), std::move(read->ids),
                      std::move(read->lines), std::move(read->titles)};
  }
  DenseInput result;
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::Open(input.path, input.work));
  ASSIGN_OR_RETURN(result.documents, input.format == InputFormat::kFvecs
                                         ? ReadFvecs(bytes, input.watch)
                                         : ReadBvecs(bytes, input.watch));
  return result;
}

}  // namespace

void AddDenseFlags(FlagSet* flags, DenseFlags* dense) {
  flags->Group("Embeddings");
  flags->AddString("vector_field", &dense->vector_field, "NAME",
                   "The field of JSON Lines with an array of numbers.");
  flags->AddString("tensor", &dense->tensor, "NAME",
                   "The tensor of a safetensors file, if it has several of two "
                   "dimensions.");
}

absl::StatusOr<Input> FindInputOrDense(const ToolRun& run, bool edges_allowed,
                                       const DenseFlags& dense) {
  if (run.options.input_format == "auto" && !run.options.input.empty()) {
    Input input;
    input.path = run.options.input;
    ASSIGN_OR_RETURN(
        const absl::optional<InputFormat> format,
        DetectDenseFormat(input.path, dense.vector_field, run.InputNotes()));
    if (format.has_value()) {
      input.format = *format;
      input.note = run.InputNotes();
      input.work = run.progress.work();
      input.num_threads = run.threads;
      return input;
    }
  }
  ASSIGN_OR_RETURN(Input input, FindInput(run, edges_allowed));
  input.allow_negative = true;
  return input;
}

absl::Status CheckDenseFlags(const DenseFlags& dense, const JsonFlags& json,
                             InputFormat format) {
  const std::string found =
      absl::StrCat(", and the input is ", InputFormatName(format));
  if (format != InputFormat::kJsonVectors &&
      dense.vector_field != DenseFlags().vector_field) {
    if (format == InputFormat::kJsonLines) {
      return UsageError(absl::StrCat(
          "--vector_field: expected a first line with an array \"",
          dense.vector_field,
          "\", found none (--input_format=jsonl_vectors reads lines without)"));
    }
    return UsageError(
        absl::StrCat("--vector_field is for JSON Lines with vectors "
                     "(jsonl_vectors)",
                     found));
  }
  if (format != InputFormat::kSafetensors && !dense.tensor.empty()) {
    return UsageError(absl::StrCat("--tensor is for safetensors", found));
  }
  if (format != InputFormat::kJsonVectors) return absl::OkStatus();
  for (const auto& [flag, field] : {std::make_pair("id", &json.id_field),
                                    std::make_pair("time", &json.time_field)}) {
    if (dense.vector_field.empty() || field->empty() ||
        dense.vector_field == *field) {
      return UsageError(
          absl::StrCat("--vector_field and --", flag,
                       "_field: expected the names of two fields, found \"",
                       dense.vector_field, "\" and \"", *field, "\""));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDenseDocumentFlags(InputFormat format,
                                     const DocumentOptions& options,
                                     const DenseFlags& dense,
                                     const FlagSet& flags) {
  RETURN_IF_ERROR(RefuseFlags(
      flags,
      {"weighting", "stop_words", "stem", "language", "max_terms",
       "text_column", "id_column", "text_field", "skip_bad_lines"},
      absl::StrCat("is for texts and term vectors, and the input is ",
                   InputFormatName(format))));
  if (format != InputFormat::kJsonVectors) {
    RETURN_IF_ERROR(RefuseFlags(flags, {"id_field"},
                                absl::StrCat("is for JSON Lines, and the input "
                                             "is ",
                                             InputFormatName(format))));
  }
  return CheckDenseFlags(dense, options.json, format);
}

absl::StatusOr<DenseInput> DenseOfDocuments(InputDocuments input,
                                            absl::string_view path) {
  absl::StatusOr<DenseDocuments> documents = DenseOfSparse(input.documents);
  if (!documents.ok()) {
    return absl::Status(
        documents.status().code(),
        absl::StrCat(InputName(path), ": ", documents.status().message()));
  }
  return DenseInput{*std::move(documents), std::move(input.ids), /*lines=*/{},
                    std::move(input.titles)};
}

absl::StatusOr<DenseInput> ReadDenseRows(const Input& input,
                                         const DenseFlags& dense,
                                         DenseJsonOptions json,
                                         const RowShare& share) {
  DenseInput result;
  if (input.format == InputFormat::kNpy) {
    ASSIGN_OR_RETURN(result.documents,
                     ReadDenseNpy(input.path, input.work, input.num_threads,
                                  input.watch, share));
    return result;
  }
  if (input.format == InputFormat::kSafetensors) {
    ASSIGN_OR_RETURN(result.documents,
                     ReadSafetensors(input.path, dense.tensor, input.work,
                                     input.num_threads, input.watch, share));
    return result;
  }
  ASSIGN_OR_RETURN(result, ReadWhole(input, dense, std::move(json)));
  if (share.num_parts > 1) {
    result = TakeShare(std::move(result), share, input.num_threads);
  }
  return result;
}

absl::StatusOr<DenseInput> ReadDense(const Input& input,
                                     const DocumentOptions& options,
                                     const DenseFlags& dense,
                                     const FlagSet& flags) {
  RETURN_IF_ERROR(CheckDenseDocumentFlags(input.format, options, dense, flags));
  DenseJsonOptions json;
  json.id_field = options.json.id_field;
  json.read_titles = options.describe;
  ASSIGN_OR_RETURN(DenseInput result,
                   ReadDenseRows(input, dense, std::move(json)));
  const int64_t n = result.documents.num_documents();
  if (!options.ids.empty()) {
    ASSIGN_OR_RETURN(result.ids, ReadIds(options.ids, n));
  } else if (result.ids.empty()) {
    for (int64_t i = 0; i < n; ++i) result.ids.push_back(absl::StrCat(i));
  }
  if (options.describe) {
    result.titles.resize(n);
    for (int64_t i = 0; i < n; ++i) {
      if (result.titles[i].empty()) result.titles[i] = result.ids[i];
    }
  }
  return result;
}

}  // namespace warpclust
