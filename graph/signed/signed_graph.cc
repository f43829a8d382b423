// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/signed/signed_graph.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "graph/csr/edge_rows.h"
#include "graph/signed/signed_units.h"

namespace warpclust {
namespace internal {
namespace {

struct Entry {
  int32_t neighbor;
  int64_t weight;
};

bool IsLegal(const SignedEdge& edge, int32_t num_vertices) {
  return edge.u >= 0 && edge.u < num_vertices && edge.v >= 0 &&
         edge.v < num_vertices && edge.u != edge.v &&
         IsLegalWeight(edge.weight);
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

// Edges below this number are not worth a second thread.
constexpr int64_t kFewEdges = 1 << 16;

// ++counter, or of all threads together; returns the value before.
int64_t Increment(bool shared, int64_t* counter) {
  if (!shared) return (*counter)++;
  return std::atomic_ref<int64_t>(*counter).fetch_add(
      1, std::memory_order_relaxed);
}

// Deals the edges, which are legal, to the rows of both ends, in any order.
// Sets the offsets of the graph; no two entries are one yet.
void DealEdges(EdgeParts<SignedEdge> parts, int threads, SignedGraph* graph) {
  const bool shared = threads > 1;
  std::vector<int64_t>& offsets = graph->offsets;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (size_t p = 0; p < parts.size(); ++p) {
    for (const SignedEdge& edge : parts[p]) {
      if (edge.weight == 0) continue;
      Increment(shared, &offsets[edge.u + 1]);
      Increment(shared, &offsets[edge.v + 1]);
    }
  }
  for (size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
  ResizeVector(offsets.back(), threads, &graph->neighbors);
  ResizeVector(offsets.back(), threads, &graph->weights);
  std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (size_t p = 0; p < parts.size(); ++p) {
    for (const SignedEdge& edge : parts[p]) {
      if (edge.weight == 0) continue;
      const int64_t in_u = Increment(shared, &next[edge.u]);
      graph->neighbors[in_u] = edge.v;
      graph->weights[in_u] = edge.weight;
      const int64_t in_v = Increment(shared, &next[edge.v]);
      graph->neighbors[in_v] = edge.u;
      graph->weights[in_v] = edge.weight;
    }
  }
}

// Sums over pairs.
struct Totals {
  int64_t num_positive = 0;
  int64_t num_negative = 0;
  int64_t positive = 0;
  int64_t negative = 0;
  int64_t constant = 0;
  // A pair has two weights of one sign, or the sums exceed the limit.
  bool is_wrong = false;

  // No sum of two parts, each within the limit, overflows.
  void Check() { is_wrong |= positive > kMaxSignedWeight - negative; }
  void Add(const Totals& other) {
    is_wrong |= other.is_wrong;
    if (is_wrong) return;
    num_positive += other.num_positive;
    num_negative += other.num_negative;
    positive += other.positive;
    negative += other.negative;
    constant += other.constant;
    Check();
  }
};

// Sorts the entries of a row and makes those of one pair one. Returns how many
// remain, at the front of the row. Adds up pairs with larger neighbors.
int64_t NetRow(int32_t v, std::vector<Entry>* row, Totals* totals) {
  std::sort(row->begin(), row->end(), [](const Entry& a, const Entry& b) {
    return a.neighbor < b.neighbor;
  });
  int64_t kept = 0;
  for (size_t i = 0; i < row->size() && !totals->is_wrong;) {
    const int32_t u = (*row)[i].neighbor;
    int64_t positive = 0;
    int64_t negative = 0;  // The magnitude.
    for (; i < row->size() && (*row)[i].neighbor == u; ++i) {
      const int64_t weight = (*row)[i].weight;
      int64_t& known = weight > 0 ? positive : negative;
      const int64_t magnitude = weight > 0 ? weight : -weight;
      totals->is_wrong |= known != 0 && known != magnitude;
      known = magnitude;
    }
    if (positive != negative) (*row)[kept++] = {u, positive - negative};
    if (v > u) continue;  // Each pair is counted once.
    totals->num_positive += positive > 0;
    totals->num_negative += negative > 0;
    totals->positive += positive;
    totals->negative += negative;
    totals->constant += std::min(positive, negative);
    totals->Check();
  }
  return kept;
}

// What is wrong with edges of which something is: the first pair, by its
// smaller, then its larger end, that has two weights of one sign, or with which
// the weights exceed the limit.
absl::Status FirstError(EdgeParts<SignedEdge> parts,
                        ConflictingSignedPair* conflict) {
  std::vector<SignedEdge> sorted;
  for (const absl::Span<const SignedEdge> part : parts) {
    for (const SignedEdge& edge : part) {
      if (edge.weight == 0) continue;
      sorted.push_back(
          {std::min(edge.u, edge.v), std::max(edge.u, edge.v), edge.weight});
    }
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const SignedEdge& a, const SignedEdge& b) {
                     return std::tie(a.u, a.v) < std::tie(b.u, b.v);
                   });
  int64_t total = 0;
  for (size_t i = 0; i < sorted.size();) {
    const auto [u, v, first_weight] = sorted[i];
    int64_t known[2] = {0, 0};  // By sign.
    for (; i < sorted.size() && sorted[i].u == u && sorted[i].v == v; ++i) {
      const int64_t weight = sorted[i].weight;
      int64_t& same_sign = known[weight < 0];
      if (same_sign != 0 && same_sign != weight) {
        *conflict = {u, v};
        return absl::InvalidArgumentError(
            absl::StrCat("edge (", u, ", ", v, "): expected one ",
                         weight > 0 ? "positive" : "negative",
                         " weight, found ", same_sign, " and ", weight));
      }
      same_sign = weight;
    }
    total += known[0] - known[1];
    if (total > kMaxSignedWeight) break;
  }
  return TooHeavy();
}

}  // namespace

absl::StatusOr<SignedGraph> BuildSignedGraph(int32_t num_vertices,
                                             EdgeParts<SignedEdge> parts,
                                             int64_t units_per_one,
                                             int num_threads,
                                             ConflictingSignedPair* conflict) {
  *conflict = ConflictingSignedPair();
  const int threads = ThreadsFor(NumEdges(parts), kFewEdges, num_threads);
  SignedGraph graph;
  graph.units_per_one = units_per_one;
  graph.offsets.assign(static_cast<size_t>(num_vertices) + 1, 0);
  DealEdges(parts, threads, &graph);
  std::vector<int64_t> lengths(num_vertices);
  Totals totals;
#pragma omp parallel num_threads(threads)
  {
    std::vector<Entry> row;
    Totals mine;
#pragma omp for schedule(dynamic, 256)
    for (int32_t v = 0; v < num_vertices; ++v) {
      const int64_t begin = graph.offsets[v];
      row.clear();
      for (int64_t i = begin; i < graph.offsets[v + 1]; ++i) {
        row.push_back({graph.neighbors[i], graph.weights[i]});
      }
      lengths[v] = NetRow(v, &row, &mine);
      for (int64_t i = 0; i < lengths[v]; ++i) {
        graph.neighbors[begin + i] = row[i].neighbor;
        graph.weights[begin + i] = row[i].weight;
      }
    }
#pragma omp critical
    totals.Add(mine);
  }
  if (totals.is_wrong) return FirstError(parts, conflict);
  graph.num_positive_edges = totals.num_positive;
  graph.num_negative_edges = totals.num_negative;
  graph.positive_weight = totals.positive;
  graph.negative_weight = totals.negative;
  graph.constant_cost = totals.constant;

  // Closes the gaps that pairs with several edges have left.
  int64_t end = 0;
  for (int32_t v = 0; v < num_vertices; ++v) {
    const int64_t begin = std::exchange(graph.offsets[v], end);
    if (begin > end) {
      const auto move = [begin, end, length = lengths[v]](auto* values) {
        std::copy(values->begin() + begin, values->begin() + begin + length,
                  values->begin() + end);
      };
      move(&graph.neighbors);
      move(&graph.weights);
    }
    end += lengths[v];
  }
  graph.offsets[num_vertices] = end;
  graph.neighbors.resize(end);
  graph.weights.resize(end);
  return graph;
}

}  // namespace internal

absl::StatusOr<SignedGraph> BuildSignedGraph(int32_t num_vertices,
                                             absl::Span<const SignedEdge> edges,
                                             int64_t units_per_one,
                                             int num_threads) {
  if (num_vertices < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a number of vertices of at least 0, found ", num_vertices));
  }
  if (!internal::IsPowerOfTen(units_per_one)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a power of ten of units per one, found ", units_per_one));
  }
  const auto num_edges = static_cast<int64_t>(edges.size());
  const int threads = ThreadsFor(num_edges, internal::kFewEdges, num_threads);
  int64_t first_illegal = num_edges;
#pragma omp parallel for num_threads(threads) schedule(static) \
    reduction(min                                              \
              : first_illegal)
  for (int64_t i = 0; i < num_edges; ++i) {
    if (!internal::IsLegal(edges[i], num_vertices)) {
      first_illegal = std::min(first_illegal, i);
    }
  }
  if (first_illegal < num_edges) {
    return internal::EdgeError(first_illegal, edges[first_illegal],
                               num_vertices);
  }
  // For all threads.
  std::vector<absl::Span<const SignedEdge>> parts;
  for (int64_t i = 0; i < num_edges; i += internal::kFewEdges) {
    parts.push_back(edges.subspan(i, internal::kFewEdges));
  }
  internal::ConflictingSignedPair conflict;
  return internal::BuildSignedGraph(num_vertices, parts, units_per_one,
                                    num_threads, &conflict);
}

}  // namespace warpclust
