// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/batch_errors.h"
#include "algorithms/dclustr/collection_options.h"
#include "algorithms/dclustr/collection_transactions.h"
#include "algorithms/dclustr/edges/collection_edges.h"
#include "algorithms/dclustr/edges/term_weights.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {
namespace {

// One transaction that changes a collection.
class CollectionUpdate {
 public:
  CollectionUpdate(const DClustRStoreOptions& store_options,
                   const DClustRRunOptions& options,
                   LmdbTransaction transaction)
      : store_options_(store_options),
        options_(options),
        transaction_(std::move(transaction)) {}

  absl::Status Open() {
    ASSIGN_OR_RETURN(PccStore graph, PccStore::Open(&transaction_));
    graph_.emplace(std::move(graph));
    ASSIGN_OR_RETURN(DocumentStore documents,
                     DocumentStore::Open(&transaction_));
    documents_.emplace(std::move(documents));
    return absl::OkStatus();
  }

  absl::StatusOr<DClustRUpdate> TakeIn(const DClustRBatch& batch,
                                       const internal::PendingTexts& pending) {
    RETURN_IF_ERROR(
        ValidateAdded(batch.added, batch.added_rows, batch.added_ids));
    RETURN_IF_ERROR(CheckKind(documents_->kind(), store_options_.weighting,
                              batch.added, batch.added_rows));
    RETURN_IF_ERROR(StorePending(pending));
    ASSIGN_OR_RETURN(const std::vector<int32_t> removed,
                     VerticesOf(batch.removed_ids));
    if (documents_->is_dense() || batch.added_rows.num_documents() > 0) {
      return Replace(removed, batch.added_rows, batch.added_ids,
                     /*freezes=*/false);
    }
    const bool freezes = store_options_.weighting == Weighting::kTfIdf &&
                         documents_->num_documents() == 0 &&
                         batch.added.num_documents() > 0;
    return Replace(removed, batch.added, batch.added_ids, freezes);
  }

  absl::StatusOr<DClustRUpdate> Reweigh() {
    // All documents, as a batch that is removed and added again.
    std::vector<int32_t> vertices;
    ASSIGN_OR_RETURN(const DocumentMatrix counts,
                     documents_->AllVectors(options_.num_threads, &vertices));
    ASSIGN_OR_RETURN(const std::vector<std::string> ids,
                     documents_->Ids(vertices));
    return Replace(vertices, counts, ids, /*freezes=*/true);
  }

 private:
  absl::Status StorePending(const internal::PendingTexts& pending) {
    if (pending.terms.has_value()) {
      RETURN_IF_ERROR(documents_->SetTerms(*pending.terms));
    }
    for (const auto& [name, value] : pending.properties) {
      RETURN_IF_ERROR(documents_->SetProperty(name, value));
    }
    return absl::OkStatus();
  }

  // Ascending.
  absl::StatusOr<std::vector<int32_t>> VerticesOf(
      const std::vector<std::string>& ids) const {
    // (vertex, place in `ids`), so that a repeated id can be named.
    std::vector<std::pair<int32_t, size_t>> found;
    for (size_t i = 0; i < ids.size(); ++i) {
      ASSIGN_OR_RETURN(const absl::optional<int32_t> vertex,
                       documents_->Find(ids[i]));
      if (!vertex.has_value()) return UnknownRemoval(i, ids[i]);
      found.emplace_back(*vertex, i);
    }
    std::sort(found.begin(), found.end());
    std::vector<int32_t> vertices;
    for (const auto& [vertex, place] : found) {
      if (!vertices.empty() && vertices.back() == vertex) {
        return RepeatedRemoval(place, ids[place]);
      }
      vertices.push_back(vertex);
    }
    return vertices;
  }

  // Whether edges are decided in integers; the first documents settle it.
  // `first_other` of the `num_added` added ones is the first without integers.
  absl::StatusOr<bool> DecideInIntegers(int32_t first_other, int32_t num_added,
                                        const std::vector<std::string>& ids) {
    ASSIGN_OR_RETURN(const CollectionArithmetic stored,
                     ReadArithmetic(*documents_));
    CollectionArithmetic arithmetic = stored;
    const bool integers =
        store_options_.weighting == Weighting::kTf && first_other == num_added;
    if (arithmetic == CollectionArithmetic::kUnknown) {
      arithmetic = integers ? CollectionArithmetic::kInteger
                            : CollectionArithmetic::kReal;
      if (num_added > 0) {
        RETURN_IF_ERROR(WriteArithmetic(arithmetic, &*documents_));
      }
    }
    if (arithmetic == CollectionArithmetic::kInteger && !integers) {
      return RealWeights(first_other, ids[first_other]);
    }
    return arithmetic == CollectionArithmetic::kInteger;
  }

  int32_t FirstOther(const DocumentMatrix& counts) const {
    return FirstWithoutIntegerWeights(counts);
  }
  int32_t FirstOther(const DenseDocuments& rows) const {
    return FirstWithoutIntegerWeights(rows, options_.num_threads);
  }

  // `added` are a DocumentMatrix or DenseDocuments.
  template <typename Documents>
  absl::StatusOr<DClustRUpdate> Replace(const std::vector<int32_t>& removed,
                                        const Documents& added,
                                        const std::vector<std::string>& ids,
                                        bool freezes) {
    const Stopwatch stopwatch;
    ASSIGN_OR_RETURN(
        const bool integers,
        DecideInIntegers(FirstOther(added), added.num_documents(), ids));
    CosineGraphOptions graph_options;
    graph_options.beta = store_options_.beta;
    graph_options.work = options_.work;
    graph_options.num_threads = options_.num_threads;
    graph_options.integer_decisions = integers;

    DClustRUpdate update;
    const int32_t first_vertex = graph_->next_vertex();
    ASSIGN_OR_RETURN(
        const PccChange change,
        ChangeOf(removed, added, first_vertex, graph_options, freezes));
    RETURN_IF_ERROR(CountTerms(removed, added));
    RETURN_IF_ERROR(documents_->Remove(removed));
    if (added.num_documents() > 0) {
      RETURN_IF_ERROR(documents_->Append(first_vertex, added, ids));
    }
    if (freezes) RETURN_IF_ERROR(documents_->FreezeFrequencies());
    update.join_seconds = stopwatch.Seconds();

    const Device relevance_device =
        options_.relevance_device == Device::kAuto &&
                options_.device == Device::kCpu
            ? Device::kCpu
            : options_.relevance_device;
    ASSIGN_OR_RETURN(update.cover,
                     UpdateCover(&*graph_, change, store_options_.mode,
                                 options_.num_threads, relevance_device));

    const Stopwatch commit_stopwatch;
    update.added = added.num_documents();
    update.removed = static_cast<int32_t>(removed.size());
    update.new_edges = static_cast<int64_t>(change.added_edges.size());
    update.removed_edges = static_cast<int64_t>(change.removed_edges.size());
    update.documents = documents_->num_documents();
    update.edges = graph_->num_edges();
    update.components = graph_->num_components();
    update.dimensions = documents_->is_dense() ? documents_->num_terms() : 0;
    update.loads = graph_->loads();
    update.vector_bytes = documents_->bytes_read();
    if (store_options_.weighting == Weighting::kTfIdf) {
      ASSIGN_OR_RETURN(update.idf_drift, IdfDrift(*documents_, weights_));
    }
    RETURN_IF_ERROR(graph_->Flush());
    RETURN_IF_ERROR(documents_->Flush());
    RETURN_IF_ERROR(transaction_.Commit());
    update.commit_seconds = commit_stopwatch.Seconds();
    return update;
  }

  absl::StatusOr<PccChange> ChangeOf(const std::vector<int32_t>& removed,
                                     const DenseDocuments& rows,
                                     int32_t first_vertex,
                                     const CosineGraphOptions& options,
                                     bool /*freezes*/) {
    return CollectionEdges(&*documents_, removed, rows, first_vertex, options,
                           Place());
  }

  absl::StatusOr<PccChange> ChangeOf(const std::vector<int32_t>& removed,
                                     const DocumentMatrix& counts,
                                     int32_t first_vertex,
                                     const CosineGraphOptions& options,
                                     bool freezes) {
    return freezes ? ChangeOfAll(removed, counts, first_vertex, options)
                   : ChangeOfSome(removed, counts, first_vertex, options);
  }

  absl::StatusOr<PccChange> ChangeOfSome(const std::vector<int32_t>& removed,
                                         const DocumentMatrix& counts,
                                         int32_t first_vertex,
                                         const CosineGraphOptions& options) {
    ASSIGN_OR_RETURN(
        weights_,
        FrozenWeights(*documents_, store_options_.weighting, counts.num_terms));
    ASSIGN_OR_RETURN(const DocumentMatrix added, weights_.Weigh(counts));
    return CollectionEdges(&*documents_, weights_, removed, added, first_vertex,
                           options, Place());
  }

  // All documents (if any) are removed, and the frequencies of `counts` weigh
  // later documents. The removed edges are those of the rows.
  absl::StatusOr<PccChange> ChangeOfAll(const std::vector<int32_t>& removed,
                                        const DocumentMatrix& counts,
                                        int32_t first_vertex,
                                        const CosineGraphOptions& options) {
    PccChange change;
    change.num_added = counts.num_documents();
    change.removed = removed;
    std::vector<int32_t> row;
    for (const int32_t v : removed) {
      row.clear();
      RETURN_IF_ERROR(graph_->AppendRow(v, &row));
      for (const int32_t u : row) {
        if (u < v) change.removed_edges.push_back({u, v});
      }
    }
    weights_ = TermWeights(DocumentFrequencies(counts), counts.num_documents(),
                           counts.num_terms);
    ASSIGN_OR_RETURN(const DocumentMatrix added, weights_.Weigh(counts));
    RETURN_IF_ERROR(
        EdgesAmongAdded(added, first_vertex, options, Place(), &change));
    return change;
  }

  ComparisonPlace Place() const { return {options_.device, options_.ranks}; }

  // Updates the frequencies of terms, which tf and dense rows do not need.
  absl::Status CountTerms(const std::vector<int32_t>& /*removed*/,
                          const DenseDocuments& /*added*/) {
    return absl::OkStatus();
  }
  absl::Status CountTerms(const std::vector<int32_t>& removed,
                          const DocumentMatrix& added) {
    if (store_options_.weighting == Weighting::kTf) return absl::OkStatus();
    ASSIGN_OR_RETURN(std::vector<int32_t> frequencies,
                     documents_->Frequencies());
    ASSIGN_OR_RETURN(const DocumentMatrix gone,
                     documents_->Vectors(removed, options_.num_threads));
    frequencies.resize(std::max<size_t>(
        frequencies.size(), std::max(added.num_terms, gone.num_terms)));
    for (const int32_t term : added.terms) ++frequencies[term];
    for (const int32_t term : gone.terms) --frequencies[term];
    return documents_->SetFrequencies(frequencies);
  }

  const DClustRStoreOptions& store_options_;
  const DClustRRunOptions& options_;
  // The weights of the change, whose logarithms are computed once.
  TermWeights weights_;
  LmdbTransaction transaction_;
  absl::optional<PccStore> graph_;
  absl::optional<DocumentStore> documents_;
};

}  // namespace

absl::StatusOr<DClustRUpdate> UpdateCollection(
    LmdbEnvironment* environment, const DClustRStoreOptions& store_options,
    const DClustRBatch& batch, const internal::PendingTexts& pending,
    const DClustRRunOptions& options) {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment->Begin(/*write=*/true));
  CollectionUpdate update(store_options, options, std::move(transaction));
  RETURN_IF_ERROR(update.Open());
  return update.TakeIn(batch, pending);
}

absl::StatusOr<DClustRUpdate> ReweightCollection(
    LmdbEnvironment* environment, const DClustRStoreOptions& store_options,
    const DClustRRunOptions& options) {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment->Begin(/*write=*/true));
  CollectionUpdate update(store_options, options, std::move(transaction));
  RETURN_IF_ERROR(update.Open());
  return update.Reweigh();
}

}  // namespace warpclust
