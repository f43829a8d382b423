// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/dclustr.h"

#include "absl/strings/cord.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/collection_options.h"
#include "algorithms/dclustr/collection_transactions.h"
#include "algorithms/dclustr/cover/affected_graph.h"
#include "algorithms/dclustr/cover/stored_clusters.h"
#include "algorithms/dclustr/edges/term_weights.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/stars/useful_clusters.h"
#include "sparse/dense/owned_dense_rows.h"

namespace warpclust {
namespace {

// Forgets properties that cannot be stored, because they would make every later
// update fail.
absl::Status DropBadProperties(internal::PendingTexts* pending) {
  absl::Status status;
  for (auto it = pending->properties.begin();
       it != pending->properties.end();) {
    const std::string& name = it->first;
    if (!name.empty() && name.size() <= DocumentStore::kMaxPropertyName &&
        !absl::StartsWith(name, kOwnProperties)) {
      ++it;
      continue;
    }
    status = absl::InvalidArgumentError(absl::StrCat(
        "property: expected a name of 1 to ", DocumentStore::kMaxPropertyName,
        " bytes that does not begin with '", kOwnProperties, "', found '",
        absl::CHexEscape(name.substr(0, 80)), "'"));
    it = pending->properties.erase(it);
  }
  return status;
}

}  // namespace

absl::Status DClustRStoreOptions::Validate() const {
  // The store keeps it as text.
  if (absl::Status status = ValidateDecimal(beta); !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("beta: ", status.message()));
  }
  // 1/256 < β <= 1, in integers that do not overflow.
  if (beta.numerator <= beta.denominator / 256 ||
      beta.numerator > beta.denominator) {
    return absl::InvalidArgumentError(
        absl::StrCat("beta: expected above 1/256 (0.00390625) and at most 1, "
                     "found ",
                     FormatDecimal(beta)));
  }
  return absl::OkStatus();
}

int64_t PlaceInBatch(const absl::Status& status) {
  const absl::optional<absl::Cord> place =
      status.GetPayload(DocumentStore::kIdPlacePayload);
  int64_t number = -1;
  return place.has_value() && absl::SimpleAtoi(std::string(*place), &number)
             ? number
             : -1;
}

absl::StatusOr<DClustRCollection> DClustRCollection::Create(
    absl::string_view directory, const DClustRStoreOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  ASSIGN_OR_RETURN(LmdbEnvironment environment,
                   LmdbEnvironment::Open(directory, kPccTableNames, {}));
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment.Begin(/*write=*/true));
  ASSIGN_OR_RETURN(PccStore graph, PccStore::Open(&transaction));
  ASSIGN_OR_RETURN(DocumentStore documents, DocumentStore::Open(&transaction));
  const absl::StatusOr<DClustRStoreOptions> found = ReadStoreOptions(documents);
  if (found.ok()) {
    return absl::AlreadyExistsError(
        absl::StrCat(directory, ": expected no collection, found one"));
  }
  if (!absl::IsNotFound(found.status())) return found.status();
  RETURN_IF_ERROR(WriteStoreOptions(options, &documents));
  RETURN_IF_ERROR(graph.Flush());
  RETURN_IF_ERROR(documents.Flush());
  RETURN_IF_ERROR(transaction.Commit());
  return DClustRCollection(std::move(environment), options);
}

absl::StatusOr<DClustRCollection> DClustRCollection::Open(
    absl::string_view directory, bool read_only) {
  LmdbEnvironment::Options open_options;
  open_options.read_only = read_only;
  open_options.create = false;
  ASSIGN_OR_RETURN(
      LmdbEnvironment environment,
      LmdbEnvironment::Open(directory, kPccTableNames, open_options));
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment.Begin(/*write=*/false));
  // Checks the version of the format.
  ASSIGN_OR_RETURN(const PccStore graph, PccStore::Open(&transaction));
  ASSIGN_OR_RETURN(const DocumentStore documents,
                   DocumentStore::Open(&transaction));
  absl::StatusOr<DClustRStoreOptions> options = ReadStoreOptions(documents);
  if (!options.ok()) {
    return absl::Status(
        options.status().code(),
        absl::StrCat(directory, ": ", options.status().message()));
  }
  return DClustRCollection(std::move(environment), *options);
}

absl::StatusOr<DClustRUpdate> DClustRCollection::Update(
    const DClustRBatch& batch, const DClustRRunOptions& options) {
  RETURN_IF_ERROR(DropBadProperties(&pending_));
  ASSIGN_OR_RETURN(
      DClustRUpdate update,
      UpdateCollection(&environment_, options_, batch, pending_, options));
  pending_ = {};
  return update;
}

absl::StatusOr<DClustRUpdate> DClustRCollection::Reweight(
    const DClustRRunOptions& options) {
  if (options_.weighting == Weighting::kTf) {
    return absl::FailedPreconditionError(
        "reweight: expected a collection weighted by tfidf, found tf, whose "
        "weights never change");
  }
  return ReweightCollection(&environment_, options_, options);
}

absl::StatusOr<DClustRUpdate> DClustRCollection::Describe() const {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  ASSIGN_OR_RETURN(const PccStore store, PccStore::Open(&transaction));
  ASSIGN_OR_RETURN(const DocumentStore documents,
                   DocumentStore::Open(&transaction));
  DClustRUpdate present;
  present.documents = documents.num_documents();
  present.edges = store.num_edges();
  present.components = store.num_components();
  present.dimensions = documents.is_dense() ? documents.num_terms() : 0;
  if (options_.weighting == Weighting::kTf) return present;
  ASSIGN_OR_RETURN(
      const TermWeights weights,
      FrozenWeights(documents, options_.weighting, documents.num_terms()));
  ASSIGN_OR_RETURN(present.idf_drift, IdfDrift(documents, weights));
  return present;
}

absl::StatusOr<DClustRClusters> DClustRCollection::Read(int num_threads) const {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  ASSIGN_OR_RETURN(PccStore store, PccStore::Open(&transaction));
  ASSIGN_OR_RETURN(DocumentStore documents, DocumentStore::Open(&transaction));
  ASSIGN_OR_RETURN(std::vector<int32_t> components, store.Components());
  ASSIGN_OR_RETURN(AffectedGraph graph,
                   AffectedGraph::Create(&store, std::move(components)));
  ASSIGN_OR_RETURN(StoredClusters stored, ReadStoredClusters(graph, &store));
  ASSIGN_OR_RETURN(const AffectedRows rows,
                   AffectedRows::Read(&graph, stored.useful.centers,
                                      stored.degrees, num_threads));
  DClustRClusters clusters;
  static_cast<StarCover&>(clusters) = MakeStarCover(
      stored.useful, [&](int32_t v) { return rows.RowOf(v); }, num_threads);
  ASSIGN_OR_RETURN(clusters.ids, documents.Ids(graph.vertices()));
  clusters.num_edges = store.num_edges();
  return clusters;
}

absl::StatusOr<DocumentMatrix> DClustRCollection::ReadDocuments(
    int num_threads) const {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  ASSIGN_OR_RETURN(DocumentStore documents, DocumentStore::Open(&transaction));
  if (documents.is_dense()) {
    return absl::FailedPreconditionError(
        absl::StrCat("expected a collection of term vectors, found rows of ",
                     documents.num_terms(), " numbers"));
  }
  ASSIGN_OR_RETURN(const TermWeights weights,
                   FrozenWeights(documents, options_.weighting, 0));
  std::vector<int32_t> vertices;
  ASSIGN_OR_RETURN(DocumentMatrix counts,
                   documents.AllVectors(num_threads, &vertices));
  return weights.Weigh(std::move(counts));
}

absl::StatusOr<DenseDocuments> DClustRCollection::ReadRows(
    int num_threads) const {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  ASSIGN_OR_RETURN(DocumentStore documents, DocumentStore::Open(&transaction));
  if (!documents.is_dense()) {
    return absl::FailedPreconditionError(
        "expected a collection of dense rows, found term vectors");
  }
  std::vector<int32_t> vertices;
  ASSIGN_OR_RETURN(OwnedDenseRows rows,
                   documents.AllDenseVectors(num_threads, &vertices));
  return MakeDenseDocuments(std::move(rows));
}

absl::Status DClustRCollection::Verify(const DClustRRunOptions& options) const {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  return VerifyCollection(&transaction, options_, options);
}

absl::Status DClustRCollection::Compact() {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/true));
  ASSIGN_OR_RETURN(PccStore graph, PccStore::Open(&transaction));
  ASSIGN_OR_RETURN(DocumentStore documents, DocumentStore::Open(&transaction));
  RETURN_IF_ERROR(graph.Rewrite());
  RETURN_IF_ERROR(documents.Rewrite());
  RETURN_IF_ERROR(graph.Flush());
  RETURN_IF_ERROR(documents.Flush());
  RETURN_IF_ERROR(transaction.Commit());
  return environment_.Compact();
}

absl::StatusOr<int64_t> DClustRCollection::FileBytes() const {
  return environment_.FileBytes();
}

absl::StatusOr<Vocabulary> DClustRCollection::Terms() const {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  ASSIGN_OR_RETURN(const DocumentStore documents,
                   DocumentStore::Open(&transaction));
  return documents.Terms();
}

void DClustRCollection::SetTerms(Vocabulary terms) {
  pending_.terms = std::move(terms);
}

absl::StatusOr<std::string> DClustRCollection::Property(
    absl::string_view name) const {
  for (const auto& [pending_name, value] : pending_.properties) {
    if (pending_name == name) return value;
  }
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  ASSIGN_OR_RETURN(const DocumentStore documents,
                   DocumentStore::Open(&transaction));
  return documents.Property(name);
}

void DClustRCollection::SetProperty(absl::string_view name,
                                    absl::string_view value) {
  for (auto& [pending_name, pending_value] : pending_.properties) {
    if (pending_name == name) {
      pending_value = std::string(value);
      return;
    }
  }
  pending_.properties.emplace_back(name, value);
}

}  // namespace warpclust
