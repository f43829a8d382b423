// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/signed/signed_graph.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"

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

// All entries: each edge in the rows of both its ends, rows ascending by
// neighbor, parallel edges in the order given. Row v is
// [starts[v], starts[v + 1]). Edges must be legal.
//
// Edges are distributed to rows in the order given; then the rows, in order,
// are distributed to rows again. The graph is symmetric, so that sorts every
// row.
std::vector<Entry> SortedEntries(int32_t num_vertices,
                                 absl::Span<const SignedEdge> edges,
                                 std::vector<int64_t>* starts) {
  starts->assign(static_cast<size_t>(num_vertices) + 1, 0);
  for (const SignedEdge& edge : edges) {
    if (edge.weight == 0) continue;
    ++(*starts)[edge.u + 1];
    ++(*starts)[edge.v + 1];
  }
  for (int32_t v = 0; v < num_vertices; ++v) {
    (*starts)[v + 1] += (*starts)[v];
  }

  std::vector<int64_t> next(starts->begin(), starts->end() - 1);
  std::vector<Entry> dealt(starts->back());
  for (const SignedEdge& edge : edges) {
    if (edge.weight == 0) continue;
    dealt[next[edge.u]++] = {edge.v, edge.weight};
    dealt[next[edge.v]++] = {edge.u, edge.weight};
  }

  std::copy(starts->begin(), starts->end() - 1, next.begin());
  std::vector<Entry> sorted(starts->back());
  for (int32_t v = 0; v < num_vertices; ++v) {
    for (int64_t i = (*starts)[v]; i < (*starts)[v + 1]; ++i) {
      sorted[next[dealt[i].neighbor]++] = {v, dealt[i].weight};
    }
  }
  return sorted;
}

}  // namespace

namespace internal {

absl::StatusOr<SignedGraph> BuildSignedGraph(int32_t num_vertices,
                                             absl::Span<const SignedEdge> edges,
                                             int64_t units_per_one,
                                             ConflictingSignedPair* conflict) {
  *conflict = ConflictingSignedPair();
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

  std::vector<int64_t> starts;
  const std::vector<Entry> entries =
      SortedEntries(num_vertices, edges, &starts);

  SignedGraph graph;
  graph.units_per_one = units_per_one;
  graph.offsets.reserve(starts.size());
  graph.neighbors.reserve(entries.size());
  graph.weights.reserve(entries.size());
  for (int32_t v = 0; v < num_vertices; ++v) {
    int64_t i = starts[v];
    while (i < starts[v + 1]) {
      const int32_t u = entries[i].neighbor;
      int64_t positive = 0;
      int64_t negative = 0;  // The magnitude.
      for (; i < starts[v + 1] && entries[i].neighbor == u; ++i) {
        const int64_t weight = entries[i].weight;
        int64_t& known = weight > 0 ? positive : negative;
        const int64_t magnitude = weight > 0 ? weight : -weight;
        if (known == 0) {
          known = magnitude;
        } else if (known != magnitude) {
          *conflict = {v, u};
          return absl::InvalidArgumentError(absl::StrCat(
              "edge (", v, ", ", u, "): expected one ",
              weight > 0 ? "positive" : "negative", " weight, found ",
              weight > 0 ? known : -known, " and ", weight));
        }
      }
      if (positive != negative) {
        graph.neighbors.push_back(u);
        graph.weights.push_back(positive - negative);
      }
      if (v > u) continue;  // Each pair is counted once.
      graph.num_positive_edges += positive > 0;
      graph.num_negative_edges += negative > 0;
      graph.positive_weight += positive;
      graph.negative_weight += negative;
      graph.constant_cost += std::min(positive, negative);
      // No addend and no sum so far exceeded the limit: nothing overflowed.
      if (graph.positive_weight > kMaxSignedWeight - graph.negative_weight) {
        return TooHeavy();
      }
    }
    graph.offsets.push_back(static_cast<int64_t>(graph.neighbors.size()));
  }
  return graph;
}

}  // namespace internal

absl::StatusOr<SignedGraph> BuildSignedGraph(int32_t num_vertices,
                                             absl::Span<const SignedEdge> edges,
                                             int64_t units_per_one) {
  internal::ConflictingSignedPair conflict;
  return internal::BuildSignedGraph(num_vertices, edges, units_per_one,
                                    &conflict);
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
