// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadDense: reads the dense documents of a tool, whose input is an NPY,
// .fvecs, .bvecs or safetensors file, or JSON Lines with arrays of numbers.
//
//   if (IsDense(input.format)) {
//     ASSIGN_OR_RETURN(DenseInput read,
//                      ReadDense(input, documents, dense, flags));
//   }
//
// Term vectors with negative weights become dense documents too.

#ifndef WARPCLUST_TOOLS_INPUT_READ_DENSE_H_
#define WARPCLUST_TOOLS_INPUT_READ_DENSE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/row_share.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/io/dense_json_lines.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/input/read_documents.h"

namespace warpclust {

// The flags for dense documents, as given.
struct DenseFlags {
  std::string vector_field = "embedding";
  std::string tensor;
};

// --vector_field and --tensor.
void AddDenseFlags(FlagSet* flags, DenseFlags* dense);

// FindInput, for tools that read dense documents and negative weights too.
absl::StatusOr<Input> FindInputOrDense(const ToolRun& run, bool edges_allowed,
                                       const DenseFlags& dense);

// UsageError for a flag for dense documents unless the format is the one it is
// for, and for names of fields that are empty or the same.
absl::Status CheckDenseFlags(const DenseFlags& dense, const JsonFlags& json,
                             InputFormat format);

// UsageError if `flags` have a document flag that has no effect on dense
// documents, and as CheckDenseFlags.
absl::Status CheckDenseDocumentFlags(InputFormat format,
                                     const DocumentOptions& options,
                                     const DenseFlags& dense,
                                     const FlagSet& flags);

struct DenseInput {
  DenseDocuments documents;
  std::vector<std::string> ids;  // One per document.
  // Of JSON Lines: where each document begins. Otherwise empty.
  std::vector<int64_t> lines;
  // If DocumentOptions::describe: what the input says, or the names.
  std::vector<std::string> titles;
};

// The rows of documents with negative weights. InvalidArgument naming `path` if
// they have too many columns (DenseOfSparse).
absl::StatusOr<DenseInput> DenseOfDocuments(InputDocuments input,
                                            absl::string_view path);

// The documents of `input`, whose format IsDense, without the help of flags:
// ids are those of JSON Lines, and none for other formats. `json`: how to read
// these, with the vector field of `dense`. Errors name the file. Only those of
// `share` are kept; of NPY and safetensors, no others are read.
absl::StatusOr<DenseInput> ReadDenseRows(const Input& input,
                                         const DenseFlags& dense,
                                         DenseJsonOptions json,
                                         const RowShare& share = {});

// Reads `input`, whose format IsDense. Errors name the file, and are those of
// CheckDenseDocumentFlags.
absl::StatusOr<DenseInput> ReadDense(const Input& input,
                                     const DocumentOptions& options,
                                     const DenseFlags& dense,
                                     const FlagSet& flags);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_DENSE_H_
