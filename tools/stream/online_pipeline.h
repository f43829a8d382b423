// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlinePipeline: blocks of documents in, lines `id<TAB>cluster` out. What
// online_cluster does between reading and writing, put down and taken up again
// by snapshots.
//
// A document that the input does not name is called by its number in the
// stream, from 0, earlier runs included. Where clusters merge, a comment line
// "#merged<TAB>FROM<TAB>INTO" follows that of the document it happened at.
//
// Determinism: that of OnlineClusterer; a block starts a batch if the method is
// approximate. Thread-safety: one thread at a time. Move-only.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_PIPELINE_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_PIPELINE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/online_clusterer.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/input/document_stream.h"
#include "tools/input/stream_vectorizer.h"
#include "tools/stream/online_records.h"

namespace warpclust {

class OnlinePipeline {
 public:
  OnlinePipeline(OnlineClusterer clusterer, StreamVectorizer vectorizer)
      : clusterer_(std::move(clusterer)),
        vectorizer_(std::move(vectorizer)),
        num_prepared_(clusterer_.num_documents()) {}

  // A block, ready to be decided.
  struct Prepared {
    DocumentMatrix documents;
    std::vector<std::string> ids;
    std::vector<int64_t> times;
  };

  // Names and vectors of `block`, whose lines stay. What makes a document
  // impossible shows here, before it has changed any cluster: the errors of
  // StreamVectorizer.
  absl::StatusOr<Prepared> Prepare(DocumentBlock* block);

  // Decides them: appends the output lines, and the clusters to `clusters`
  // unless null.
  absl::Status Decide(const Prepared& prepared, std::string* lines,
                      std::vector<int32_t>* clusters);

  // Fills vocabulary, frequencies and clusters.
  absl::Status Fill(OnlineSnapshot* snapshot);

  const OnlineClusterer& clusterer() const { return clusterer_; }
  OnlineClusterer& clusterer() { return clusterer_; }
  const StreamVectorizer& vectorizer() const { return vectorizer_; }

 private:
  OnlineClusterer clusterer_;
  StreamVectorizer vectorizer_;
  // Merges that the lines have.
  size_t merges_written_ = 0;
  // Documents of the stream that were prepared.
  int64_t num_prepared_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_PIPELINE_H_
