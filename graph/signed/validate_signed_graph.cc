// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/signed/signed_graph.h"
#include "graph/signed/signed_units.h"

namespace warpclust {
namespace {

// Fewer entries are not worth a second thread.
constexpr size_t kFewEntries = 1 << 17;

absl::Status GraphError(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("signed graph: ", what));
}

absl::Status SumError() {
  return GraphError("expected sums of weights that fit those of its rows");
}

// An entry in the row of a vertex whose mirror in the row of the neighbor is
// missing or differs. Of all faults the first one is reported, whatever threads
// find: a missing mirror in an earlier row comes before those in later rows.
struct Fault {
  int32_t vertex = std::numeric_limits<int32_t>::max();  // If there is none.
  bool in_later_row = false;
  int64_t entry = 0;

  bool operator<(const Fault& other) const {
    return std::tie(vertex, in_later_row, entry) <
           std::tie(other.vertex, other.in_later_row, other.entry);
  }
};

// The first row that does not ascend strictly, or has an illegal entry.
int32_t FirstBadRow(const SignedGraph& graph, int threads) {
  const int32_t num_vertices = graph.num_vertices();
  int32_t first_bad = num_vertices;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024) \
    reduction(min                                                     \
              : first_bad)
  for (int32_t v = 0; v < num_vertices; ++v) {
    int32_t previous = -1;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      if (u <= previous || u >= num_vertices || u == v ||
          graph.weights[i] == 0 || !internal::IsLegalWeight(graph.weights[i])) {
        first_bad = std::min(first_bad, v);
        break;
      }
      previous = u;
    }
  }
  return first_bad;
}

// The first fault among the pairs whose larger end is in [begin, end). As in
// ValidateGraph: a cursor per row checks symmetry in O(edges). Rows ascend.
Fault FirstAsymmetry(const SignedGraph& graph, int32_t begin, int32_t end) {
  const std::vector<int64_t>& offsets = graph.offsets;
  std::vector<int64_t> cursor(offsets.begin() + begin, offsets.begin() + end);
  for (int32_t v = 0; v < end; ++v) {
    if (v >= begin && cursor[v - begin] < offsets[v + 1] &&
        graph.neighbors[cursor[v - begin]] < v) {
      return {v, /*in_later_row=*/false, cursor[v - begin]};
    }
    const auto row = graph.neighbors.begin() + offsets[v];
    int64_t i = v >= begin
                    ? cursor[v - begin]
                    : std::lower_bound(row, row + graph.Degree(v), begin) -
                          graph.neighbors.begin();
    for (; i < offsets[v + 1] && graph.neighbors[i] < end; ++i) {
      const int32_t u = graph.neighbors[i];
      const int64_t mirror = cursor[u - begin]++;
      if (mirror >= offsets[u + 1] || graph.neighbors[mirror] != v ||
          graph.weights[mirror] != graph.weights[i]) {
        return {v, /*in_later_row=*/true, i};
      }
    }
  }
  return Fault();
}

// By ranges of vertices with about as many entries for each thread.
Fault FirstAsymmetry(const SignedGraph& graph, int threads) {
  const std::vector<int64_t>& offsets = graph.offsets;
  const auto bound = [&](int part) {
    const int64_t entries = offsets.back() / threads * part;
    return static_cast<int32_t>(
        std::lower_bound(offsets.begin(), offsets.end() - 1, entries) -
        offsets.begin());
  };
  Fault first;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int part = 0; part < threads; ++part) {
    const Fault fault = FirstAsymmetry(
        graph, bound(part),
        part + 1 < threads ? bound(part + 1) : graph.num_vertices());
#pragma omp critical
    first = std::min(first, fault);
  }
  return first;
}

absl::Status ValidateRows(const SignedGraph& graph, int threads) {
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
  const int32_t bad_row = FirstBadRow(graph, threads);
  if (bad_row < num_vertices) {
    return GraphError(absl::StrCat(
        "vertex ", bad_row, ": expected strictly ascending neighbors in [0, ",
        num_vertices, ") without the vertex itself, and weights other ",
        "than 0 of at most ", kMaxSignedWeight, " units"));
  }
  const Fault fault = FirstAsymmetry(graph, threads);
  if (fault.vertex >= num_vertices) return absl::OkStatus();
  const int32_t neighbor = graph.neighbors[fault.entry];
  return GraphError(
      fault.in_later_row
          ? absl::StrCat("edge (", fault.vertex, ", ", neighbor,
                         "): expected the same edge and weight in both rows")
          : absl::StrCat("vertex ", fault.vertex,
                         ": expected its edge to vertex ", neighbor,
                         " in both rows, found it in one"));
}

}  // namespace

absl::Status ValidateSignedGraph(const SignedGraph& graph, int num_threads) {
  const int threads =
      graph.neighbors.size() < kFewEntries ? 1 : ResolveThreads(num_threads);
  RETURN_IF_ERROR(ValidateRows(graph, threads));
  if (!internal::IsPowerOfTen(graph.units_per_one)) {
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
    return GraphError(internal::TooHeavy().message());
  }

  // A pair of net weight w and common part c had edges of weight max(w, 0) + c
  // and max(-w, 0) + c. So the rows leave the same rest of both sums.
  int64_t positive = graph.positive_weight;
  int64_t negative = graph.negative_weight;
  int64_t hidden_positive = graph.num_positive_edges;
  int64_t hidden_negative = graph.num_negative_edges;
  bool exceeds = false;
#pragma omp parallel num_threads(threads)
  {
    // Both stop below the limit or just above it.
    int64_t my_weights[2] = {0, 0};  // By sign.
    int64_t my_counts[2] = {0, 0};
#pragma omp for schedule(dynamic, 1024)
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        const int64_t weight = graph.weights[i];
        int64_t& sum = my_weights[weight < 0];
        if (graph.neighbors[i] < v || sum > kMaxSignedWeight) continue;
        sum += std::abs(weight);
        ++my_counts[weight < 0];
      }
    }
#pragma omp critical
    {
      exceeds |= my_weights[0] > positive || my_weights[1] > negative;
      if (!exceeds) {
        positive -= my_weights[0];
        negative -= my_weights[1];
        hidden_positive -= my_counts[0];
        hidden_negative -= my_counts[1];
      }
    }
  }
  if (exceeds) return SumError();
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
