// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StoreReader: files of documents to vectors and ids as a store has them, one
// file after the other, in one run of dclustr or in several.
//
// Terms of texts are numbered by the store's vocabulary, which grows: the new
// ones of a file come behind, ascending by their bytes. Those of svmlight and
// MatrixMarket are their indices less 1. A document that its file does not name
// is called by the store's next number.
//
// Cost: linear. Memory: the result, the vocabulary, and blocks of texts.
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_TOOLS_COLLECTION_DCLUSTR_DOCUMENTS_H_
#define WARPCLUST_TOOLS_COLLECTION_DCLUSTR_DOCUMENTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/vocabulary.h"
#include "tools/input/input_format.h"

namespace warpclust {

class StoreReader {
 public:
  // Terms are kept by their numbers, some of it for each.
  static constexpr int32_t kMaxTerms = 1 << 26;

  enum class Content { kUnknown, kTexts, kVectors };

  // What a store is made of, and what it has given so far.
  struct Knowledge {
    Content content = Content::kUnknown;
    AnalyzerOptions analyzer;
    Vocabulary terms;
    int64_t next_number = 0;
  };

  // What was read, in order.
  struct Documents {
    DocumentMatrix counts;
    std::vector<std::string> ids;
    // Where its file, or that of the ids, has each; 0 if it is no line.
    std::vector<int64_t> lines;
  };

  struct File {
    std::string path;                   // "-" is standard input
    std::string input_format = "auto";  // or the name of a format
    std::string ids_path;               // names, one a line; or empty
    // An id that a table cannot start a line with is an error.
    bool ids_for_table = false;
    // A document without an id is an error, and gets no number.
    bool ids_required = false;
  };

  explicit StoreReader(Knowledge knowledge)
      : knowledge_(std::move(knowledge)) {}

  // Appends the documents of a file. InvalidArgument naming file and line, also
  // for texts where the store holds vectors and the other way round, for an
  // index above kMaxTerms, and for other names than documents.
  absl::Status Append(const File& file, Documents* documents);

  const Knowledge& knowledge() const { return knowledge_; }
  Knowledge* mutable_knowledge() { return &knowledge_; }

 private:
  absl::Status AppendTexts(const File& file, InputFormat format,
                           Documents* documents);
  absl::Status AppendVectors(const File& file, InputFormat format,
                             Documents* documents);
  absl::Status NameDocuments(const File& file, size_t first,
                             Documents* documents);

  Knowledge knowledge_;
};

// Analyzer options as one line of text, for a store to keep, and back.
// InvalidArgument if it is none.
std::string FormatAnalyzer(const AnalyzerOptions& options);
absl::StatusOr<AnalyzerOptions> ParseAnalyzer(absl::string_view text);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_COLLECTION_DCLUSTR_DOCUMENTS_H_
