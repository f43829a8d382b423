// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/signed/signed_graph.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/csr/edge_rows.h"

namespace warpclust {
namespace {

struct Entry {
  int32_t neighbor;
  int64_t weight;
};

bool IsPowerOfTen(int64_t value) {
  while (value >= 10 && value % 10 == 0) value /= 10;
  return value == 1;
}

// Not by negation, which overflows for the least integer.
bool IsLegalWeight(int64_t weight) {
  return weight >= -kMaxSignedWeight && weight <= kMaxSignedWeight;
}

bool IsLegal(const SignedEdge& edge, int32_t num_vertices) {
  return edge.u >= 0 && edge.u < num_vertices && edge.v >= 0 &&
         edge.v < num_vertices && edge.u != edge.v &&
         IsLegalWeight(edge.weight);
}

absl::Status TooHeavy() {
  return absl::InvalidArgumentError(
      absl::StrCat("expected weights that sum to at most ", kMaxSignedWeight,
                   " units in magnitude, found more"));
}

absl::Status EdgeError(size_t index, const SignedEdge& edge,
                       int32_t num_vertices) {
  const std::string prefix =
      absl::StrCat("edge ", index, " (", edge.u, ", ", edge.v, "): ");
  if (edge.u < 0 || edge.u >= num_vertices || edge.v < 0 ||
      edge.v >= num_vertices) {
    return absl::InvalidArgumentError(
        absl::StrCat(prefix, "expected vertices in [0, ", num_vertices, ")"));
  }
  if (edge.u == edge.v) {
    return absl::InvalidArgumentError(
        absl::StrCat(prefix, "expected two different vertices, found a loop"));
  }
  return TooHeavy();
}

// Below this many edges one more thread is not worth waking.
constexpr int64_t kEdgesPerThread = 1 << 13;

// What edges add up to. Members as in SignedGraph.
struct Sums {
  int64_t num_positive_edges = 0;
  int64_t num_negative_edges = 0;
  int64_t positive_weight = 0;
  int64_t negative_weight = 0;
  int64_t constant_cost = 0;

  // False, without effect, if the weights would exceed the limit together.
  // Those of each do not: nothing overflows.
  bool Add(const Sums& other) {
    if (other.positive_weight + other.negative_weight >
        kMaxSignedWeight - positive_weight - negative_weight) {
      return false;
    }
    num_positive_edges += other.num_positive_edges;
    num_negative_edges += other.num_negative_edges;
    positive_weight += other.positive_weight;
    negative_weight += other.negative_weight;
    constant_cost += other.constant_cost;
    return true;
  }
};

// All edges between two vertices.
struct PairOfVertices {
  int64_t positive = 0;
  int64_t negative = 0;  // The magnitude.
  bool has_conflict = false;

  // The first edge of each sign counts.
  void Add(int64_t weight) {
    int64_t& known = weight > 0 ? positive : negative;
    const int64_t magnitude = weight > 0 ? weight : -weight;
    if (known == 0) known = magnitude;
    if (weight != 0 && known != magnitude) has_conflict = true;
  }
  Sums ToSums() const {
    return {positive > 0, negative > 0, positive, negative,
            std::min(positive, negative)};
  }
};

// Takes the first pair from the row and returns where the next one begins.
const Entry* TakePair(const Entry* begin, const Entry* end,
                      PairOfVertices* pair) {
  const Entry* at = begin;
  for (; at != end && at->neighbor == begin->neighbor; ++at) {
    pair->Add(at->weight);
  }
  return at;
}

// Why the rows, which are sorted, are no graph: the first pair in their order
// that is in conflict, or whose weights are too much with those before.
absl::Status FirstError(EdgeRows<Entry>& rows, int32_t num_vertices,
                        EdgeParts<SignedEdge> parts,
                        internal::ConflictingSignedPair* conflict) {
  Sums sums;
  for (int32_t v = 0; v < num_vertices && conflict->u < 0; ++v) {
    const Entry* at = rows.begin(v);
    while (at != rows.end(v)) {
      const int32_t u = at->neighbor;
      PairOfVertices pair;
      at = TakePair(at, rows.end(v), &pair);
      if (pair.has_conflict) {
        *conflict = {v, u};
        break;
      }
      if (v < u && !sums.Add(pair.ToSums())) return TooHeavy();
    }
  }
  const auto [v, u] = *conflict;
  PairOfVertices pair;
  for (const absl::Span<const SignedEdge> part : parts) {
    for (const SignedEdge& edge : part) {
      if (std::minmax(edge.u, edge.v) != std::minmax(u, v)) continue;
      pair.Add(edge.weight);
      if (!pair.has_conflict) continue;
      const bool positive = edge.weight > 0;
      return absl::InvalidArgumentError(absl::StrCat(
          "edge (", v, ", ", u, "): expected one ",
          positive ? "positive" : "negative", " weight, found ",
          positive ? pair.positive : -pair.negative, " and ", edge.weight));
    }
  }
  return TooHeavy();
}

}  // namespace

namespace internal {

absl::StatusOr<SignedGraph> BuildSignedGraph(int32_t num_vertices,
                                             EdgeParts<SignedEdge> parts,
                                             int64_t units_per_one,
                                             int num_threads,
                                             ConflictingSignedPair* conflict) {
  *conflict = ConflictingSignedPair();
  const int threads = ThreadsFor(NumEdges(parts), kEdgesPerThread, num_threads);
  EdgeRows<Entry> rows =
      FillRows<Entry>(num_vertices, parts, threads,
                      [](int32_t neighbor, const SignedEdge& edge) {
                        return Entry{neighbor, edge.weight};
                      });

  SignedGraph graph;
  graph.offsets.assign(static_cast<size_t>(num_vertices) + 1, 0);
  Sums sums;
  bool failed = false;
#pragma omp parallel num_threads(threads) reduction(|| : failed)
  {
    Sums own;
#pragma omp for schedule(dynamic, 256)
    for (int32_t v = 0; v < num_vertices; ++v) {
      const auto before = [](const Entry& a, const Entry& b) {
        return a.neighbor < b.neighbor;
      };
      if (!std::is_sorted(rows.begin(v), rows.end(v), before)) {
        std::sort(rows.begin(v), rows.end(v), before);
      }
      for (const Entry* at = rows.begin(v); at != rows.end(v);) {
        const int32_t u = at->neighbor;
        PairOfVertices pair;
        at = TakePair(at, rows.end(v), &pair);
        failed = failed || pair.has_conflict;
        if (v < u && !failed) failed = !own.Add(pair.ToSums());
        if (pair.positive != pair.negative) ++graph.offsets[v + 1];
      }
    }
#pragma omp critical
    failed = !sums.Add(own) || failed;
  }
  if (failed) return FirstError(rows, num_vertices, parts, conflict);

  CountsToOffsets(graph.offsets);
  ResizeVectors(graph.offsets.back(), threads, &graph.neighbors,
                &graph.weights);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
  for (int32_t v = 0; v < num_vertices; ++v) {
    int64_t i = graph.offsets[v];
    for (const Entry* at = rows.begin(v); at != rows.end(v);) {
      const int32_t u = at->neighbor;
      PairOfVertices pair;
      at = TakePair(at, rows.end(v), &pair);
      if (pair.positive == pair.negative) continue;
      graph.neighbors[i] = u;
      graph.weights[i++] = pair.positive - pair.negative;
    }
  }
  graph.units_per_one = units_per_one;
  graph.num_positive_edges = sums.num_positive_edges;
  graph.num_negative_edges = sums.num_negative_edges;
  graph.positive_weight = sums.positive_weight;
  graph.negative_weight = sums.negative_weight;
  graph.constant_cost = sums.constant_cost;
  return graph;
}

}  // namespace internal

absl::StatusOr<SignedGraph> BuildSignedGraph(int32_t num_vertices,
                                             absl::Span<const SignedEdge> edges,
                                             int64_t units_per_one) {
  if (num_vertices < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a number of vertices of at least 0, found ", num_vertices));
  }
  if (!IsPowerOfTen(units_per_one)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a power of ten of units per one, found ", units_per_one));
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!IsLegal(edges[i], num_vertices)) {
      return EdgeError(i, edges[i], num_vertices);
    }
  }
  internal::ConflictingSignedPair conflict;
  return internal::BuildSignedGraph(num_vertices, {edges}, units_per_one,
                                    /*num_threads=*/0, &conflict);
}

namespace {

absl::Status GraphError(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("signed graph: ", what));
}

absl::Status SumError() {
  return GraphError("expected sums of weights that fit those of its rows");
}

absl::Status ValidateRows(const SignedGraph& graph) {
  const std::vector<int64_t>& offsets = graph.offsets;
  if (offsets.empty() || offsets.front() != 0 ||
      offsets.size() - 1 >
          static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return GraphError(
        "expected offsets that start with 0, one more than vertices");
  }
  if (!std::is_sorted(offsets.begin(), offsets.end()) ||
      offsets.back() != static_cast<int64_t>(graph.neighbors.size()) ||
      graph.weights.size() != graph.neighbors.size()) {
    return GraphError(absl::StrCat(
        "expected ascending offsets that end at the number of neighbors and "
        "of weights, found ",
        offsets.back(), ", ", graph.neighbors.size(), ", ",
        graph.weights.size()));
  }
  const int32_t num_vertices = graph.num_vertices();
  for (int32_t v = 0; v < num_vertices; ++v) {
    int32_t previous = -1;
    for (int64_t i = offsets[v]; i < offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      if (u <= previous || u >= num_vertices || u == v ||
          graph.weights[i] == 0 || !IsLegalWeight(graph.weights[i])) {
        return GraphError(absl::StrCat(
            "vertex ", v, ": expected strictly ascending neighbors in [0, ",
            num_vertices, ") without the vertex itself, and weights other ",
            "than 0 of at most ", kMaxSignedWeight, " units"));
      }
      previous = u;
    }
  }
  // As in ValidateGraph: one cursor per row checks symmetry in O(edges).
  std::vector<int64_t> cursor(offsets.begin(), offsets.end() - 1);
  for (int32_t v = 0; v < num_vertices; ++v) {
    int64_t i = cursor[v];
    if (i < offsets[v + 1] && graph.neighbors[i] < v) {
      return GraphError(
          absl::StrCat("vertex ", v, ": expected its edge to vertex ",
                       graph.neighbors[i], " in both rows, found it in one"));
    }
    for (; i < offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      const int64_t mirror = cursor[u]++;
      if (mirror >= offsets[u + 1] || graph.neighbors[mirror] != v ||
          graph.weights[mirror] != graph.weights[i]) {
        return GraphError(
            absl::StrCat("edge (", v, ", ", u,
                         "): expected the same edge and weight in both rows"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateSignedGraph(const SignedGraph& graph) {
  RETURN_IF_ERROR(ValidateRows(graph));
  if (!IsPowerOfTen(graph.units_per_one)) {
    return GraphError(absl::StrCat("expected a power of ten of units per one, ",
                                   "found ", graph.units_per_one));
  }
  for (const int64_t sum :
       {graph.constant_cost, graph.positive_weight, graph.negative_weight,
        graph.num_positive_edges, graph.num_negative_edges}) {
    if (sum < 0) return GraphError("expected sums and counts of at least 0");
  }
  if (graph.constant_cost > kMaxSignedWeight ||
      graph.positive_weight > kMaxSignedWeight ||
      graph.negative_weight > kMaxSignedWeight - graph.positive_weight) {
    return GraphError(TooHeavy().message());
  }

  // A pair of net weight w and common part c had edges of weight max(w, 0) + c
  // and max(-w, 0) + c. So the rows leave the same rest of both sums.
  int64_t positive = graph.positive_weight;
  int64_t negative = graph.negative_weight;
  int64_t hidden_positive = graph.num_positive_edges;
  int64_t hidden_negative = graph.num_negative_edges;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      if (graph.neighbors[i] < v) continue;
      const int64_t weight = graph.weights[i];
      (weight > 0 ? positive : negative) -= weight > 0 ? weight : -weight;
      --(weight > 0 ? hidden_positive : hidden_negative);
      if (positive < 0 || negative < 0) return SumError();
    }
  }
  if (positive != negative || positive > graph.constant_cost) return SumError();
  // An edge without an entry of its sign has a parallel edge that outweighs or
  // cancels it; each such edge adds to the common part.
  if (hidden_positive < 0 || hidden_negative < 0 ||
      positive < std::max(hidden_positive, hidden_negative) ||
      (positive > 0 && hidden_positive + hidden_negative == 0)) {
    return GraphError("expected numbers of edges that fit those of its rows");
  }
  return absl::OkStatus();
}

}  // namespace warpclust
