// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// InputFormat: what format an input has, by its name and then by its content,
// without taking a byte from it, so that pipes can be asked too.
//
// Thread-safety: pure but for the file system.

#ifndef WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_
#define WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

enum class InputFormat {
  kJsonLines,     // jsonl
  kLines,         // lines: one document a line
  kDirectory,     // directory: one document a file
  kSvmlight,      // svmlight
  kMatrixMarket,  // matrixmarket
  kEdges,         // edges: u v [weight]
  kCsv,           // csv: points, a line of coordinates each
  kNpy,           // npy: points, a NumPy array
};

// The name on the command line.
absl::string_view InputFormatName(InputFormat format);
// The inverse; InvalidArgument for anything else, "auto" included.
absl::StatusOr<InputFormat> ParseInputFormat(absl::string_view name);

// The format of the file, directory or pipe at `path` ("-": standard input).
// By name, in capitals or not: .jsonl, .ndjson, .json, .svm, .svmlight,
// .libsvm, .mtx, and .edges, .edgelist, .el, also with .gz; a graph, by these
// names or as similarity_graph writes it, is InvalidArgument unless
// `edges_allowed`. Else by the first lines, gzip'ed or not; what looks like
// nothing else is lines of text, but InvalidArgument if it is another kind of
// archive or has a NUL byte in it. NotFound if there is nothing at `path`.
absl::StatusOr<InputFormat> DetectInputFormat(absl::string_view path,
                                              bool edges_allowed);

// The same for the first bytes of an input; the last line may be cut short.
InputFormat DetectContentFormat(absl::string_view head, bool edges_allowed);

// kNpy or kCsv for an input of points: NPY by its first bytes, gzip'ed or not,
// or its name (.npy, also with .gz); all else is CSV. The same errors.
absl::StatusOr<InputFormat> DetectPointFormat(absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_
