// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/covering.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "absl/types/span.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// Below this many entries one thread is faster than waking the others.
constexpr int64_t kParallelEntries = 1 << 15;

constexpr int32_t kNoRank = std::numeric_limits<int32_t>::max();

struct Candidate {
  uint64_t relevance_key;
  int32_t degree;
  int32_t vertex;
};

// RelevanceOrder with its first key computed once per vertex.
struct CandidateOrder {
  const RelevanceTable& table;
  bool operator()(const Candidate& a, const Candidate& b) const {
    if (a.relevance_key != b.relevance_key) {
      return a.relevance_key > b.relevance_key;
    }
    if (a.degree != b.degree) return a.degree > b.degree;
    const uint64_t sum_a = table.weight_sums[a.vertex];
    const uint64_t sum_b = table.weight_sums[b.vertex];
    if (sum_a != sum_b) return sum_a > sum_b;
    return a.vertex < b.vertex;
  }
};

// The vertices of L, in no special order.
std::vector<Candidate> Candidates(const RelevanceTable& table) {
  std::vector<Candidate> candidates;
  for (int32_t v = 0; v < table.num_vertices(); ++v) {
    if (table.counts[v] == 0) continue;
    candidates.push_back(
        {RelevanceKey(table.counts[v], table.degrees[v]), table.degrees[v], v});
  }
  return candidates;
}

std::vector<int32_t> MarkedVertices(const std::vector<uint8_t>& is_marked) {
  std::vector<int32_t> vertices;
  for (size_t v = 0; v < is_marked.size(); ++v) {
    if (is_marked[v]) vertices.push_back(static_cast<int32_t>(v));
  }
  return vertices;
}

// InitialCentersFromRows, in two phases. After the walk down to some rank of L,
// the first of a covered vertex x was walked and taken: the center that covers
// x was walked and is in x's neighborhood, and the first has no larger rank.
// The first of an uncovered vertex comes later: had it been walked, it would
// cover x.
//
// The walk costs the rows of the vertices that it does not take (rows of
// centers are needed afterwards anyway). Stopping costs the rows of the
// uncovered vertices. The first cost only grows and the second only shrinks.
// The walk stops when the first reaches the second: then neither exceeds the
// least sum of both at any stop, except for the last row of the walk.
class CoveringWalk {
 public:
  CoveringWalk(const RelevanceTable& table, StarRows rows)
      : table_(table),
        rows_(rows),
        is_covered_(table.num_vertices(), 0),
        is_center_(table.num_vertices(), 0) {
    for (int32_t v = 0; v < table.num_vertices(); ++v) {
      uncovered_degrees_ += table.degrees[v];
      // Isolated vertices are centers.
      if (table.degrees[v] == 0) is_center_[v] = is_covered_[v] = 1;
    }
  }

  std::vector<int32_t> Run() {
    // A heap yields L as far as it is needed.
    std::vector<Candidate> heap = Candidates(table_);
    const auto later = [order = CandidateOrder{table_}](const Candidate& a,
                                                        const Candidate& b) {
      return order(b, a);
    };
    std::make_heap(heap.begin(), heap.end(), later);
    int64_t not_taken_degrees = 0;
    while (uncovered_degrees_ > not_taken_degrees && !heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), later);
      const int32_t v = heap.back().vertex;
      heap.pop_back();
      Visit(v);
      if (!is_center_[v]) not_taken_degrees += table_.degrees[v];
    }
    for (int32_t x = 0; x < table_.num_vertices(); ++x) {
      if (!is_covered_[x]) is_center_[FirstBeside(x)] = 1;
    }
    return MarkedVertices(is_center_);
  }

  int64_t entries_read() const { return entries_read_; }

 private:
  absl::Span<const int32_t> ReadRow(int32_t v) {
    const absl::Span<const int32_t> row = rows_(v);
    entries_read_ += static_cast<int64_t>(row.size());
    return row;
  }

  // Covers `v`; true if it was not covered before.
  bool Cover(int32_t v) {
    if (is_covered_[v]) return false;
    is_covered_[v] = 1;
    uncovered_degrees_ -= table_.degrees[v];
    return true;
  }

  // Takes `v` if its star holds an uncovered vertex; covers the star.
  void Visit(int32_t v) {
    bool is_needed = Cover(v);
    for (const int32_t u : ReadRow(v)) is_needed |= Cover(u);
    is_center_[v] = is_needed;
  }

  // The first of L within {x} ∪ Adj(x).
  int32_t FirstBeside(int32_t x) {
    const RelevanceOrder before{table_};
    int32_t first = x;
    for (const int32_t u : ReadRow(x)) {
      // A vertex of relevance 0 comes after all of L.
      if (before(u, first)) first = u;
    }
    return first;
  }

  const RelevanceTable& table_;
  const StarRows rows_;
  std::vector<uint8_t> is_covered_;
  std::vector<uint8_t> is_center_;
  int64_t uncovered_degrees_ = 0;
  int64_t entries_read_ = 0;
};

}  // namespace

std::vector<int32_t> CandidateList(const RelevanceTable& table) {
  std::vector<Candidate> candidates = Candidates(table);
  std::sort(candidates.begin(), candidates.end(), CandidateOrder{table});
  std::vector<int32_t> list(candidates.size());
  for (size_t i = 0; i < list.size(); ++i) list[i] = candidates[i].vertex;
  return list;
}

std::vector<int32_t> CandidateRanks(int32_t num_vertices,
                                    const std::vector<int32_t>& candidates) {
  std::vector<int32_t> ranks(num_vertices, kNoRank);
  for (size_t i = 0; i < candidates.size(); ++i) {
    ranks[candidates[i]] = static_cast<int32_t>(i);
  }
  return ranks;
}

std::vector<int32_t> FirstNeighbors(const RelevanceTable& table, StarRows rows,
                                    int num_threads) {
  const int64_t num_entries =
      std::accumulate(table.degrees.begin(), table.degrees.end(), int64_t{0});
  num_threads =
      num_entries < kParallelEntries ? 1 : ResolveThreads(num_threads);
  const int32_t n = table.num_vertices();
  const RelevanceOrder before{table};
  std::vector<uint64_t> keys(n);
  std::vector<int32_t> first(n);
#pragma omp parallel num_threads(num_threads)
  {
#pragma omp for schedule(static)
    for (int32_t v = 0; v < n; ++v) {
      if (table.degrees[v] == 0) continue;
      keys[v] = RelevanceKey(table.counts[v], table.degrees[v]);
    }
#pragma omp for schedule(dynamic, 256)
    for (int32_t x = 0; x < n; ++x) {
      int32_t best = x;
      uint64_t best_key = keys[x];
      if (table.degrees[x] > 0) {
        for (const int32_t u : rows(x)) {
          // Mostly false. Vertices of relevance 0 come after all of L.
          if (keys[u] < best_key) continue;
          if (keys[u] == best_key && !before(u, best)) continue;
          best = u;
          best_key = keys[u];
        }
      }
      first[x] = best;
    }
  }
  return first;
}

std::vector<int32_t> InitialCenters(const CsrGraph& graph,
                                    const RelevanceTable& table,
                                    int num_threads) {
  const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
  std::vector<uint8_t> is_center(graph.num_vertices(), 0);
  for (const int32_t v : FirstNeighbors(table, rows, num_threads)) {
    is_center[v] = 1;
  }
  return MarkedVertices(is_center);
}

std::vector<int32_t> InitialCentersFromRows(const RelevanceTable& table,
                                            StarRows rows,
                                            int64_t* entries_read) {
  CoveringWalk walk(table, rows);
  std::vector<int32_t> centers = walk.Run();
  if (entries_read != nullptr) *entries_read += walk.entries_read();
  return centers;
}

}  // namespace warpclust
