// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextCollector: joins texts that were read in parts, side by side: one part
// per block of lines. Ids are checked and texts moved by all threads, unless
// something is wrong: then one document after the other, so that errors and
// skipped lines are those of a reader of single lines.
//
// Cost: O(documents). Memory: 88 bytes per document beside the result.

#ifndef WARPCLUST_SPARSE_IO_COLLECT_TEXTS_H_
#define WARPCLUST_SPARSE_IO_COLLECT_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "sparse/io/text_documents.h"
#include "sparse/io/unique_ids.h"

namespace warpclust {

// Documents that follow one another.
struct TextPart {
  // The first and the last line of a document.
  struct Lines {
    int64_t first;
    int64_t last;
  };
  // What stands behind `documents_before` documents and is none.
  struct Bad {
    size_t documents_before;
    int64_t line;
    absl::Status status;
  };

  // An id is empty if there is none; others are legal (CheckDocumentId).
  TextDocuments documents;
  std::vector<Lines> lines;
  std::vector<Bad> bad;
  // Why nothing more can be read after them.
  absl::Status status;
};

class TextCollector {
 public:
  struct Options {
    // Of the input, for messages.
    std::string name;
    // Documents without an id get their number; else an empty one.
    bool number_documents = true;
    bool titles = false;
    bool labels = true;
    // Is told what was left out. If empty, that is an error.
    std::function<void(int64_t line, const absl::Status& status)> skip = {};
    int num_threads = 0;
  };

  explicit TextCollector(Options options) : options_(std::move(options)) {}

  // The next part. The first error in the order of the lines, if one is known
  // to exist.
  absl::Status Add(TextPart part);

  // All documents, or the first error. `end`: why the input ended.
  absl::StatusOr<TextDocuments> Finish(const absl::Status& end);

 private:
  absl::Status AddAllInOrder();
  absl::Status AddInOrder(TextPart part);
  absl::Status Append(int64_t line, std::string id, std::string* text,
                      std::vector<std::string>* labels, std::string* title);
  bool MayBeJoined() const;
  TextDocuments Join();

  const Options options_;
  // To be joined; none once something is added in order.
  std::vector<TextPart> parts_;
  bool in_order_ = false;
  TextDocuments documents_;
  UniqueIds unique_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_COLLECT_TEXTS_H_
