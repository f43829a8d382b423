// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/collection_options.h"
#include "algorithms/dclustr/collection_transactions.h"
#include "algorithms/dclustr/cover/affected_graph.h"
#include "algorithms/dclustr/cover/stored_clusters.h"
#include "algorithms/dclustr/edges/collection_edges.h"
#include "algorithms/dclustr/edges/term_weights.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/useful_clusters.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/owned_dense_rows.h"

namespace warpclust {
namespace {

absl::Status Wrong(int32_t vertex, absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("store: document ", vertex, ": ", what));
}

// The cosine graph of the documents, and their vertices.
absl::StatusOr<CsrGraph> GraphFromDocuments(
    const DClustRStoreOptions& store_options, const DClustRRunOptions& options,
    DocumentStore* documents, std::vector<int32_t>* vertices) {
  ASSIGN_OR_RETURN(const CollectionArithmetic arithmetic,
                   ReadArithmetic(*documents));
  CosineGraphOptions graph_options;
  graph_options.beta = store_options.beta;
  graph_options.work = options.work;
  graph_options.num_threads = options.num_threads;
  graph_options.integer_decisions = arithmetic != CollectionArithmetic::kReal;
  const ComparisonPlace place = {options.device, options.ranks};
  if (documents->is_dense()) {
    ASSIGN_OR_RETURN(const OwnedDenseRows rows,
                     documents->AllDenseVectors(options.num_threads, vertices));
    return CosineGraphAt(place, DenseDocuments(rows), graph_options);
  }
  ASSIGN_OR_RETURN(const TermWeights weights,
                   FrozenWeights(*documents, store_options.weighting, 0));
  ASSIGN_OR_RETURN(DocumentMatrix counts,
                   documents->AllVectors(options.num_threads, vertices));
  ASSIGN_OR_RETURN(const DocumentMatrix matrix,
                   weights.Weigh(std::move(counts)));
  return CosineGraphAt(place, matrix, graph_options);
}

// The stored graph and states against those of the documents.
absl::Status CompareGraph(const CsrGraph& graph, const RelevanceTable& table,
                          const AffectedGraph& stored,
                          const std::vector<VertexState>& states) {
  std::vector<int32_t> row;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    RETURN_IF_ERROR(stored.ReadRow(v, states[v].degree, &row));
    const int32_t vertex = stored.vertices()[v];
    if (absl::MakeConstSpan(row) != graph.NeighborsOf(v)) {
      return Wrong(vertex, "its neighbors are not those that its cosines give");
    }
    if (states[v].weight_sum != table.weight_sums[v]) {
      return Wrong(vertex, "its sum of weights is not that of its cosines");
    }
    if (states[v].relevance_count != table.counts[v]) {
      return Wrong(vertex, "its relevance is not that of the graph");
    }
  }
  return absl::OkStatus();
}

// The stored clusters against OClustR's.
absl::Status CompareClusters(const CsrGraph& graph, const RelevanceTable& table,
                             const AffectedGraph& vertices,
                             const UsefulClusters& stored, int num_threads) {
  const UsefulClusters scratch = SelectUsefulClusters(
      table, InitialCenters(graph, table, num_threads),
      [&](int32_t v) { return graph.NeighborsOf(v); }, num_threads);
  std::vector<int32_t> place(graph.num_vertices(), -1);
  for (size_t i = 0; i < scratch.centers.size(); ++i) {
    place[scratch.centers[i]] = static_cast<int32_t>(i);
  }
  if (stored.centers.size() != scratch.centers.size()) {
    return absl::DataLossError(
        absl::StrCat("store: expected ", scratch.centers.size(),
                     " clusters, found ", stored.centers.size()));
  }
  const auto linked_of = [](const UsefulClusters& clusters, int32_t i) {
    return absl::MakeConstSpan(clusters.linked)
        .subspan(clusters.linked_offsets[i],
                 clusters.linked_offsets[i + 1] - clusters.linked_offsets[i]);
  };
  for (size_t i = 0; i < stored.centers.size(); ++i) {
    const int32_t center = stored.centers[i];
    if (place[center] < 0 || linked_of(stored, static_cast<int32_t>(i)) !=
                                 linked_of(scratch, place[center])) {
      return Wrong(vertices.vertices()[center],
                   "its cluster is not one of OClustR's");
    }
  }
  return absl::OkStatus();
}

// Whether every vertex is in a stored cluster, which the paper's rules keep
// true whatever else they do.
absl::Status CheckCovers(const CsrGraph& graph, const AffectedGraph& vertices,
                         const UsefulClusters& stored) {
  std::vector<bool> covered(graph.num_vertices(), false);
  for (const int32_t center : stored.centers) {
    covered[center] = true;
    for (const int32_t v : graph.NeighborsOf(center)) covered[v] = true;
  }
  for (const int32_t v : stored.linked) covered[v] = true;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    if (!covered[v]) {
      return Wrong(vertices.vertices()[v], "it is in no cluster");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyCollection(LmdbTransaction* transaction,
                              const DClustRStoreOptions& store_options,
                              const DClustRRunOptions& options) {
  ASSIGN_OR_RETURN(PccStore store, PccStore::Open(transaction));
  ASSIGN_OR_RETURN(DocumentStore documents, DocumentStore::Open(transaction));
  RETURN_IF_ERROR(store.Verify());
  RETURN_IF_ERROR(documents.Verify());

  std::vector<int32_t> vertices;
  ASSIGN_OR_RETURN(
      const CsrGraph graph,
      GraphFromDocuments(store_options, options, &documents, &vertices));
  ASSIGN_OR_RETURN(std::vector<int32_t> components, store.Components());
  ASSIGN_OR_RETURN(AffectedGraph stored,
                   AffectedGraph::Create(&store, std::move(components)));
  if (stored.vertices() != vertices) {
    return absl::DataLossError(absl::StrCat(
        "store: expected a vertex for each of ", vertices.size(),
        " documents, found ", stored.num_vertices(), " vertices, or others"));
  }
  ASSIGN_OR_RETURN(const StoredClusters clusters,
                   ReadStoredClusters(stored, &store));
  ASSIGN_OR_RETURN(const RelevanceTable table,
                   RelevancesCpu(graph, options.num_threads));
  RETURN_IF_ERROR(CompareGraph(graph, table, stored, clusters.states));
  return store_options.mode == DClustRMode::kExact
             ? CompareClusters(graph, table, stored, clusters.useful,
                               options.num_threads)
             : CheckCovers(graph, stored, clusters.useful);
}

}  // namespace warpclust
