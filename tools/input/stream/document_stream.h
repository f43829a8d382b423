// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStream: documents from a file or standard input, as they arrive, in
// blocks. Use it where documents are processed one after the other; otherwise
// use read_documents.h.
//
//   ASSIGN_OR_RETURN(DocumentStream stream,
//                    DocumentStream::Open("-", InputFormat::kJsonLines, {}));
//   ASSIGN_OR_RETURN(DocumentBlock block, stream.Read({}, stop));
//
// Formats: JSON Lines (with `time`) or an array of such objects, with texts or
// with vectors; CSV, text lines and svmlight, gzip'ed or not. Dense documents
// that were read as a whole are a stream too.
// Repeated ids are not detected. Time: linear; lines of JSON are parsed side by
// side. Memory: one block, and 2 MiB of lines, at least one.

#ifndef WARPCLUST_TOOLS_INPUT_STREAM_DOCUMENT_STREAM_H_
#define WARPCLUST_TOOLS_INPUT_STREAM_DOCUMENT_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_reader.h"
#include "base/machine/work_share.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/io/dense_json_lines.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/json_texts.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/input/csv_documents.h"
#include "tools/input/input_format.h"
#include "tools/input/json_flags.h"
#include "tools/input/stream/line_batch.h"
#include "tools/input/stream/text_arena.h"

namespace warpclust {

struct DocumentBlock {
  // The time of a document without one; before every other time.
  static constexpr int64_t kNoTime = INT64_MIN;

  int64_t size() const { return static_cast<int64_t>(ids.size()); }

  // The input lines of the documents, each with a line feed. Of an array, of
  // CSV, of FromRows and with other names of fields: lines of JSON with the
  // same content. Empty unless Options::keep_lines.
  std::string lines;
  // One per document, empty if the input has none.
  std::vector<std::string> ids;
  std::vector<int64_t> times;
  // Times beyond the year 9999, taken for milliseconds.
  int64_t times_in_milliseconds = 0;
  // Line numbers in the input, from 1.
  std::vector<int64_t> line_numbers;
  // kJsonLines and kLines: one per document, in `arena`.
  std::vector<absl::string_view> texts;
  TextArena arena;
  // If Options::read_titles: one per text, empty for a text without.
  std::vector<std::string> titles;
  // kSvmlight: one row per document, weights as given.
  DocumentMatrix vectors;
  // kJsonVectors: the same.
  DenseDocuments rows;
};

// InvalidArgument naming `line` of the input `name` for an id that cannot begin
// a line of a table.
absl::Status CheckTableId(absl::string_view name, int64_t line,
                          absl::string_view id);

class DocumentStream {
 public:
  struct Limits {
    int64_t documents = 1 << 16;
    int64_t bytes = 1 << 25;  // Of the input.
    // Wait until the block has this many documents, or the input ends.
    bool fill = false;
    // Return as soon as this many bad lines were skipped in all.
    int64_t skipped_lines = INT64_MAX;
  };

  struct Options {
    // An id that cannot begin a line of a table ('#', a byte order mark) is an
    // error.
    bool ids_for_table = false;
    // Otherwise times are ignored.
    bool read_times = true;
    // The field or column `title`; otherwise it is ignored.
    bool read_titles = false;
    // Otherwise a block takes half of the memory.
    bool keep_lines = true;
    JsonFlags json = {};
    std::string vector_field = "embedding";  // Of kJsonVectors.
    // Of CSV; `note` takes which are read.
    CsvColumns csv = {};
    FormatNote note = {};
    // Unless null, follows the reading.
    WorkShare* work = nullptr;
    // That parse lines of JSON; 0: all cores.
    int num_threads = 1;
  };

  // `path` is "-" for standard input. InvalidArgument for a format that is no
  // stream; the errors of LineReader::Open.
  static absl::StatusOr<DocumentStream> Open(absl::string_view path,
                                             InputFormat format,
                                             const Options& options);
  // Reads the lines of earlier blocks again. `name` stands for the path in
  // messages.
  static absl::StatusOr<DocumentStream> FromString(absl::string_view lines,
                                                   absl::string_view name,
                                                   InputFormat format);

  // Documents without ids and times. `keep_lines`: fill DocumentBlock::lines.
  static DocumentStream FromRows(DenseDocuments rows, bool keep_lines);

  // Of DocumentBlock::lines.
  InputFormat format() const { return format_; }

  // Bad lines are left out instead of ending the stream: --skip_bad_lines,
  // unless set otherwise.
  bool skips_bad_lines() const { return json_.skip_bad_lines; }
  void set_skip_bad_lines(bool skip) { json_.skip_bad_lines = skip; }
  // Those since the start, or the last ForgetSkipped.
  const SkippedLines& skipped() const { return skipped_; }
  void ForgetSkipped() { skipped_ = SkippedLines(); }

  // The next documents: waits for the first, then takes what has arrived, up to
  // the limits. None at the end of the input, and when `stop`, which is asked
  // several times a second and after a signal, returns true. Errors name file
  // and line; the documents before them are returned first.
  absl::StatusOr<DocumentBlock> Read(const Limits& limits,
                                     const std::function<bool()>& stop);

 private:
  DocumentStream(LineReader lines, InputFormat format, const Options& options);
  DocumentBlock ReadRows(const Limits& limits);
  // `line` is the one that the id is from.
  absl::Status CheckId(int64_t line, absl::string_view id) const;
  // The next line, object of an array or record that has arrived. kBad: a
  // record that bad_ describes.
  enum class Got { kText, kBad, kNothingYet, kEnd };
  absl::StatusOr<Got> NextText(JsonText* text);
  absl::StatusOr<Got> NextRecord(JsonText* text);
  // False if the text is not a document.
  absl::StatusOr<bool> Append(const JsonText& text, DocumentBlock* block);
  absl::StatusOr<bool> AppendVector(const JsonText& text, DocumentBlock* block);
  // Of JSON that ends on line `last_line`; `document` is for use again.
  absl::StatusOr<bool> AppendJson(const JsonText& text, int64_t last_line,
                                  JsonDocument* document,
                                  DocumentBlock* block) const;
  // Whether the next lines are documents in JSON that TakeLines may take.
  bool CanTakeLines(const Limits& limits) const;
  // Appends the documents of the lines that have arrived, as far as the limits
  // of a block that has read `*bytes` bytes, which it adds to. False if no line
  // has arrived.
  bool TakeLines(const Limits& limits, int64_t* bytes, DocumentBlock* block);
  // A line that is no document.
  struct BadLine {
    int64_t line;
    absl::Status status;
  };
  // Appends the documents of lines [begin, end) of batch_, up to the first bad
  // line that ends the stream.
  void ParseLines(int64_t begin, int64_t end, DocumentBlock* block,
                  std::vector<BadLine>* bad) const;
  bool EndsStream(const absl::Status& status) const;
  // Skips a bad line, or ends the stream.
  void TakeBad(const BadLine& bad);

  std::unique_ptr<LineReader> lines_;
  InputFormat format_;
  bool ids_for_table_;
  bool keep_lines_;
  JsonFlags json_;
  JsonLinesOptions options_;
  JsonTexts texts_;
  // Of CSV only, with its last record as JSON.
  std::unique_ptr<CsvDocumentReader> csv_;
  std::string record_;
  std::string record_title_;
  absl::Status bad_;
  // Of JSON Lines: the lines that are parsed side by side.
  int num_threads_;
  LineBatch batch_;
  JsonDocument document_;
  // Of kJsonVectors: how to read, the numbers per document, and the values of
  // the current block.
  DenseJsonOptions vector_options_;
  size_t dimensions_ = 0;
  std::vector<float> values_;
  // Of FromRows, with the first row that is not read yet.
  absl::optional<DenseDocuments> rows_;
  int32_t next_row_ = 0;
  SkippedLines skipped_;
  bool ended_ = false;
  // The error after the documents returned so far.
  absl::Status error_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_STREAM_DOCUMENT_STREAM_H_
