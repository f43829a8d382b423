// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/contraction.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/machine/threads.h"
#include "base/machine/trace.h"
#include "base/numbers/sort_by_bits.h"

namespace warpclust {
namespace {

// Several threads make rows in pieces of about this many entries of the graph.
constexpr int64_t kEntriesPerPiece = 1 << 18;

// The sum of the weights from one group to another.
struct Sum {
  int64_t weight = 0;
  int32_t seen_by = -1;
};

// The rows of some consecutive groups, one after another.
struct Piece {
  int32_t begin = 0;
  int32_t end = 0;
  int64_t entries = 0;  // Of the graph: the rows have no more.
  std::vector<int32_t> neighbors;
  std::vector<int64_t> weights;
};

// Sums over all rows. Each pair of groups is met in two rows, and each pair
// inside a group twice in one row. Sums of magnitudes, except inside, which is
// a net sum.
struct Totals {
  int64_t before = 0;
  int64_t inside = 0;
  int64_t after = 0;
  int64_t positive = 0;
  int64_t num_positive = 0;

  void Add(const Totals& other) {
    before += other.before;
    inside += other.inside;
    after += other.after;
    positive += other.positive;
    num_positive += other.num_positive;
  }
};

// Makes the rows of groups, one at a time.
class RowMaker {
 public:
  RowMaker(const SignedGraph& graph, absl::Span<const int32_t> group,
           const Members& members, int32_t num_groups)
      : graph_(graph),
        group_(group),
        members_(members),
        group_bits_(std::bit_width(static_cast<uint32_t>(num_groups))),
        sums_(num_groups),
        touched_(static_cast<size_t>(num_groups) + 1) {}

  // Appends the row of group a to the piece. Returns how many entries it took.
  int64_t Make(int32_t a, Piece* piece, Totals* totals) {
    int64_t entries = 0;
    int32_t num_touched = 0;
    for (int32_t m = members_.offsets[a]; m < members_.offsets[a + 1]; ++m) {
      const int32_t v = members_.members[m];
      const int64_t end = graph_.offsets[v + 1];
      entries += graph_.Degree(v);
      for (int64_t i = graph_.offsets[v]; i < end; ++i) {
        PrefetchAhead(i);
        const int32_t b = group_[graph_.neighbors[i]];
        Sum& sum = sums_[b];
        // Whether b is new is unpredictable: no branch on it.
        touched_[num_touched] = b;
        num_touched += sum.seen_by != a;
        sum.seen_by = a;
        sum.weight += graph_.weights[i];
        totals->before += std::abs(graph_.weights[i]);
      }
    }
    SortByBits(/*first_bit=*/0, group_bits_,
               absl::MakeSpan(touched_.data(), num_touched), &scratch_);
    for (int32_t t = 0; t < num_touched; ++t) {
      const int32_t b = touched_[t];
      const int64_t weight = std::exchange(sums_[b].weight, 0);
      if (b == a) totals->inside += weight;
      if (b == a || weight == 0) continue;
      piece->neighbors.push_back(b);
      piece->weights.push_back(weight);
      totals->num_positive += weight > 0;
      totals->positive += std::max<int64_t>(weight, 0);
      totals->after += std::abs(weight);
    }
    return entries;
  }

 private:
  // Asks for the groups and sums of entries after entry i, most likely of the
  // next rows: in a large graph they are in no cache.
  void PrefetchAhead(int64_t i) const {
    constexpr int64_t kAhead = 32;
    const auto size = static_cast<int64_t>(graph_.neighbors.size());
    if (i + 2 * kAhead >= size) return;
    __builtin_prefetch(&group_[graph_.neighbors[i + 2 * kAhead]]);
    __builtin_prefetch(&sums_[group_[graph_.neighbors[i + kAhead]]], /*rw=*/1);
  }

  const SignedGraph& graph_;
  const absl::Span<const int32_t> group_;
  const Members& members_;
  const int group_bits_;
  std::vector<Sum> sums_;
  // One more than there are groups, for the entry that is not counted.
  std::vector<int32_t> touched_;
  std::vector<int32_t> scratch_;
};

// Consecutive groups, cut where pieces have enough entries.
std::vector<Piece> CutIntoPieces(const SignedGraph& graph,
                                 const Members& members, int32_t num_groups,
                                 int64_t enough) {
  std::vector<Piece> pieces(1);
  for (int32_t a = 0; a < num_groups; ++a) {
    if (pieces.back().entries >= enough) {
      pieces.push_back({a, a, 0, {}, {}});
    }
    for (int32_t m = members.offsets[a]; m < members.offsets[a + 1]; ++m) {
      pieces.back().entries += graph.Degree(members.members[m]);
    }
    pieces.back().end = a + 1;
  }
  return pieces;
}

// Moves the rows of all pieces to the graph, whose offsets are set. A piece is
// gone once it is copied, so that the rows are in memory once.
void JoinPieces(std::vector<Piece> pieces, SignedGraph* graph) {
  graph->neighbors = std::move(pieces[0].neighbors);
  graph->weights = std::move(pieces[0].weights);
  graph->neighbors.reserve(graph->offsets.back());
  graph->weights.reserve(graph->offsets.back());
  for (size_t p = 1; p < pieces.size(); ++p) {
    const Piece piece = std::move(pieces[p]);
    graph->neighbors.insert(graph->neighbors.end(), piece.neighbors.begin(),
                            piece.neighbors.end());
    graph->weights.insert(graph->weights.end(), piece.weights.begin(),
                          piece.weights.end());
  }
}

}  // namespace

SignedGraph Contract(const SignedGraph& graph, absl::Span<const int32_t> group,
                     int32_t num_groups, const StepOptions& step) {
  const TraceSpan span("contract");
  const Members members = MembersOfClusters(group, num_groups);
  SignedGraph result;
  result.units_per_one = graph.units_per_one;
  result.offsets.assign(static_cast<size_t>(num_groups) + 1, 0);
  const auto entries = static_cast<int64_t>(graph.neighbors.size());
  // The sums of a thread should take no more memory than its share of the rows.
  const int64_t most_threads = std::min(
      entries / kEntriesPerPiece, entries / (int64_t{2} * num_groups + 1));
  const int threads = static_cast<int>(
      std::clamp<int64_t>(most_threads, 1, ResolveThreads(step.num_threads)));
  std::vector<Piece> pieces =
      CutIntoPieces(graph, members, num_groups,
                    threads == 1 ? entries + 1 : kEntriesPerPiece);
  Totals totals;
#pragma omp parallel num_threads(threads)
  {
    RowMaker rows(graph, group, members, num_groups);
    StopCheck check(step.control);
    Totals mine;
#pragma omp for schedule(dynamic, 1)
    for (size_t p = 0; p < pieces.size(); ++p) {
      Piece& piece = pieces[p];
      piece.neighbors.reserve(piece.entries);
      piece.weights.reserve(piece.entries);
      for (int32_t a = piece.begin; a < piece.end && !check.After(0); ++a) {
        const size_t before = piece.neighbors.size();
        check.After(rows.Make(a, &piece, &mine));
        result.offsets[a + 1] =
            static_cast<int64_t>(piece.neighbors.size() - before);
      }
    }
#pragma omp critical
    totals.Add(mine);
  }
  if (step.IsStopped()) return SignedGraph();
  for (int32_t a = 0; a < num_groups; ++a) {
    result.offsets[a + 1] += result.offsets[a];
  }
  JoinPieces(std::move(pieces), &result);
  result.num_positive_edges = totals.num_positive / 2;
  result.num_negative_edges = (result.offsets.back() - totals.num_positive) / 2;
  result.positive_weight = totals.positive / 2;
  result.negative_weight = (totals.after - totals.positive) / 2;

  // A pair of groups with positive weight p and negative weight q had the
  // magnitudes p + q and keeps |p - q|; it costs min(p, q) in any case, which
  // is half of the difference. A group with p and q inside had p + q and costs
  // q, which is half of the difference to p - q.
  result.constant_cost = graph.constant_cost +
                         ((totals.before - totals.inside) - totals.after) / 4;
  return result;
}

Labels Expand(absl::Span<const int32_t> group,
              absl::Span<const int32_t> group_labels) {
  Labels labels(group.size());
  for (size_t v = 0; v < group.size(); ++v) {
    labels[v] = group_labels[group[v]];
  }
  return labels;
}

}  // namespace warpclust
