// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlinePipeline: blocks of documents in, lines `id<TAB>cluster` out: what
// online_cluster does between reading and writing.
//
// A document without an id is named by its number in the stream, from 0, with
// earlier runs counted. Where clusters merge, a comment line
// "#merged<TAB>FROM<TAB>INTO" follows the line of the document at which they
// do.
//
// With an approximate method a block begins a batch. One thread at a time.
// Move-only.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_PIPELINE_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_PIPELINE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/input/stream/document_stream.h"
#include "tools/input/stream/stream_vectorizer.h"
#include "tools/stream/online_records.h"

namespace warpclust {

class OnlinePipeline {
 public:
  // `input_name` is for errors. Documents are prepared on up to `num_threads`
  // threads.
  OnlinePipeline(OnlineClusterer clusterer, StreamVectorizer vectorizer,
                 absl::string_view input_name, int num_threads)
      : clusterer_(std::move(clusterer)),
        vectorizer_(std::move(vectorizer)),
        input_name_(input_name),
        num_threads_(num_threads),
        num_prepared_(clusterer_.num_documents()),
        is_dense_(clusterer_.documents() == OnlineDocuments::kDense),
        num_dimensions_(is_dense_ ? clusterer_.num_terms() : 0) {}

  // A block that is ready to be decided.
  struct Prepared {
    DocumentMatrix documents;
    UnitVectors vectors;  // Of `documents`, for the clusterer.
    DenseDocuments rows;  // Instead, if the clusterer is for these.
    std::vector<std::string> ids;
    std::vector<int64_t> times;
  };

  // Takes names and texts of `block` and leaves its lines. Finds impossible
  // documents, before they have changed any cluster: the errors of
  // StreamVectorizer, and rows of another length than those before.
  absl::StatusOr<Prepared> Prepare(DocumentBlock* block);

  // What became of the documents of a block; after an error, of those that were
  // decided.
  struct Decided {
    int64_t documents_before = 0;
    std::vector<int32_t> clusters;
    std::vector<OnlineMerge> merges;  // Among them.
  };

  absl::Status Decide(const Prepared& prepared, Decided* decided);

  // Their output. `ids` are those of the block. On any thread.
  static std::string Lines(const std::vector<std::string>& ids,
                           const Decided& decided);

  // Fills vocabulary, frequencies and clusters.
  absl::Status Fill(OnlineSnapshot* snapshot);

  const OnlineClusterer& clusterer() const { return clusterer_; }
  OnlineClusterer& clusterer() { return clusterer_; }
  const StreamVectorizer& vectorizer() const { return vectorizer_; }
  StreamVectorizer& vectorizer() { return vectorizer_; }

 private:
  OnlineClusterer clusterer_;
  StreamVectorizer vectorizer_;
  const std::string input_name_;
  const int num_threads_;
  // Merges of the blocks decided so far.
  size_t num_merges_ = 0;
  // Documents of the stream prepared so far.
  int64_t num_prepared_;
  const bool is_dense_;
  // Of dense documents; 0 before the first.
  int32_t num_dimensions_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_PIPELINE_H_
