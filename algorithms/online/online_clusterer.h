// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineClusterer: clusters of documents that come one after the other
// (Teitler, Sankaranarayanan, Samet, Online Document Clustering Using the GPU,
// 2010). A document joins the most similar cluster if it is similar enough, and
// founds a new one otherwise. Decisions are final.
//
// Use it for streams. For a collection that does not change, OClustR
// (oclustr.h) finds clusters that do not depend on the order.
//
//   ASSIGN_OR_RETURN(OnlineClusterer clusterer,
//                    OnlineClusterer::Create(OnlineOptions(), {}));
//   std::vector<int32_t> clusters(documents.num_documents());
//   RETURN_IF_ERROR(
//       clusterer.Add(documents, /*times=*/{}, absl::MakeSpan(clusters)));
//
// Dense documents, such as embeddings, go to a clusterer of their own:
//
//   ASSIGN_OR_RETURN(OnlineClusterer clusterer,
//                    OnlineClusterer::CreateDense(OnlineOptions(), {}));
//   RETURN_IF_ERROR(
//       clusterer.Add(dense_documents, /*times=*/{},
//       absl::MakeSpan(clusters)));
//
// All their dimensions count, so OnlineOptions::terms has no effect
// (dense/dense_vectors.h).
//
// Cost: O(K * L) per document, where L is the mean length of the term lists of
// its K terms; of dense documents, O(clusters * dimensions). Memory: O(clusters
// * K + terms of clusters outside their K largest + batch); of dense documents,
// O((clusters + batch) * dimensions).
//
// Clusters and state do not depend on device, number of threads, batch, or how
// the stream is divided into calls, and are the same for all methods except the
// approximate ones (online_methods.h), for which a call of Add begins a batch.
// With Device::kAuto, a GPU that cannot be used is replaced by the CPU.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CLUSTERER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CLUSTERER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/online_engine_factory.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Cluster `from` merged into cluster `into` after `num_documents` documents of
// the stream (cluster_merging.h).
struct OnlineMerge {
  int64_t num_documents;
  int32_t from;
  int32_t into;

  friend bool operator==(const OnlineMerge&, const OnlineMerge&) = default;
};

class OnlineClusterer {
 public:
  // Continues from `state`, by default from nothing. InvalidArgument if an
  // argument is not valid; Unavailable if the device or the method asks for a
  // GPU that cannot be used.
  static absl::StatusOr<OnlineClusterer> Create(
      const OnlineOptions& options, const OnlineMethodOptions& method_options,
      const OnlineState& state = OnlineState());

  // The same for dense documents, by the method auto, serial1 or batched.
  // InvalidArgument for other methods and for truncated_mean.
  static absl::StatusOr<OnlineClusterer> CreateDense(
      const OnlineOptions& options, const OnlineMethodOptions& method_options,
      const OnlineState& state = OnlineState());

  OnlineClusterer(OnlineClusterer&&) = default;
  OnlineClusterer& operator=(OnlineClusterer&&) = default;

  // Adds the documents in order: clusters[d] becomes the number of the cluster
  // that document d joined or founded. Clusters are numbered from 0 in order of
  // founding; merges() does not change numbers given before. `clusters` has one
  // entry per document. `times` has none, or one per document: seconds within
  // +-OnlineState::kMaxTime, or OnlineState::kNoTime for a document without a
  // time. Times need not ascend.
  //
  // InvalidArgument if an argument is wrong; ResourceExhausted if there are
  // more documents than OnlineState can hold. Neither changes anything. After
  // any other error, such as GPU memory that runs out, num_documents() has
  // grown by the documents decided, whose clusters are set, and every later
  // call returns the error again.
  absl::Status Add(const DocumentMatrix& documents,
                   absl::Span<const int64_t> times,
                   absl::Span<int32_t> clusters);
  // The same for documents that are unit vectors already, with at most
  // OnlineOptions::terms terms each.
  absl::Status Add(const UnitVectors& documents,
                   absl::Span<const int64_t> times,
                   absl::Span<int32_t> clusters);
  // The same, but the documents are not checked: MakeUnitVectors made them,
  // with OnlineOptions::terms, from valid ones.
  absl::Status AddMade(const UnitVectors& documents,
                       absl::Span<const int64_t> times,
                       absl::Span<int32_t> clusters);

  // The same for dense documents, all with the same number of dimensions.
  absl::Status Add(const DenseDocuments& documents,
                   absl::Span<const int64_t> times,
                   absl::Span<int32_t> clusters);

  // Everything the clusterer knows; Create continues from it with any method.
  // O(size).
  absl::StatusOr<OnlineState> State();

  // Clusters founded so far, including closed ones.
  int32_t num_clusters() const { return engine().num_clusters(); }
  // Documents decided so far, including those of the state given to Create.
  int64_t num_documents() const { return num_documents_; }
  // A number above every term so far; of dense documents, their dimensions.
  int32_t num_terms() const { return num_terms_; }
  const OnlineOptions& options() const { return options_; }
  // What it clusters.
  OnlineDocuments documents() const { return kind_; }
  // Terms of the documents added since Create, those that were kept; of dense
  // documents all elements.
  int64_t num_entries() const { return num_entries_; }
  // Work since Create.
  OnlineCounts counts() const;
  // Merges since Create, in order.
  absl::Span<const OnlineMerge> merges() const { return merges_; }

  // What kAuto expects of the documents added since Create.
  ExpectedSeconds Expected() const;
  // The method and device in use, never kAuto. With kAuto, Add may change them;
  // so may GPU memory of several ranks that runs out.
  OnlineMethod method() const { return choice_.method; }
  Device device() const {
    return engine().has_left_gpu() ? Device::kCpu : choice_.device;
  }

 private:
  OnlineClusterer() = default;

  // What Create and CreateDense do before there is an engine.
  static absl::StatusOr<OnlineClusterer> Begin(
      const OnlineOptions& options, const OnlineMethodOptions& method_options,
      OnlineDocuments kind, const OnlineState& state);

  OnlineEngineBase& engine() const;
  absl::Status CheckCall(OnlineDocuments kind, int64_t num_documents,
                         absl::Span<const int64_t> times,
                         absl::Span<int32_t> clusters) const;
  // The arguments are valid.
  absl::Status AddValid(const UnitVectors& documents,
                        absl::Span<const int64_t> times,
                        absl::Span<int32_t> clusters);
  absl::Status AddRows(const DenseDocuments& documents,
                       absl::Span<const int64_t> times,
                       absl::Span<int32_t> clusters);
  // Adds `count` documents, piece by piece between merges.
  // cluster_piece(begin, end, clocks, clusters) clusters documents [begin,
  // end).
  template <typename ClusterPiece>
  absl::Status AddPieces(int64_t count, absl::Span<const int64_t> times,
                         absl::Span<int32_t> clusters,
                         const ClusterPiece& cluster_piece);
  absl::Status Merge();
  // Makes an engine that continues from `state`.
  absl::Status Replace(const OnlineState& state, const OnlineChoice& choice);
  absl::Status MakeEngine(const OnlineState& state, const OnlineChoice& choice);

  OnlineOptions options_;
  OnlineMethodOptions method_options_;
  bool has_gpu_ = false;
  OnlineChoice choice_;
  OnlineDocuments kind_ = OnlineDocuments::kTerms;
  // One of them, by `kind_`.
  std::unique_ptr<OnlineEngine> terms_engine_;
  std::unique_ptr<DenseOnlineEngine> dense_engine_;
  // The error after which nothing can be added.
  absl::Status broken_;
  int64_t num_documents_ = 0;
  int64_t num_entries_ = 0;
  DenseStreamJob dense_job_;
  int64_t clock_ = OnlineState::kNoTime;
  int32_t num_terms_ = 0;
  // Counts of earlier engines.
  OnlineCounts earlier_counts_;
  std::vector<OnlineMerge> merges_;
};

// The cluster that each has merged into since Create, or itself.
std::vector<int32_t> FinalClusters(const OnlineClusterer& clusterer);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CLUSTERER_H_
