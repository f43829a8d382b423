// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DClustRCollection: overlapping clusters of a collection of documents that
// grows, shrinks and changes, kept in a directory (González-Soler,
// Pérez-Suárez, Chang, "Static and Incremental Overlapping Clustering
// Algorithms for Large Collections Processing in GPU", Informatica 41, 2017,
// sections 2.2 and 3.2: DClustR and CUDA-DClus).
//
// Use it when documents come and go and clusters are needed after each batch.
// For a collection that stays as it is, use OClustRDocuments
// (algorithms/oclustr).
//
//   auto collection = DClustRCollection::Create("store", {});
//   DClustRBatch batch;
//   batch.added = counts;  // DocumentMatrix, one row per id; or added_rows
//   batch.added_ids = ids;
//   auto update = collection->Update(batch, {});
//   auto clusters = collection->Read();
//
// In exact mode, the clusters are always those of OClustR on the present
// documents in order of arrival (a modified document arrives last), byte for
// byte. In dclustr mode they are those of the paper's rules, which depend on
// the history (algorithms/dclustr/cover/candidate_rules.h).
//
// An update is one transaction: a process that is killed at any moment leaves
// the state before or after it. One process may write at a time while others
// read.
//
// A collection is of term vectors or of dense rows, such as embeddings,
// whichever its first documents are.
//
// Complexity of an update of k documents into n: k · n comparisons, and what
// algorithms/dclustr/cover/cover_update.h says. Disk: about 3 bytes per entry
// of the vectors, 4 per value of dense rows, 2 to 4 per neighbor. Memory: the
// batch, its edges, and what cover_update.h says.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_DCLUSTR_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_DCLUSTR_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "base/communicator/communicator.h"
#include "base/machine/work_share.h"
#include "base/numbers/decimal.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/stars/star_cover.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

// Fixed when a collection is created.
struct DClustRStoreOptions {
  // β: an edge joins two documents whose cosine is at least this. A valid
  // Decimal (ValidateDecimal) in (1/256, 1]; for smaller values, fixed-point
  // weights would depend on the collection.
  Decimal beta = "0.25";
  // tfidf uses the frequencies of the first batch until Reweight.
  Weighting weighting = Weighting::kTf;
  DClustRMode mode = DClustRMode::kExact;

  // InvalidArgument if a field is out of range.
  absl::Status Validate() const;
};

// May differ between calls; never change the result.
struct DClustRRunOptions {
  // Unless null, follows the comparison of documents; RequestStop ends it with
  // Cancelled, on the CPU.
  WorkShare* work = nullptr;
  // Where relevances are counted, kAuto: on the CPU if `device` is the CPU,
  // otherwise on a GPU if that pays (cover/relevance_update.h).
  Device relevance_device = Device::kAuto;
  // Unless null, documents are compared on the CPUs of these ranks, of which
  // this process is rank 0, instead of `device`. The others call
  // FollowComparisons meanwhile (edges/comparison_on_ranks.h).
  Communicator* ranks = nullptr;
  // Where changed documents are compared with all others; the rest is on the
  // CPU.
  Device device = Device::kAuto;
  // 0: all cores.
  int num_threads = 0;
};

// Removals come first, so a modified document is removed and added under one
// id.
struct DClustRBatch {
  // Counts (or real weights, in a collection that began with them), in the
  // collection's numbering of terms.
  DocumentMatrix added;
  std::vector<std::string> added_ids;
  std::vector<std::string> removed_ids;
  // Instead of `added`: rows of numbers, in a collection that began with them.
  DenseDocuments added_rows = {};
};

struct DClustRUpdate {
  int32_t added = 0;
  int32_t removed = 0;
  int64_t new_edges = 0;
  int64_t removed_edges = 0;
  // The collection afterwards.
  int32_t documents = 0;
  int64_t edges = 0;
  int32_t components = 0;  // partial ones
  int32_t dimensions = 0;  // of dense rows; 0: term vectors, or none yet
  // What the update touched of the graph, and how many bytes of vectors it
  // read. The paper's Figure 19 compares connected components loaded: here
  // cover.affected_connected, for DClustRInMemory loads.components.
  CoverUpdate cover;
  PccLoads loads;
  int64_t vector_bytes = 0;
  // See TermWeights::Drift; 0 for tf.
  double idf_drift = 0;
  // The time to compare documents, and to write and wait for the disk. The rest
  // is in cover.seconds.
  double join_seconds = 0;
  double commit_seconds = 0;
};

// The present clusters. Items are the present documents, in order of arrival.
struct DClustRClusters : StarCover {
  std::vector<std::string> ids;
  int64_t num_edges = 0;  // Of their graph.
};

// The index in added_ids or removed_ids of the id that an error of Update
// names; -1 for other errors.
int64_t PlaceInBatch(const absl::Status& status);

namespace internal {

// What SetTerms and SetProperty were given, for the next update.
struct PendingTexts {
  absl::optional<Vocabulary> terms;
  std::vector<std::pair<std::string, std::string>> properties;
};

}  // namespace internal

// Move-only.
class DClustRCollection {
 public:
  // The files of a collection in its directory, temporary ones included.
  static constexpr auto& kFiles = LmdbEnvironment::kFiles;

  // AlreadyExists if there is a collection, and errors of
  // LmdbEnvironment::Open.
  static absl::StatusOr<DClustRCollection> Create(
      absl::string_view directory, const DClustRStoreOptions& options);
  // NotFound without a collection, FailedPrecondition for another version,
  // Unavailable while another process has it open for writing.
  static absl::StatusOr<DClustRCollection> Open(absl::string_view directory,
                                                bool read_only = false);

  const DClustRStoreOptions& options() const { return options_; }

  // Applies the batch. InvalidArgument for an id to remove that is not present
  // or an id to add that is, for documents of the other kind or of other
  // dimensions than the collection's, for dense rows in a tfidf collection, for
  // non-integer weights in a tf collection that began with integers, and for
  // norms beyond exact arithmetic. After an error the collection is unchanged.
  absl::StatusOr<DClustRUpdate> Update(const DClustRBatch& batch,
                                       const DClustRRunOptions& options);

  // For tfidf: freezes the present frequencies and adds all documents again, in
  // their order. FailedPrecondition for tf.
  absl::StatusOr<DClustRUpdate> Reweight(const DClustRRunOptions& options);

  // What an update without changes would return. Reads no rows.
  absl::StatusOr<DClustRUpdate> Describe() const;

  absl::StatusOr<DClustRClusters> Read(int num_threads = 0) const;

  // The weighted vectors of the present documents, in the order of Read: those
  // whose cosines are the edges. FailedPrecondition if they are dense rows
  // (Describe().dimensions).
  absl::StatusOr<DocumentMatrix> ReadDocuments(int num_threads = 0) const;
  // The same for dense rows; FailedPrecondition if they are term vectors.
  absl::StatusOr<DenseDocuments> ReadRows(int num_threads = 0) const;

  // Checks the store's records against each other, the graph against the
  // documents compared again, and relevances and (in exact mode) clusters
  // against those from scratch; in dclustr mode, that every document is in a
  // cluster. DataLoss names the first contradiction. Time and memory of
  // OClustRDocuments.
  absl::Status Verify(const DClustRRunOptions& options) const;

  // Rewrites the store in as few bytes as it needs.
  absl::Status Compact();

  // Bytes on disk.
  absl::StatusOr<int64_t> FileBytes() const;

  // The names of the terms, and named texts that belong to the collection (""
  // if never set). What is set is stored by the next Update; until then Terms
  // returns the stored terms and Property the text that was set. A name has 1
  // to 64 bytes and does not begin with "dclustr."; the next Update returns
  // InvalidArgument for other names and forgets them. Update also returns
  // InvalidArgument as long as the terms that were set do not begin with those
  // stored.
  absl::StatusOr<Vocabulary> Terms() const;
  void SetTerms(Vocabulary terms);
  absl::StatusOr<std::string> Property(absl::string_view name) const;
  void SetProperty(absl::string_view name, absl::string_view value);

 private:
  DClustRCollection(LmdbEnvironment environment,
                    const DClustRStoreOptions& options)
      : environment_(std::move(environment)), options_(options) {}

  // Reading begins a transaction, which does not change the collection.
  mutable LmdbEnvironment environment_;
  DClustRStoreOptions options_;
  internal::PendingTexts pending_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_DCLUSTR_H_
