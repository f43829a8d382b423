// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DClustRCollection: overlapping clusters of a collection of documents that
// grows, shrinks and changes, kept in a directory (González-Soler,
// Pérez-Suárez, Chang, "Static and Incremental Overlapping Clustering
// Algorithms for Large Collections Processing in GPU", Informatica 41, 2017,
// sections 2.2 and 3.2: DClustR and CUDA-DClus).
//
// Use it where documents come and go and clusters are wanted after each batch;
// for a collection that stays, OClustRDocuments (algorithms/oclustr) needs no
// disk. An update compares the changed documents with all, and decides anew
// only in the connected components that they touch.
//
//   auto collection = DClustRCollection::Create("store", {});
//   DClustRBatch batch;
//   batch.added = counts;  // DocumentMatrix, one row an id
//   batch.added_ids = ids;
//   auto update = collection->Update(batch, {});
//   auto clusters = collection->Read();
//
// Exact mode: the clusters are at any time those of OClustR on the present
// documents in the order in which they came (a modified one came last), byte
// for byte. dclustr mode: those of the paper's rules, which depend on the
// history (algorithms/dclustr/cover/candidate_rules.h).
//
// An update is one transaction: a process killed at any moment leaves the state
// before it or after it. One process writes at a time; others may read.
//
// Cost of an update of k documents into n: k · n comparisons; beyond that see
// algorithms/dclustr/cover/cover_update.h. Disk: about 3 bytes an entry of the
// vectors, 2 to 4 a neighbor. Memory: the batch, its edges, and what
// cover_update.h says. Determinism: the same store for any number of threads
// and on every device. Thread-safety: one thread at a time.

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
#include "base/numbers/decimal.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/stars/star_cover.h"
#include "kernels/device.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

// Fixed when a collection is created.
struct DClustRStoreOptions {
  // β: an edge joins two documents whose cosine is at least this. A valid
  // Decimal (ValidateDecimal) in (1/256, 1]: below, fixed-point weights would
  // depend on the collection.
  Decimal beta = "0.25";
  // tfidf uses the frequencies of the first batch until Reweight.
  Weighting weighting = Weighting::kTf;
  DClustRMode mode = DClustRMode::kExact;

  // InvalidArgument if a field is out of range.
  absl::Status Validate() const;
};

// May differ between calls; never change the result.
struct DClustRRunOptions {
  // Where changed documents are compared with all; the rest is on the CPU.
  Device device = Device::kAuto;
  // 0 means all.
  int num_threads = 0;
};

// Removals come first, so an id may be removed and added: a modified document.
struct DClustRBatch {
  // Counts (or real weights, in a collection that began with such), in the
  // collection's numbering of terms.
  DocumentMatrix added;
  std::vector<std::string> added_ids;
  std::vector<std::string> removed_ids;
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
  // What the update touched of the graph, and the bytes of vectors it read.
  CoverUpdate cover;
  PccLoads loads;
  int64_t vector_bytes = 0;
  // See TermWeights::Drift; 0 for tf.
  double idf_drift = 0;
  // Comparing documents; writing and waiting for the disk. The rest is in
  // cover.seconds.
  double join_seconds = 0;
  double commit_seconds = 0;
};

// The present clusters. Items are the present documents, in order.
struct DClustRClusters : StarCover {
  std::vector<std::string> ids;
  int64_t num_edges = 0;  // Of their graph.
};

// Where in added_ids or removed_ids the id is that an error of Update names; -1
// for other errors.
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

  // AlreadyExists if there is a collection; errors of LmdbEnvironment::Open.
  static absl::StatusOr<DClustRCollection> Create(
      absl::string_view directory, const DClustRStoreOptions& options);
  // NotFound if there is none, FailedPrecondition if it is of another version,
  // Unavailable while another process has it open for writing.
  static absl::StatusOr<DClustRCollection> Open(absl::string_view directory,
                                                bool read_only = false);

  const DClustRStoreOptions& options() const { return options_; }

  // Takes the batch in. InvalidArgument naming an id that is to be removed and
  // is not there, or to be added and is; for weights that are no integers in a
  // collection that has had nothing but integers with tf, or whose norm is
  // beyond exact arithmetic. After an error the collection is as it was.
  absl::StatusOr<DClustRUpdate> Update(const DClustRBatch& batch,
                                       const DClustRRunOptions& options);

  // tfidf: freezes the present frequencies and takes all documents in anew, in
  // their order. FailedPrecondition for tf.
  absl::StatusOr<DClustRUpdate> Reweight(const DClustRRunOptions& options);

  // What an update that changes nothing would say: the collection as it is, and
  // nothing touched. Reads no rows.
  absl::StatusOr<DClustRUpdate> Describe() const;

  absl::StatusOr<DClustRClusters> Read(int num_threads = 0) const;

  // Everything against everything: the store's records, the graph against the
  // documents compared anew, relevances and (exact mode) clusters against those
  // from scratch; in dclustr mode, that every document is in a cluster.
  // DataLoss says what is wrong first. Cost and memory of OClustRDocuments.
  absl::Status Verify(const DClustRRunOptions& options) const;

  // Packs the store into as few bytes as it needs.
  absl::Status Compact();

  // Bytes on disk.
  absl::StatusOr<int64_t> FileBytes() const;

  // Names of the terms of texts, and texts that belong to the collection (""
  // if never set). What is set here is stored with the next Update, which must
  // follow; until then Terms gives those stored, Property what was set. A name
  // has 1 to 64 bytes and does not begin with "dclustr.": Update is
  // InvalidArgument for others, once, and forgets them; and for terms of which
  // those stored are not the first, until others are set.
  absl::StatusOr<Vocabulary> Terms() const;
  void SetTerms(Vocabulary terms);
  absl::StatusOr<std::string> Property(absl::string_view name) const;
  void SetProperty(absl::string_view name, absl::string_view value);

 private:
  DClustRCollection(LmdbEnvironment environment,
                    const DClustRStoreOptions& options)
      : environment_(std::move(environment)), options_(options) {}

  // Reading begins a transaction, which changes nothing that shows.
  mutable LmdbEnvironment environment_;
  DClustRStoreOptions options_;
  internal::PendingTexts pending_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_DCLUSTR_H_
