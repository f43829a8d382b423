// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Dense documents from JSON Lines: one document per line, a JSON object with
// these fields in any order. One array of such objects is read too.
//
//   embedding  an array of numbers, as many in each document; required
//   id         a string or an integer; default: the number of documents before,
//              or nothing (DenseJsonOptions::number_documents)
//   time       read only if DenseJsonOptions::time_field has its name, as by
//              sparse/io/json_lines.h
//   title, text   strings; read only if DenseJsonOptions::read_titles, ignored
//              if they are something else
//
//   ASSIGN_OR_RETURN(LineReader lines, LineReader::Open("vectors.jsonl.gz"));
//   ASSIGN_OR_RETURN(const DenseJsonDocuments read, ReadDenseJsonLines(lines));
//
// Other fields are ignored; blank lines are skipped. Numbers are rounded to the
// nearest float.
//
// Errors: InvalidArgument "file:line: expected X, found Y" for invalid JSON, a
// field of another type or given twice, an array of another length than the
// first, a number that float32 cannot hold, and an illegal or repeated id
// (sparse/io/unique_ids.h); those of LineReader. Cost: linear. The threads
// parse blocks of lines; an array is read by one.

#ifndef WARPCLUST_SPARSE_DENSE_IO_DENSE_JSON_LINES_H_
#define WARPCLUST_SPARSE_DENSE_IO_DENSE_JSON_LINES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/io/lines/line_reader.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/json_texts.h"

namespace warpclust {

struct DenseJsonOptions {
  // Names of fields, different.
  std::string vector_field = "embedding";
  std::string id_field = "id";
  // Empty: times are ignored.
  std::string time_field = {};
  // Give a document without an id the number of documents before it. Otherwise
  // its id is empty.
  bool number_documents = true;
  // Fill DenseJsonDocuments::titles.
  bool read_titles = false;
};

struct DenseJsonDocuments {
  DenseDocuments documents;
  std::vector<std::string> ids;  // One per document.
  std::vector<int64_t> lines;    // Where each begins.
  // If they are wanted, one per document: its title or the first words of its
  // text (sparse/text/first_words.h), or nothing.
  std::vector<std::string> titles;
};

absl::StatusOr<DenseJsonDocuments> ReadDenseJsonLines(
    LineReader& lines, const DenseJsonOptions& options = {},
    int num_threads = 0);

// One document of a stream.
struct DenseJsonDocument {
  std::vector<float> values;
  absl::optional<std::string> id;
  absl::optional<JsonTime> time;
};

// Parses the document in `text`, which `lines` returned last. False if it is
// blank. `dimensions` are those of the documents before; 0: of none.
// InvalidArgument as above, but not for ids, which are not checked.
absl::StatusOr<bool> ParseDenseJsonDocument(const LineReader& lines,
                                            const JsonText& text,
                                            const DenseJsonOptions& options,
                                            size_t dimensions,
                                            DenseJsonDocument* document);

// Appends the line of a document, without a line feed:
// {"id":"7","time":5,"embedding":[0.5,-1]}. The numbers are read as the same
// floats.
void AppendDenseJson(const absl::optional<std::string>& id,
                     const absl::optional<int64_t>& time,
                     absl::Span<const float> row, std::string* json);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_IO_DENSE_JSON_LINES_H_
