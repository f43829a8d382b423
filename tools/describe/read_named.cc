// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/describe/read_named.h"

#include <utility>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "tools/input/input_format.h"
#include "tools/input/json_flags.h"

namespace warpclust {
namespace {

absl::StatusOr<NamedDocuments> OfDense(DenseInput dense, const FlagSet& flags) {
  RETURN_IF_ERROR(
      RefuseFlags(flags, {"explain", "vocabulary"},
                  "is for documents with terms, and the input is embeddings"));
  NamedDocuments named;
  named.dense = std::move(dense.documents);
  named.is_dense = true;
  named.ids = std::move(dense.ids);
  named.titles = std::move(dense.titles);
  return named;
}

}  // namespace

absl::StatusOr<NamedDocuments> ReadNamed(const Input& input,
                                         const DocumentOptions& documents,
                                         const DenseFlags& dense,
                                         const DescribeFlags& options,
                                         const FlagSet& flags,
                                         const ToolRun& run) {
  if (IsDense(input.format)) {
    ASSIGN_OR_RETURN(DenseInput read,
                     ReadDense(input, documents, dense, flags));
    return OfDense(std::move(read), flags);
  }
  RETURN_IF_ERROR(CheckDenseFlags(dense, documents.json, input.format));
  if (!options.vocabulary.empty() && IsText(input.format)) {
    return UsageError("--vocabulary is for vectors, and the input is texts");
  }
  ASSIGN_OR_RETURN(InputDocuments read, ReadDocuments(input, documents, flags));
  NoteSkippedLines(read.skipped, run);
  if (read.has_negative_weights) {
    ASSIGN_OR_RETURN(DenseInput rows,
                     DenseOfDocuments(std::move(read), input.path));
    return OfDense(std::move(rows), flags);
  }
  if (!IsText(input.format)) {
    ASSIGN_OR_RETURN(read.words, ReadColumnWords(options, input.path,
                                                 read.documents.num_terms));
  }
  return CompactNamed(std::move(read.documents), std::move(read.ids),
                      std::move(read.titles), std::move(read.words),
                      input.num_threads);
}

}  // namespace warpclust
