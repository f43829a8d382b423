// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/block_descent.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/machine/threads.h"
#include "base/machine/trace.h"

namespace warpclust {
namespace {

// After two passes, OneOpt on one thread is faster: it skips vertices that
// cannot gain.
constexpr int kPasses = 2;

// Sums of weights by cluster for one vertex at a time, in a table as small as
// its row.
class ClusterSums {
 public:
  // The cluster to which v should move, or -1.
  int32_t Choose(const SignedGraph& graph, const Labels& labels, int32_t v) {
    const auto neighbors = graph.NeighborsOf(v);
    const auto weights = graph.WeightsOf(v);
    int64_t own = 0;
    int64_t outside = 0;  // Positive ones only.
    for (size_t i = 0; i < neighbors.size(); ++i) {
      const bool is_own = labels[neighbors[i]] == labels[v];
      own += is_own ? weights[i] : 0;
      outside += is_own ? 0 : std::max<int64_t>(weights[i], 0);
    }
    if (outside <= own) return -1;
    Start(neighbors.size());
    for (size_t i = 0; i < neighbors.size(); ++i) {
      const int32_t label = labels[neighbors[i]];
      if (label != labels[v]) Add(label, weights[i]);
    }
    int32_t best = -1;
    int64_t best_sum = std::max<int64_t>(own + 1, 0);
    for (const size_t s : attractive_) {
      const Slot& slot = slots_[s];
      if (slot.sum < best_sum) continue;
      if (slot.sum == best_sum && best >= 0 && slot.label > best) continue;
      best = slot.label;
      best_sum = slot.sum;
    }
    return best;
  }

 private:
  struct Slot {
    int64_t sum = 0;
    int32_t label = 0;
    uint32_t visit = 0;  // The slot is empty unless this is the present one.
    bool is_attractive = false;  // There is a positive edge.
  };

  void Start(size_t degree) {
    attractive_.clear();
    // A short row uses only the front of the table.
    bits_ = std::bit_width(2 * degree);
    const size_t size = std::max(slots_.size(), size_t{1} << bits_);
    if (++visit_ == 0 || size > slots_.size()) {
      slots_.assign(size, Slot());
      visit_ = 1;
    }
  }

  void Add(int32_t label, int64_t weight) {
    const size_t mask = (size_t{1} << bits_) - 1;
    size_t s = static_cast<size_t>(
        static_cast<uint64_t>(label) * 0x9E3779B97F4A7C15u >> (64 - bits_));
    while (slots_[s].visit == visit_ && slots_[s].label != label) {
      s = (s + 1) & mask;
    }
    Slot& slot = slots_[s];
    if (slot.visit != visit_) slot = {0, label, visit_, false};
    slot.sum += weight;
    if (weight < 0 || slot.is_attractive) return;
    slot.is_attractive = true;
    attractive_.push_back(s);
  }

  int bits_ = 0;
  uint32_t visit_ = 0;
  std::vector<Slot> slots_;
  std::vector<size_t> attractive_;
};

// A byte that several threads may set.
void Set(char* flag) {
  std::atomic_ref<char>(*flag).store(true, std::memory_order_relaxed);
}

}  // namespace

Labels DescendInBlocks(const SignedGraph& graph, const StepOptions& step,
                       int32_t block_size) {
  const TraceSpan span("descend in blocks");
  const int32_t n = graph.num_vertices();
  const int threads = ResolveThreads(step.num_threads);
  Labels labels(n);
  std::iota(labels.begin(), labels.end(), 0);
  std::vector<char> is_marked(n, true);
  std::vector<int32_t> targets(block_size);
  std::vector<ClusterSums> sums(threads);
  StopCheck check(step.control);
  for (int pass = 0; pass < kPasses; ++pass) {
    for (int64_t first = 0; first < n; first += block_size) {
      const int64_t last = std::min<int64_t>(first + block_size, n);
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(dynamic, 32)
        for (int64_t v = first; v < last; ++v) {
          targets[v - first] = is_marked[v]
                                   ? sums[omp_get_thread_num()].Choose(
                                         graph, labels, static_cast<int32_t>(v))
                                   : -1;
          is_marked[v] = false;
        }
#pragma omp for schedule(dynamic, 32)
        for (int64_t v = first; v < last; ++v) {
          if (targets[v - first] < 0) continue;
          const auto neighbors = graph.NeighborsOf(static_cast<int32_t>(v));
          auto u = std::lower_bound(neighbors.begin(), neighbors.end(), first);
          while (u != neighbors.end() && *u < v && targets[*u - first] < 0) ++u;
          if (u != neighbors.end() && *u < v) {
            Set(&is_marked[v]);
            continue;
          }
          labels[v] = targets[v - first];
          for (const int32_t w : neighbors) Set(&is_marked[w]);
        }
      }
      if (check.After(graph.offsets[last] - graph.offsets[first])) {
        return labels;
      }
    }
  }
  return labels;
}

}  // namespace warpclust
