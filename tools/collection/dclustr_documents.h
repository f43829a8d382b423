// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StoreReader: reads files of documents into vectors and ids for a store, one
// file after the other, over one run of dclustr or several.
//
// The vocabulary of the store numbers the terms of texts. New terms of a file
// follow the known ones, in ascending order. Terms of svmlight and MatrixMarket
// are their indices minus 1. Embeddings have no terms, but a number of
// dimensions. A document without an id gets the next number of the store.
//
// Time: linear. Memory: the result, the vocabulary, and blocks of texts.

#ifndef WARPCLUST_TOOLS_COLLECTION_DCLUSTR_DOCUMENTS_H_
#define WARPCLUST_TOOLS_COLLECTION_DCLUSTR_DOCUMENTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/machine/work_share.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/io/json_lines.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/full_words.h"
#include "sparse/text/vocabulary.h"
#include "tools/input/csv_documents.h"
#include "tools/input/input_format.h"
#include "tools/input/json_flags.h"
#include "tools/input/read_dense.h"

namespace warpclust {

class StoreReader {
 public:
  // Most terms. The store keeps something for each number below the largest.
  static constexpr int32_t kMaxTerms = 1 << 26;

  enum class Content { kUnknown, kTexts, kVectors, kEmbeddings };

  // "texts", "vectors" or "embeddings".
  static absl::string_view ContentName(Content content);

  // What is known of a store.
  struct Knowledge {
    Content content = Content::kUnknown;
    AnalyzerOptions analyzer;
    Vocabulary terms;
    int32_t dimensions = 0;  // Of embeddings.
    int64_t next_number = 0;
  };

  // What was read, in order.
  struct Documents {
    DocumentMatrix counts;
    DenseDocuments rows;  // Instead of them, of embeddings.
    std::vector<std::string> ids;
    // The line of each in its file, or in that of the ids; 0 if it has none.
    std::vector<int64_t> lines;
    // What --skip_bad_lines left out, one per file that was read in blocks.
    std::vector<SkippedLines> skipped;
    // If File::describe: the titles of texts and embeddings, empty for one
    // without.
    std::vector<std::string> titles;
  };

  struct File {
    std::string path;  // "-" is standard input.
    std::string input_format = "auto";
    FormatNote note;  // Takes what an "auto" format is read as.
    CsvColumns csv;   // For CSV.
    JsonFlags json;
    DenseFlags dense;
    std::string ids_path;       // Names, one per line; or empty.
    WorkShare* work = nullptr;  // Follows the reading.
    int num_threads = 0;        // To read embeddings with.
    // Refuse an id that cannot begin a line of a table.
    bool ids_for_table = false;
    // Refuse a document without an id.
    bool ids_required = false;
    // Fill Documents::titles, and count the words of texts.
    bool describe = false;
  };

  explicit StoreReader(Knowledge knowledge)
      : knowledge_(std::move(knowledge)) {}

  // Appends the documents of a file. UsageError for flags without effect.
  // InvalidArgument naming file and line; also for content of another kind than
  // the store's, for another number of dimensions, for an index above
  // kMaxTerms, and if there are more or fewer names than documents.
  absl::Status Append(const File& file, Documents* documents);

  // The word to show for each term, of the files that were read with
  // File::describe (sparse/text/full_words.h); empty for vectors.
  std::vector<std::string> Words() const {
    return words_.Words(knowledge_.terms.size());
  }

  const Knowledge& knowledge() const { return knowledge_; }
  Knowledge* mutable_knowledge() { return &knowledge_; }

 private:
  absl::Status AppendTexts(const File& file, InputFormat format,
                           Documents* documents);
  absl::Status AppendVectors(const File& file, InputFormat format,
                             Documents* documents);
  absl::Status AppendEmbeddings(const File& file, InputFormat format,
                                Documents* documents);
  absl::Status NameDocuments(const File& file, size_t first,
                             Documents* documents);

  Knowledge knowledge_;
  FullWords words_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_COLLECTION_DCLUSTR_DOCUMENTS_H_
