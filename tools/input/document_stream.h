// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStream: documents from a file or standard input, as they come, in
// blocks of what is there. Of each it keeps the line too, so that a journal can
// have it.
//
// Use it where documents are worked on one after the other and need not be
// there all at once; read_documents.h otherwise. JSON Lines (with `time`), text
// lines and svmlight; gzip'ed or not. Whether an id came before is not checked,
// which would mean to remember them all.
//
// Cost: linear. Memory: that of a block. Thread-safety: one thread at a time.

#ifndef WARPCLUST_TOOLS_INPUT_DOCUMENT_STREAM_H_
#define WARPCLUST_TOOLS_INPUT_DOCUMENT_STREAM_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/input/input_format.h"

namespace warpclust {

struct DocumentBlock {
  // In `times`, for a document without one: before every time.
  static constexpr int64_t kNoTime = INT64_MIN;

  int64_t size() const { return static_cast<int64_t>(ids.size()); }

  // The documents' lines, each with a line feed.
  std::string lines;
  // One a document. An empty one means that the input gives none.
  std::vector<std::string> ids;
  std::vector<int64_t> times;
  // Of the input, from 1.
  std::vector<int64_t> line_numbers;
  // Of kJsonLines and kLines, one a document; else empty.
  std::vector<std::string> texts;
  // Of kSvmlight, a row a document, weights as given; else empty.
  DocumentMatrix vectors;
};

class DocumentStream {
 public:
  struct Limits {
    int64_t documents = 1 << 16;
    int64_t bytes = 1 << 25;
    // Wait until the block has as many documents, or the input ends.
    bool fill = false;
  };

  // Whether the "time" of JSON Lines is read, or whatever it holds ignored.
  enum class Times { kRead, kIgnored };

  // `path` is "-" for standard input. With `ids_for_table`, an id that a table
  // cannot start a line with (a comment's '#', a byte order mark) is an error
  // too. InvalidArgument if the format is none of a stream; the errors of
  // LineReader::Open.
  static absl::StatusOr<DocumentStream> Open(absl::string_view path,
                                             InputFormat format,
                                             bool ids_for_table,
                                             Times times = Times::kRead);
  // Reads the lines of blocks anew, whatever they look like at their start;
  // `name` is for messages.
  static absl::StatusOr<DocumentStream> FromString(absl::string_view lines,
                                                   absl::string_view name,
                                                   InputFormat format);

  InputFormat format() const { return format_; }

  // The next documents: waits until one is there, then takes what has come, up
  // to the limits. None at the end, and when `stop` says to wait no longer; it
  // is asked now and then, and whenever a signal comes. Errors name file and
  // line, and come after the documents before them.
  absl::StatusOr<DocumentBlock> Read(const Limits& limits,
                                     const std::function<bool()>& stop);

 private:
  DocumentStream(LineReader lines, InputFormat format, bool ids_for_table,
                 Times times);
  absl::Status CheckId(absl::string_view id) const;
  // False if the line is not a document.
  absl::StatusOr<bool> Append(absl::string_view line, DocumentBlock* block);

  LineReader lines_;
  InputFormat format_;
  bool ids_for_table_;
  Times times_;
  // Of a line after the documents that were given.
  absl::Status error_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_DOCUMENT_STREAM_H_
