// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/collection_edges.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "graph/cosine_graph.h"
#include "graph/cosine_probe.h"
#include "graph/cosine_probe_options.h"
#include "graph/csr_graph.h"

namespace warpclust {
namespace {

// Stored documents compared at a time. On the CPU a few megabytes of vectors,
// which caches still hold when they are met; on the GPU some ten times that, so
// that uploading them, and not starting kernels, is what takes time.
constexpr int32_t kCpuBlock = 1 << 12;
constexpr int32_t kCudaBlock = 1 << 16;

// Puts the rows of `more` below those of `documents`.
void AppendRows(const DocumentMatrix& more, DocumentMatrix* documents) {
  const int64_t base = documents->num_entries();
  documents->terms.insert(documents->terms.end(), more.terms.begin(),
                          more.terms.end());
  documents->weights.insert(documents->weights.end(), more.weights.begin(),
                            more.weights.end());
  for (size_t d = 1; d < more.offsets.size(); ++d) {
    documents->offsets.push_back(base + more.offsets[d]);
  }
  documents->num_terms = std::max(documents->num_terms, more.num_terms);
}

}  // namespace

absl::Status EdgesAmongAdded(const DocumentMatrix& added, int32_t first_vertex,
                             const CosineGraphOptions& options, Device device,
                             PccChange* change) {
  const absl::StatusOr<CsrGraph> graph = CosineGraph(added, options, device);
  if (!graph.ok()) return graph.status();
  change->added_edges.reserve(graph->num_edges());
  for (int32_t v = 0; v < graph->num_vertices(); ++v) {
    const absl::Span<const int32_t> neighbors = graph->NeighborsOf(v);
    for (size_t k = 0; k < neighbors.size() && neighbors[k] < v; ++k) {
      change->added_edges.push_back({first_vertex + neighbors[k],
                                     first_vertex + v, graph->WeightsOf(v)[k]});
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<PccChange> CollectionEdges(
    DocumentStore* stored, const TermWeights& weights,
    absl::Span<const int32_t> removed, const DocumentMatrix& added,
    int32_t first_vertex, const CosineGraphOptions& graph, Device device) {
  PccChange change;
  change.num_added = added.num_documents();
  change.removed.assign(removed.begin(), removed.end());
  absl::Status status =
      EdgesAmongAdded(added, first_vertex, graph, device, &change);
  if (!status.ok()) return status;
  if (stored->num_documents() == 0) return change;

  // Probes: the removed documents, then the added ones.
  const int32_t num_removed = static_cast<int32_t>(removed.size());
  const absl::StatusOr<DocumentMatrix> removed_counts =
      stored->Vectors(removed, graph.num_threads);
  if (!removed_counts.ok()) return removed_counts.status();
  absl::StatusOr<DocumentMatrix> probes = weights.Weigh(*removed_counts);
  if (!probes.ok()) return probes.status();
  AppendRows(added, &*probes);
  if (probes->num_documents() == 0) return change;
  const absl::StatusOr<Device> resolved = ResolveDevice(device);
  if (!resolved.ok()) return resolved.status();
  const int32_t block = *resolved == Device::kCuda ? kCudaBlock : kCpuBlock;
  CosineProbeOptions options;
  options.beta = graph.beta;
  options.integer_arithmetic = graph.integer_decisions;
  options.num_threads = graph.num_threads;
  absl::StatusOr<CosineProbe> probe =
      CosineProbe::Create(*std::move(probes), options, *resolved);
  if (!probe.ok()) return probe.status();

  std::vector<ProbeEdge> edges;
  status = stored->ForEachBlock(
      block, graph.num_threads,
      [&](absl::Span<const int32_t> vertices, const DocumentMatrix& counts) {
        // Counts that are weights already are not copied.
        absl::StatusOr<DocumentMatrix> weighed = DocumentMatrix();
        if (!weights.are_counts()) weighed = weights.Weigh(counts);
        if (!weighed.ok()) return weighed.status();
        edges.clear();
        absl::Status joined =
            probe->Join(weights.are_counts() ? counts : *weighed, &edges);
        if (!joined.ok()) return joined;
        for (const ProbeEdge& edge : edges) {
          const int32_t vertex = vertices[edge.row];
          const bool goes =
              std::binary_search(removed.begin(), removed.end(), vertex);
          if (edge.probe >= num_removed) {
            if (goes) continue;
            change.added_edges.push_back(
                {vertex, first_vertex + (edge.probe - num_removed),
                 edge.cosine});
            continue;
          }
          // Of two that go the edge comes up twice, and each meets itself.
          const int32_t gone = removed[edge.probe];
          if (goes && vertex >= gone) continue;
          change.removed_edges.push_back({vertex, gone, edge.cosine});
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return change;
}

}  // namespace warpclust
