// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/csr/csr_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/numbers/sort_by_bits.h"
#include "base/status/status_macros.h"
#include "graph/csr/edge_rows.h"

namespace warpclust {
namespace {

// Below this many entries one thread is faster than waking the others.
constexpr int64_t kParallelEntries = 1 << 15;

// Neighbor and weight in one word: rows sort by neighbor, and two entries are
// the same edge exactly if the words are equal.
constexpr int kNeighborBit = 32;

uint64_t Pack(int32_t neighbor, float weight) {
  const float normalized = weight + 0.0f;  // -0 becomes 0
  uint32_t bits;
  std::memcpy(&bits, &normalized, sizeof(bits));
  return static_cast<uint64_t>(neighbor) << kNeighborBit | bits;
}

int32_t NeighborOf(uint64_t entry) {
  return static_cast<int32_t>(entry >> kNeighborBit);
}

float WeightOf(uint64_t entry) {
  const uint32_t bits = static_cast<uint32_t>(entry);
  float weight;
  std::memcpy(&weight, &bits, sizeof(weight));
  return weight;
}

bool IsLegal(const WeightedEdge& edge, int32_t num_vertices) {
  return edge.u >= 0 && edge.u < num_vertices && edge.v >= 0 &&
         edge.v < num_vertices && edge.u != edge.v &&
         std::isfinite(edge.weight);
}

absl::Status EdgeError(int64_t index, const WeightedEdge& edge,
                       int32_t num_vertices) {
  const std::string prefix =
      absl::StrCat("edge ", index, " (", edge.u, ", ", edge.v, "): ");
  if (edge.u == edge.v) {
    return absl::InvalidArgumentError(
        absl::StrCat(prefix, "expected two different vertices, found a loop"));
  }
  if (!std::isfinite(edge.weight)) {
    return absl::InvalidArgumentError(
        absl::StrCat(prefix, "expected a finite weight, found ", edge.weight));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(prefix, "expected vertices in [0, ", num_vertices, ")"));
}

}  // namespace

namespace internal {

absl::StatusOr<CsrGraph> BuildCsrGraph(int32_t num_vertices,
                                       EdgeParts<WeightedEdge> parts,
                                       int num_threads,
                                       ConflictingPair* conflict) {
  *conflict = ConflictingPair();
  const int64_t num_edges = NumEdges(parts);
  const bool parallel = 2 * num_edges > kParallelEntries;
  const int threads = parallel ? ResolveThreads(num_threads) : 1;
  AlignedBuffer<uint64_t> entries;
  const std::vector<int64_t> starts = DealToRows<WeightedEdge>(
      num_vertices, parts, threads, [](const WeightedEdge&) { return true; },
      [&](int64_t size) { entries.Reserve(size); },
      [&](int64_t i, int32_t neighbor, const WeightedEdge& edge) {
        entries.data()[i] = Pack(neighbor, edge.weight);
      });

  // Rows in order, each edge once.
  CsrGraph graph;
  graph.offsets.assign(static_cast<size_t>(num_vertices) + 1, 0);
  int32_t first_conflict = num_vertices;
  const int vertex_bits = std::bit_width(static_cast<uint32_t>(num_vertices));
#pragma omp parallel num_threads(threads)
  {
    std::vector<uint64_t> scratch;
#pragma omp for schedule(dynamic, 256) reduction(min : first_conflict)
    for (int32_t v = 0; v < num_vertices; ++v) {
      uint64_t* const begin = entries.data() + starts[v];
      uint64_t* end = entries.data() + starts[v + 1];
      if (!std::is_sorted(begin, end)) {
        SortByBits(kNeighborBit, vertex_bits, absl::MakeSpan(begin, end),
                   &scratch);
        // Weights of one neighbor, if there are several.
        if (!std::is_sorted(begin, end)) std::sort(begin, end);
      }
      end = std::unique(begin, end);
      graph.offsets[v + 1] = end - begin;
      const auto same_neighbor = [](uint64_t a, uint64_t b) {
        return NeighborOf(a) == NeighborOf(b);
      };
      if (std::adjacent_find(begin, end, same_neighbor) != end) {
        first_conflict = std::min(first_conflict, v);
      }
    }
  }
  if (first_conflict < num_vertices) {
    const uint64_t* entry = entries.data() + starts[first_conflict];
    while (NeighborOf(entry[0]) != NeighborOf(entry[1])) ++entry;
    *conflict = {first_conflict, NeighborOf(*entry)};
    return absl::InvalidArgumentError(
        absl::StrCat("edge (", conflict->u, ", ", conflict->v,
                     "): expected one weight, found ", WeightOf(entry[0]),
                     " and ", WeightOf(entry[1])));
  }

  CountsToOffsets(graph.offsets);
  ResizeVector(graph.offsets.back(), threads, &graph.neighbors);
  ResizeVector(graph.offsets.back(), threads, &graph.weights);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
  for (int32_t v = 0; v < num_vertices; ++v) {
    const uint64_t* entry = entries.data() + starts[v];
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i, ++entry) {
      graph.neighbors[i] = NeighborOf(*entry);
      graph.weights[i] = WeightOf(*entry);
    }
  }
  return graph;
}

}  // namespace internal

absl::Status internal::CheckGraphArrays(const CsrGraph& graph) {
  const std::vector<int64_t>& offsets = graph.offsets;
  if (offsets.empty() || offsets.front() != 0 ||
      offsets.size() - 1 >
          static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return absl::InvalidArgumentError(
        "graph: expected offsets that start with 0, one more than vertices");
  }
  if (offsets.back() != static_cast<int64_t>(graph.neighbors.size()) ||
      graph.weights.size() != graph.neighbors.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "graph: expected offsets that end at the number of neighbors and of "
        "weights, found ",
        offsets.back(), ", ", graph.neighbors.size(), ", ",
        graph.weights.size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<CsrGraph> BuildCsrGraph(int32_t num_vertices,
                                       absl::Span<const WeightedEdge> edges) {
  if (num_vertices < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a number of vertices of at least 0, found ", num_vertices));
  }
  const int64_t num_edges = static_cast<int64_t>(edges.size());
  int64_t first_bad = num_edges;
#pragma omp parallel for if (2 * num_edges > kParallelEntries) \
    reduction(min                                              \
              : first_bad)
  for (int64_t i = 0; i < num_edges; ++i) {
    if (!IsLegal(edges[i], num_vertices)) first_bad = std::min(first_bad, i);
  }
  if (first_bad < num_edges) {
    return EdgeError(first_bad, edges[first_bad], num_vertices);
  }
  internal::ConflictingPair conflict;
  return internal::BuildCsrGraph(num_vertices, {edges}, /*num_threads=*/0,
                                 &conflict);
}

absl::Status ValidateGraph(const CsrGraph& graph) {
  RETURN_IF_ERROR(internal::CheckGraphArrays(graph));
  const std::vector<int64_t>& offsets = graph.offsets;
  const int64_t num_entries = static_cast<int64_t>(graph.neighbors.size());
  if (!std::is_sorted(offsets.begin(), offsets.end())) {
    return absl::InvalidArgumentError(
        "graph: expected offsets that ascend, found others");
  }

  const int32_t num_vertices = graph.num_vertices();
  int32_t first_bad = num_vertices;
#pragma omp parallel for if (num_entries > kParallelEntries) \
    schedule(dynamic, 256) reduction(min                     \
                                     : first_bad)
  for (int32_t v = 0; v < num_vertices; ++v) {
    int32_t previous = -1;
    for (int64_t i = offsets[v]; i < offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      if (u <= previous || u >= num_vertices || u == v ||
          !std::isfinite(graph.weights[i])) {
        first_bad = std::min(first_bad, v);
        break;
      }
      previous = u;
    }
  }
  if (first_bad < num_vertices) {
    return absl::InvalidArgumentError(absl::StrCat(
        "graph, vertex ", first_bad, ": expected strictly ascending neighbors ",
        "in [0, ", num_vertices, ") without the vertex itself, and finite ",
        "weights"));
  }

  // Rows ascend, so visiting vertices in order meets the lower part of every
  // row in order: one cursor per row checks symmetry in O(edges).
  std::vector<int64_t> cursor(offsets.begin(), offsets.end() - 1);
  for (int32_t v = 0; v < num_vertices; ++v) {
    int64_t i = cursor[v];
    if (i < offsets[v + 1] && graph.neighbors[i] < v) {
      return absl::InvalidArgumentError(
          absl::StrCat("graph, vertex ", v, ": expected its edge to vertex ",
                       graph.neighbors[i], " in both rows, found it in one"));
    }
    for (; i < offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      const int64_t mirror = cursor[u]++;
      if (mirror >= offsets[u + 1] || graph.neighbors[mirror] != v ||
          graph.weights[mirror] != graph.weights[i]) {
        return absl::InvalidArgumentError(
            absl::StrCat("graph, edge (", v, ", ", u,
                         "): expected the same edge and weight in both rows"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
