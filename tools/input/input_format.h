// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// InputFormat: the format of an input, by its name and then by its content. No
// byte is consumed, so pipes can be asked too.

#ifndef WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_
#define WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

enum class InputFormat {
  kJsonLines,     // jsonl
  kLines,         // lines: one document per line
  kDirectory,     // directory: one document per file
  kSvmlight,      // svmlight
  kMatrixMarket,  // matrixmarket
  kEdges,         // edges: u v [weight]
  kCsv,           // csv: points, one per line
  kNpy,           // npy: points, a NumPy array
};

// The name on the command line.
absl::string_view InputFormatName(InputFormat format);

// The inverse. InvalidArgument for anything else, "auto" included.
absl::StatusOr<InputFormat> ParseInputFormat(absl::string_view name);

// Whether documents of this format are texts, not vectors.
bool IsText(InputFormat format);

// The format that --input_format names, or DetectInputFormat for "auto".
absl::StatusOr<InputFormat> ResolveInputFormat(absl::string_view path,
                                               absl::string_view name,
                                               bool edges_allowed);

// The format of the file, directory or pipe at `path` ("-": standard input).
// The extension decides, in upper or lower case and also before .gz: .jsonl,
// .ndjson, .json; .svm, .svmlight, .libsvm; .mtx; .edges, .edgelist, .el.
// Otherwise the first lines decide, gzip'ed or not; what matches no other
// format is lines of text. InvalidArgument for a graph unless `edges_allowed`,
// and for content that is no text: another kind of archive, a NUL byte.
// NotFound if there is nothing at `path`.
absl::StatusOr<InputFormat> DetectInputFormat(absl::string_view path,
                                              bool edges_allowed);

// The same for the first bytes of an input; the last line may be cut off.
InputFormat DetectContentFormat(absl::string_view head, bool edges_allowed);

// kNpy or kCsv for an input of points: NPY by its first bytes, gzip'ed or not,
// or its extension (.npy); anything else is CSV. The same errors.
absl::StatusOr<InputFormat> DetectPointFormat(absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_
