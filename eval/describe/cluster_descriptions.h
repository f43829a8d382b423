// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DescribeClusters: what each cluster of documents is about: a title, the terms
// that tell it from the other clusters, how alike its members are, which
// clusters it overlaps, and its most typical documents. Use it to show clusters
// to people.
//
//   DescribedDocuments described;
//   described.documents = &documents;  // The vectors that were clustered.
//   described.words = words;           // By column.
//   described.titles = titles;         // By document.
//   ASSIGN_OR_RETURN(const ClusterDescriptions descriptions,
//                    DescribeClusters(result.cover, result.centers,
//                    described));
//   Print(descriptions.clusters[0].title);
//
// Definitions. A cluster has a reference vector: its center, or without centers
// the sum of its members, each scaled to length 1.
//
//   cosine of a member   with the reference. With a center it is the cosine of
//                        ExactCosines (graph/cosine), 1 for the center itself.
//   inner cosine         with a center, the mean cosine of the other members;
//                        without, the mean cosine of all members. 1 for a
//                        cluster of one document.
//   center               without centers, the member with the largest cosine;
//                        cosines within 2^-20 of it are ties
//   title                the title of the center
//   exemplars            the members other than the center with the largest
//                        cosines
//   terms                by class-based TF-IDF (Grootendorst, arXiv:2203.05794,
//                        section 3.3). With f(t, c) the sum of the weights of t
//                        in the members of c, each scaled to length 1, f(c) and
//                        f(t) its sums over terms and over clusters, and A the
//                        mean of f(c): the weight of t in c is
//                        f(t, c) / f(c) * ln(1 + A / f(t)).
//   neighbors            the clusters that share the most members
//
// Ties go to the smaller document, column or cluster. A document without terms
// has the cosine 0 with all others.
//
// Results are the same with any number of threads: f is added in fixed point
// (28 bits below a unit), the rest in a fixed order per cluster.
//
// Complexity: the entries of the members of all clusters, with centers twice;
// and the clusters of each member, for the neighbors.
// Memory: 8 bytes per membership, 32 per document, 8 per column, 20 per column
// and 12 per cluster for each thread, and the result.

#ifndef WARPCLUST_EVAL_DESCRIBE_CLUSTER_DESCRIPTIONS_H_
#define WARPCLUST_EVAL_DESCRIBE_CLUSTER_DESCRIPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/cover/cover.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// What is known of the documents. Texts are as the input had them: they may
// hold markup, quotes and control characters.
struct DescribedDocuments {
  // One of these is not null, and outlives the call. CompactTerms
  // (sparse/matrix) removes columns that no document uses: memory depends on
  // their number.
  const DocumentMatrix* documents = nullptr;
  // Dense documents have no terms. Their clusters must have centers.
  const DenseDocuments* dense = nullptr;
  // The word to show for each column; empty for vectors without names, which
  // have no top terms. A column whose word is empty is no top term.
  absl::Span<const std::string> words = {};
  // The title of each document; empty if none has one.
  absl::Span<const std::string> titles = {};
};

struct ClusterTerm {
  int32_t column = 0;
  std::string word;
  // Class-based TF-IDF, above 0.
  double weight = 0;
};

struct ClusterNeighbor {
  int32_t cluster = 0;
  // Members of both clusters.
  int64_t shared = 0;
};

struct ClusterExemplar {
  int32_t document = 0;
  double cosine = 0;
};

struct ClusterDescription {
  // Empty if the center has no title.
  std::string title;
  // -1 for an empty cluster.
  int32_t center = -1;
  int64_t size = 0;
  double inner_cosine = 1;
  // By weight, the largest first.
  std::vector<ClusterTerm> terms;
  // By shared members, the most first. `num_neighbors` counts all.
  std::vector<ClusterNeighbor> neighbors;
  int32_t num_neighbors = 0;
  // By cosine, the largest first.
  std::vector<ClusterExemplar> exemplars;
};

struct ClusterDescriptions {
  // By cluster of the cover.
  std::vector<ClusterDescription> clusters;
  // Parallel to the members of the cover: the cosine of each with the reference
  // of its cluster.
  std::vector<double> cosines;
};

struct DescribeOptions {
  // The most of each; at least 0.
  int32_t terms = 10;
  int32_t neighbors = 10;
  int32_t exemplars = 3;
  // 0: all cores. Never changes the result.
  int num_threads = 0;
};

// `centers[c]` is the center of cluster c, one of its members; empty: clusters
// have no centers. InvalidArgument if the cover, the documents or the options
// are not valid, or the lengths do not fit.
absl::StatusOr<ClusterDescriptions> DescribeClusters(
    const Cover& cover, absl::Span<const int32_t> centers,
    const DescribedDocuments& described, const DescribeOptions& options = {});

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_DESCRIBE_CLUSTER_DESCRIPTIONS_H_
