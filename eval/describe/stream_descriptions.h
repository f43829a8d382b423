// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StreamDescriber: what the clusters of a stream are about, and when their
// documents came. Add each document once it is decided; Describe at the end.
//
//   StreamDescriber describer;
//   describer.Add(cluster, time, vectors, row, id, title);
//   ASSIGN_OR_RETURN(const StreamDescriptions result,
//                    describer.Describe(home, words));
//
// Of a large cluster, a sample of its documents is kept: the kSample with the
// smallest hashes of their numbers in the stream. Titles, terms, cosines and
// exemplars come from the sample; sizes and times from all documents. Batches
// do not change the result.
//
// Memory per cluster: at most kSample documents, and kMaxBins counts.

#ifndef WARPCLUST_EVAL_DESCRIBE_STREAM_DESCRIPTIONS_H_
#define WARPCLUST_EVAL_DESCRIBE_STREAM_DESCRIPTIONS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "eval/describe/cluster_descriptions.h"
#include "graph/cover/cover.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// When the documents of a cluster came. Times are seconds since 1970; documents
// without a time are left out.
struct ClusterTimeline {
  // The documents with a time; first and last mean nothing if there are none.
  int64_t timed = 0;
  int64_t first = 0;
  int64_t last = 0;
  // (start of an interval, documents in it), ascending; intervals have
  // StreamDescriptions::interval seconds. Empty intervals are left out.
  std::vector<std::pair<int64_t, int64_t>> counts;
};

struct StreamDescriptions {
  // Of the documents of the sample: `sample` has their clusters, and
  // `sample_ids` their names. Sizes are those of all documents.
  ClusterDescriptions descriptions;
  Cover sample;
  std::vector<std::string> sample_ids;
  std::vector<std::string> sample_titles;
  // By cluster.
  std::vector<ClusterTimeline> timelines;
  // 1, 10, 60, 600, 3600, 21600, 86400, 604800 or 2419200 seconds, or the last
  // times a power of 2: the least with at most kMaxBins intervals in all.
  int64_t interval = 1;
};

class StreamDescriber {
 public:
  // Documents kept per cluster, and intervals of the whole stream.
  static constexpr int32_t kSample = 64;
  static constexpr int64_t kMaxBins = 128;
  // The time of a document without one.
  static constexpr int64_t kNoTime = INT64_MIN;

  // Row `row` of `vectors` has joined `cluster`.
  void Add(int32_t cluster, int64_t time, const DocumentMatrix& vectors,
           int32_t row, absl::string_view id, absl::string_view title);

  // `home[c]` is the cluster into which c has merged, or c; a cluster that has
  // merged is described as empty. `words` as in DescribedDocuments; columns
  // beyond them have none. Forgets the documents. InvalidArgument if a cluster
  // has no home.
  absl::StatusOr<StreamDescriptions> Describe(
      absl::Span<const int32_t> home, absl::Span<const std::string> words,
      const DescribeOptions& options = {});

 private:
  struct Kept {
    uint64_t hash = 0;
    int64_t number = 0;
    std::string id;
    std::string title;
    std::vector<int32_t> terms;
    std::vector<float> weights;
  };
  struct Cluster {
    int64_t size = 0;
    // A heap by (hash, number), the largest first.
    std::vector<Kept> sample;
    ClusterTimeline timeline;
  };

  static bool Earlier(const Kept& a, const Kept& b);
  void Widen(int64_t first, int64_t last);

  std::vector<Cluster> clusters_;
  int64_t num_documents_ = 0;
  int64_t first_ = 0;
  int64_t last_ = 0;
  int64_t timed_ = 0;
  int64_t interval_ = 1;
};

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_DESCRIBE_STREAM_DESCRIPTIONS_H_
