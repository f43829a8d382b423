// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust::internal {
namespace {

// Positions that a thread visits between two calls of ShouldStop.
constexpr int32_t kPositionsPerCheck = 1 << 15;
// What a visit costs beside its row, in entries of a row.
constexpr int64_t kWorkOfVisit = 16;
// Several threads share a class of at least this much work for each: with
// less, they would mostly wait for each other.
constexpr int64_t kLeastSharedWork = 1 << 11;
// They take pieces of the class: rows differ much in length. Each thread gets
// about this many.
constexpr int32_t kPiecesPerThread = 8;
// The share of their time in which threads that share classes do not wait.
constexpr double kEfficiency = 0.7;

// Makes labels dense: in [0, number of clusters).
void Renumber(std::vector<uint32_t>* labels) {
  absl::flat_hash_map<uint32_t, uint32_t> numbers;
  for (uint32_t& label : *labels) {
    label = numbers.try_emplace(label, static_cast<uint32_t>(numbers.size()))
                .first->second;
  }
}

// Visits the positions [begin, end). A new cluster gets the label `fresh` plus
// the position of its founder.
int64_t Visit(const AnnealingPlan& plan, uint64_t sweep_key, double temperature,
              uint32_t fresh, int32_t begin, int32_t end, uint32_t* labels) {
  const double* const noise = NoiseTable().data();
  int64_t change = 0;
  for (int32_t p = begin; p < end; ++p) {
    const uint64_t random = VisitRandom(sweep_key, p);
    const int32_t num_positive = plan.num_positive[p];
    const int32_t drawn = DrawnNeighbor(random, num_positive);
    const int64_t row = plan.offsets[p];
    const bool is_new = drawn == num_positive;
    const uint32_t own = labels[p];
    const uint32_t target =
        is_new ? fresh + p : labels[plan.neighbors[row + drawn]];
    if (target == own) continue;
    int64_t own_sum = 0;
    int64_t target_sum = 0;
    for (int64_t i = row; i < plan.offsets[p + 1]; ++i) {
      const uint32_t label = labels[plan.neighbors[i]];
      const int64_t weight = plan.weights[i];
      own_sum += label == own ? weight : 0;
      target_sum += label == target ? weight : 0;
    }
    const int64_t delta = own_sum - target_sum;
    if (delta > 0 &&
        delta > Threshold(temperature, noise[NoiseIndex(random)])) {
      continue;
    }
    labels[p] = target;
    change += delta;
  }
  return change;
}

// A sweep of a chain, which threads may share.
struct Sweep {
  const AnnealingPlan& plan;
  const SearchControl& control;
  std::atomic<bool>& stopped;
  uint64_t key;
  double temperature;
  uint32_t fresh;
  uint32_t* labels;
};

// Visits the positions [begin, end) until a stop, which any thread notices for
// all.
int64_t VisitUntilStopped(const Sweep& sweep, int32_t begin, int32_t end) {
  int64_t change = 0;
  while (begin < end && !sweep.stopped) {
    const int32_t next = begin + std::min(kPositionsPerCheck, end - begin);
    change += Visit(sweep.plan, sweep.key, sweep.temperature, sweep.fresh,
                    begin, next, sweep.labels);
    begin = next;
    if (sweep.control.ShouldStop()) sweep.stopped = true;
  }
  return change;
}

// One class, which several threads share, or consecutive classes that are left
// to one thread.
struct Stretch {
  int32_t begin = 0;
  int32_t end = 0;
  bool is_shared = false;
};

int64_t WorkOf(const AnnealingPlan& plan, int32_t begin, int32_t end) {
  return plan.offsets[end] - plan.offsets[begin] + kWorkOfVisit * (end - begin);
}

std::vector<Stretch> Stretches(const AnnealingPlan& plan, int threads) {
  std::vector<Stretch> stretches;
  for (size_t c = 0; c + 1 < plan.class_offsets.size(); ++c) {
    const int32_t begin = plan.class_offsets[c];
    const int32_t end = plan.class_offsets[c + 1];
    const bool is_shared =
        WorkOf(plan, begin, end) >= kLeastSharedWork * threads;
    if (!is_shared && !stretches.empty() && !stretches.back().is_shared) {
      stretches.back().end = end;
    } else {
      stretches.push_back({begin, end, is_shared});
    }
  }
  return stretches;
}

// Vertices of a class are not adjacent, so that threads may visit them in any
// order.
int64_t SweepOnThreads(const Sweep& sweep,
                       const std::vector<Stretch>& stretches, int threads) {
  int64_t change = 0;
#pragma omp parallel num_threads(threads) reduction(+ : change)
  for (const Stretch& stretch : stretches) {
    if (stretch.is_shared) {
      const int32_t piece = std::max(
          1, (stretch.end - stretch.begin) / (kPiecesPerThread * threads));
#pragma omp for schedule(dynamic, 1)
      for (int32_t begin = stretch.begin; begin < stretch.end; begin += piece) {
        change += VisitUntilStopped(sweep, begin,
                                    std::min(stretch.end, begin + piece));
      }
    } else {
#pragma omp single
      change += VisitUntilStopped(sweep, stretch.begin, stretch.end);
    }
  }
  return change;
}

}  // namespace

double RelativeTimeByRows(const AnnealingPlan& plan, int num_threads) {
  const int64_t all = WorkOf(plan, 0, plan.num_positions());
  if (num_threads == 1 || all == 0) return 1;
  int64_t shared = 0;
  for (const Stretch& stretch : Stretches(plan, num_threads)) {
    if (stretch.is_shared) shared += WorkOf(plan, stretch.begin, stretch.end);
  }
  const double share = static_cast<double>(shared) / static_cast<double>(all);
  return 1 - share + share / (kEfficiency * num_threads);
}

void RunChainByRows(const AnnealingPlan& plan, int num_threads,
                    const SearchControl& control, uint64_t first_label,
                    AnnealingChain* chain) {
  const int32_t n = plan.num_positions();
  std::vector<uint32_t> labels(n);
  for (int32_t p = 0; p < n; ++p) labels[p] = chain->labels[plan.vertices[p]];
  const std::vector<double> temperatures = Temperatures(*chain);
  std::vector<Stretch> stretches;
  if (num_threads > 1) stretches = Stretches(plan, num_threads);
  // All labels are below `fresh`, so fresh + p is unused.
  uint64_t fresh = first_label;
  chain->change = 0;
  std::atomic<bool> stopped = false;
  for (int32_t s = 0; s < chain->num_sweeps && !stopped; ++s) {
    if (fresh + n > UINT32_MAX) {
      Renumber(&labels);
      fresh = n;
    }
    const Sweep sweep = {plan,
                         control,
                         stopped,
                         SweepKey(chain->key, s),
                         temperatures[s],
                         static_cast<uint32_t>(fresh),
                         labels.data()};
    chain->change += num_threads > 1
                         ? SweepOnThreads(sweep, stretches, num_threads)
                         : VisitUntilStopped(sweep, 0, n);
    fresh += n;
  }
  chain->finished = !stopped;
  chain->labels = LabelsOfVertices(plan, labels);
}

Labels LabelsOfVertices(const AnnealingPlan& plan,
                        absl::Span<const uint32_t> position_labels) {
  // A cluster is named by its first vertex.
  Labels labels(plan.num_vertices);
  for (int32_t v = 0; v < plan.num_vertices; ++v) labels[v] = v;
  absl::flat_hash_map<uint32_t, int32_t> first;
  for (size_t p = 0; p < position_labels.size(); ++p) {
    const int32_t v = plan.vertices[p];
    labels[v] = first.try_emplace(position_labels[p], v).first->second;
  }
  MakeCanonical(&labels);
  return labels;
}

}  // namespace warpclust::internal
