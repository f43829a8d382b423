// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// InputFormat: the format of an input, by its name and then by its content. No
// byte is consumed, so pipes can be asked too.

#ifndef WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_
#define WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_

#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace warpclust {

enum class InputFormat {
  kJsonLines,     // jsonl
  kLines,         // lines: one document per line
  kDirectory,     // directory: one document per file
  kSvmlight,      // svmlight
  kMatrixMarket,  // matrixmarket
  kEdges,         // edges: u v [weight]
  kCsv,           // csv: points, one per line, or documents, one per record
  kNpy,           // npy: points or dense documents, a NumPy array
  kFvecs,         // fvecs: dense documents
  kBvecs,         // bvecs: the same, in bytes
  kSafetensors,   // safetensors: dense documents, a tensor
  kJsonVectors,   // jsonl_vectors: dense documents, JSON Lines with arrays
};

// The name on the command line.
absl::string_view InputFormatName(InputFormat format);

// The inverse. InvalidArgument for anything else, "auto" included.
absl::StatusOr<InputFormat> ParseInputFormat(absl::string_view name);

// Whether documents of this format are texts, not vectors.
bool IsText(InputFormat format);

// Whether this is a format of dense documents.
bool IsDense(InputFormat format);

// Takes what an input is read as, and by which rule: "names.txt: read as lines
// of text (no other format fits; --input_format sets another)". May be empty.
using FormatNote = std::function<void(absl::string_view)>;

// The format that --input_format names, or DetectInputFormat for "auto".
absl::StatusOr<InputFormat> ResolveInputFormat(absl::string_view path,
                                               absl::string_view name,
                                               bool edges_allowed,
                                               const FormatNote& note = {});

// The format of the file, directory or pipe at `path` ("-": standard input).
// The extension decides, in upper or lower case and also before .gz: .jsonl,
// .ndjson, .json; .svm, .svmlight, .libsvm; .mtx; .edges, .edgelist, .el.
// Otherwise the first lines decide, gzip'ed or not; what matches no other
// format is CSV if the name ends in .csv, or if a pipe or standard input begins
// with a header that names a column text; otherwise lines of text.
// InvalidArgument for a graph unless `edges_allowed`,
// and for content that is no text: another kind of archive, a NUL byte. With
// `edges_allowed` also for lines that may be texts or edges: at least three,
// and all of the first 20 have two words, or all have three. NotFound if there
// is nothing at `path`.
absl::StatusOr<InputFormat> DetectInputFormat(absl::string_view path,
                                              bool edges_allowed,
                                              const FormatNote& note = {});

// The same for the first bytes of an input; the last line may be cut off.
InputFormat DetectContentFormat(absl::string_view head, bool edges_allowed);

// The format of an input of dense documents, empty for any other input: .npy,
// .fvecs, .bvecs and .safetensors by extension or, NPY and safetensors, by
// their first bytes, gzip'ed or not; JSON Lines whose first object has an array
// `vector_field`, and no text if that is `embedding`. Errors as above.
absl::StatusOr<absl::optional<InputFormat>> DetectDenseFormat(
    absl::string_view path, absl::string_view vector_field,
    const FormatNote& note = {});

// kNpy or kCsv for an input of points: NPY by its first bytes, gzip'ed or not,
// or its extension (.npy); anything else is CSV. InvalidArgument for another
// kind of file, such as an .npz; NotFound as above.
absl::StatusOr<InputFormat> DetectPointFormat(absl::string_view path,
                                              const FormatNote& note = {});

// kMatrixMarket or kEdges for an input that is a graph. The errors of
// DetectInputFormat, except that lines of words are edges, and InvalidArgument
// for JSON.
absl::StatusOr<InputFormat> DetectGraphFormat(absl::string_view path,
                                              const FormatNote& note = {});

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_INPUT_FORMAT_H_
