// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineClusterer: clusters of documents that come one after the other
// (Teitler, Sankaranarayanan, Samet, Online Document Clustering Using the GPU,
// 2010). A document joins the most similar cluster if it is similar enough, and
// founds one otherwise; nothing is ever taken back.
//
//   absl::StatusOr<OnlineClusterer> clusterer =
//       OnlineClusterer::Create(OnlineOptions{}, OnlineMethodOptions{});
//   std::vector<int32_t> clusters;
//   absl::Status status = clusterer->Add(documents, {}, &clusters);
//
// Use it for streams; for a collection that stands still, oclustr.h finds
// clusters that do not depend on the order.
//
// Cost: O(K · L) a document, L the mean length of the term lists of its K
// terms. Memory: O(clusters · K + terms of clusters beyond their K largest +
// batch). Determinism: the clusters and the state are the same bytes for every
// method but kApproximate, device, number of threads, batch, and division of
// the stream into calls; with kApproximate a call of Add starts a batch.
// Where Device::kAuto cannot begin with a GPU it stays on the CPU; memory that
// runs out on a GPU later is an error after which only what State() gave
// before is left, as on the CPU.
// Thread-safety: one thread at a time.

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
#include "kernels/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Cluster `from` became part of `into` after so many documents of the stream;
// see cluster_merging.h.
struct OnlineMerge {
  int64_t num_documents;
  int32_t from;
  int32_t into;

  friend bool operator==(const OnlineMerge&, const OnlineMerge&) = default;
};

class OnlineClusterer {
 public:
  // Goes on from `state`, by default from nothing. InvalidArgument if something
  // given is not valid; Unavailable if a GPU is asked for, by name or by the
  // method, and cannot be used.
  static absl::StatusOr<OnlineClusterer> Create(
      const OnlineOptions& options, const OnlineMethodOptions& method_options,
      const OnlineState& state = OnlineState());

  OnlineClusterer(OnlineClusterer&&) = default;
  OnlineClusterer& operator=(OnlineClusterer&&) = default;

  // Adds the documents in order and appends the number of the cluster that each
  // joined or founded to `clusters`. `times` is empty, or one a document: in
  // seconds within +-OnlineState::kMaxTime, OnlineState::kNoTime for one
  // without; they need not ascend. Numbers are given in order of founding, from
  // 0; a merge (merges()) does not change numbers given before.
  //
  // InvalidArgument naming what is wrong with the input, after which nothing
  // has changed; ResourceExhausted if it would be more than OnlineState can
  // hold, likewise. After any other error `clusters` has the documents that
  // were decided, and every later call gives that error again.
  absl::Status Add(const DocumentMatrix& documents,
                   absl::Span<const int64_t> times,
                   std::vector<int32_t>* clusters);
  // The same for documents that are unit vectors already, of at most
  // OnlineOptions::terms terms.
  absl::Status Add(const UnitVectors& documents,
                   absl::Span<const int64_t> times,
                   std::vector<int32_t>* clusters);

  // All that is known; Create goes on from it with any method. O(size).
  absl::StatusOr<OnlineState> State();

  // Clusters founded so far, closed ones too.
  int32_t num_clusters() const { return engine_->num_clusters(); }
  // Documents seen, with those that the state given to Create had seen.
  int64_t num_documents() const { return num_documents_; }
  // Since Create.
  OnlineCounts counts() const;
  // Merges since Create, in order.
  absl::Span<const OnlineMerge> merges() const { return merges_; }

  // What is in use now; never kAuto. It can change with a call of Add if kAuto
  // was asked for.
  OnlineMethod method() const { return choice_.method; }
  Device device() const { return choice_.device; }

 private:
  OnlineClusterer() = default;

  absl::Status CheckTimes(int64_t num_documents,
                          absl::Span<const int64_t> times) const;
  // `documents` and `times` are valid.
  absl::Status AddValid(const UnitVectors& documents,
                        absl::Span<const int64_t> times,
                        std::vector<int32_t>* clusters);
  absl::Status AddPiece(const UnitVectors& documents,
                        absl::Span<const int64_t> clocks,
                        absl::Span<int32_t> clusters);
  absl::Status Merge();
  // A new engine that goes on from `state`.
  absl::Status Replace(const OnlineState& state, const OnlineChoice& choice);

  OnlineOptions options_;
  OnlineMethodOptions method_options_;
  bool has_gpu_ = false;
  OnlineChoice choice_;
  std::unique_ptr<OnlineEngine> engine_;
  // What keeps everything from going on after an error.
  absl::Status broken_;
  int64_t num_documents_ = 0;
  int64_t clock_ = OnlineState::kNoTime;
  int32_t num_terms_ = 0;
  // Of engines before this one.
  OnlineCounts earlier_counts_;
  std::vector<OnlineMerge> merges_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CLUSTERER_H_
