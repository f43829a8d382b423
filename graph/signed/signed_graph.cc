// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/signed/signed_graph.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/first_bad.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/numbers/sort_by_bits.h"
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

// Deals the edges, which are legal, to the rows of both ends. No two entries
// are one yet.
void DealEdges(int32_t num_vertices, EdgeParts<SignedEdge> parts, int threads,
               SignedGraph* graph) {
  graph->offsets = DealToRows<SignedEdge>(
      num_vertices, parts, threads,
      [](const SignedEdge& edge) { return edge.weight != 0; },
      [&](int64_t size) {
        ResizeVector(size, threads, &graph->neighbors);
        ResizeVector(size, threads, &graph->weights);
      },
      [graph](int64_t i, int32_t neighbor, const SignedEdge& edge) {
        graph->neighbors[i] = neighbor;
        graph->weights[i] = edge.weight;
      });
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

// Makes the rows of a graph, whose entries are in any order, one at a time.
class RowNetter {
 public:
  explicit RowNetter(const SignedGraph& graph)
      : graph_(graph),
        vertex_bits_(
            std::bit_width(static_cast<uint32_t>(graph.num_vertices()))) {}

  // Appends the entries of row v to `rows`, sorted, those of one pair as one.
  // Adds up pairs with larger neighbors.
  void Net(int32_t v, std::vector<Entry>* rows, Totals* totals) {
    const int32_t* const neighbors =
        graph_.neighbors.data() + graph_.offsets[v];
    const int64_t* const weights = graph_.weights.data() + graph_.offsets[v];
    // The neighbor, and its place in the row.
    keys_.resize(graph_.Degree(v));
    for (size_t i = 0; i < keys_.size(); ++i) {
      keys_[i] = static_cast<uint64_t>(neighbors[i]) << kPlaceBits | i;
    }
    SortByBits(kPlaceBits, vertex_bits_, absl::MakeSpan(keys_), &scratch_);
    for (size_t i = 0; i < keys_.size() && !totals->is_wrong;) {
      const uint64_t neighbor = keys_[i] >> kPlaceBits;
      int64_t positive = 0;
      int64_t negative = 0;  // The magnitude.
      for (; i < keys_.size() && keys_[i] >> kPlaceBits == neighbor; ++i) {
        const int64_t weight = weights[keys_[i] & kPlaceMask];
        int64_t& known = weight > 0 ? positive : negative;
        const int64_t magnitude = weight > 0 ? weight : -weight;
        totals->is_wrong |= known != 0 && known != magnitude;
        known = magnitude;
      }
      const auto u = static_cast<int32_t>(neighbor);
      if (positive != negative) rows->push_back({u, positive - negative});
      if (v > u) continue;  // Each pair is counted once.
      totals->num_positive += positive > 0;
      totals->num_negative += negative > 0;
      totals->positive += positive;
      totals->negative += negative;
      totals->constant += std::min(positive, negative);
      totals->Check();
    }
  }

 private:
  // What vertices leave of 64 bits: more entries than memory holds.
  static constexpr int kPlaceBits = 33;
  static constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;

  const SignedGraph& graph_;
  const int vertex_bits_;
  std::vector<uint64_t> keys_;
  std::vector<uint64_t> scratch_;
};

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
  DealEdges(num_vertices, parts, threads, &graph);
  // Rows shrink where pairs have several edges, and move forward to close the
  // gaps. A block of rows is written once it and all blocks before it are read,
  // which have left that place.
  constexpr int64_t kBlockRows = 256;
  std::vector<int64_t> offsets(graph.offsets.size());
  const int64_t num_blocks =
      (int64_t{num_vertices} + kBlockRows - 1) / kBlockRows;
  int64_t end = 0;  // Of the blocks that are read.
  Totals totals;
#pragma omp parallel num_threads(threads)
  {
    RowNetter netter(graph);
    std::vector<Entry> rows;
    Totals mine;
#pragma omp for ordered schedule(dynamic, 1)
    for (int64_t block = 0; block < num_blocks; ++block) {
      const int64_t first = block * kBlockRows;
      const int64_t last = std::min<int64_t>(first + kBlockRows, num_vertices);
      rows.clear();
      for (int64_t v = first; v < last; ++v) {
        netter.Net(static_cast<int32_t>(v), &rows, &mine);
        offsets[v + 1] = static_cast<int64_t>(rows.size());
      }
      int64_t begin;
#pragma omp ordered
      {
        begin = end;
        end += static_cast<int64_t>(rows.size());
      }
      for (int64_t v = first; v < last; ++v) offsets[v + 1] += begin;
      for (size_t i = 0; i < rows.size(); ++i) {
        graph.neighbors[begin + i] = rows[i].neighbor;
        graph.weights[begin + i] = rows[i].weight;
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

  graph.offsets = std::move(offsets);
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
  const int64_t first_illegal = FirstBad(num_edges, threads, [&](int64_t i) {
    return internal::IsLegal(edges[i], num_vertices);
  });
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
