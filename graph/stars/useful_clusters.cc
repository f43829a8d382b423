// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/useful_clusters.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/threads.h"

namespace warpclust {
namespace {

// Below this many neighbors of centers one thread is faster than waking the
// others.
constexpr int64_t kParallelEntries = 1 << 15;

// Fewest vertices whose coverage a thread counts at a time: every center's row
// is searched once a block.
constexpr int64_t kSmallestBlock = 1 << 15;

// Not a position in the order of visits.
constexpr int32_t kNoPosition = std::numeric_limits<int32_t>::max();

// How many stars of present centers hold a vertex, and the xor of the centers'
// positions: the position itself if there is one.
struct Coverage {
  int32_t count = 0;
  int32_t positions_xor = 0;
};

// Stage 3 as a machine whose parts are the phases of useful_clusters.h. A
// center is known by its position in the order of visits.
class StarSelection {
 public:
  StarSelection(const RelevanceTable& table, std::vector<int32_t> centers,
                StarRows rows, int num_threads)
      : rows_(rows),
        num_threads_(num_threads),
        centers_(std::move(centers)),
        position_(table.num_vertices(), kNoPosition),
        coverage_(table.num_vertices()) {
    std::sort(centers_.begin(), centers_.end(), DegreeOrder{table});
    for (int32_t i = 0; i < num_centers(); ++i) position_[centers_[i]] = i;
    CountCoverage();
    CountExclusive();
  }

  UsefulClusters Run() {
    const std::vector<std::vector<int32_t>> later = LaterCenters();
    std::vector<bool> removed(num_centers(), false);
    UsefulClusters result;
    for (int32_t i = 0; i < num_centers(); ++i) {
      if (removed[i]) continue;
      const int64_t linked_begin = static_cast<int64_t>(result.linked.size());
      for (const int32_t j : later[i]) {
        // Exclusive are those held by star j alone; the rest is shared, the
        // center itself too, since star i holds it.
        const int64_t size =
            static_cast<int64_t>(rows_(centers_[j]).size()) + 1;
        if (removed[j] || size - exclusive_[j] <= exclusive_[j]) continue;
        removed[j] = true;
        Remove(j, &result.linked);
      }
      std::sort(result.linked.begin() + linked_begin, result.linked.end());
      result.centers.push_back(centers_[i]);
      result.linked_offsets.push_back(
          static_cast<int64_t>(result.linked.size()));
    }
    return result;
  }

 private:
  int32_t num_centers() const { return static_cast<int32_t>(centers_.size()); }

  void Cover(int32_t vertex, int32_t position) {
    ++coverage_[vertex].count;
    coverage_[vertex].positions_xor ^= position;
  }

  // Threads own blocks of vertices, so that no count needs an atomic.
  void CountCoverage() {
    const int64_t n = static_cast<int64_t>(coverage_.size());
    const int64_t block_size =
        num_threads_ == 1
            ? n + 1
            : std::max(kSmallestBlock, n / (4 * num_threads_) + 1);
    const int64_t num_blocks = n / block_size + 1;
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic)
    for (int64_t block = 0; block < num_blocks; ++block) {
      const int64_t begin = block * block_size;
      const int64_t end = std::min(begin + block_size, n);
      for (int32_t i = 0; i < num_centers(); ++i) {
        const absl::Span<const int32_t> row = rows_(centers_[i]);
        auto it = begin == 0 ? row.begin()
                             : std::lower_bound(row.begin(), row.end(), begin);
        for (; it != row.end() && *it < end; ++it) Cover(*it, i);
      }
      for (int64_t v = begin; v < end; ++v) {
        if (position_[v] != kNoPosition) Cover(v, position_[v]);
      }
    }
  }

  void CountExclusive() {
    exclusive_.resize(num_centers());
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 16)
    for (int32_t i = 0; i < num_centers(); ++i) {
      int64_t count = coverage_[centers_[i]].count == 1;
      for (const int32_t x : rows_(centers_[i])) {
        count += coverage_[x].count == 1;
      }
      exclusive_[i] = count;
    }
  }

  // For each center the adjacent centers visited after it, ascending; those
  // visited before are final or removed already.
  std::vector<std::vector<int32_t>> LaterCenters() const {
    std::vector<std::vector<int32_t>> later(num_centers());
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 16)
    for (int32_t i = 0; i < num_centers(); ++i) {
      for (const int32_t x : rows_(centers_[i])) {
        if (position_[x] != kNoPosition && position_[x] > i) {
          later[i].push_back(position_[x]);
        }
      }
      std::sort(later[i].begin(), later[i].end());
    }
    return later;
  }

  // Takes star j away; appends to `linked` what it alone held.
  void Remove(int32_t j, std::vector<int32_t>* linked) {
    for (const int32_t x : rows_(centers_[j])) Uncover(x, j, linked);
    Uncover(centers_[j], j, linked);
  }

  void Uncover(int32_t vertex, int32_t position, std::vector<int32_t>* linked) {
    Coverage& coverage = coverage_[vertex];
    coverage.positions_xor ^= position;
    if (--coverage.count == 0) {
      linked->push_back(vertex);
    } else if (coverage.count == 1) {
      ++exclusive_[coverage.positions_xor];
    }
  }

  const StarRows rows_;
  const int num_threads_;
  std::vector<int32_t> centers_;   // by position
  std::vector<int32_t> position_;  // by vertex
  std::vector<Coverage> coverage_;
  std::vector<int64_t> exclusive_;  // by position
};

}  // namespace

UsefulClusters SelectUsefulClusters(const RelevanceTable& table,
                                    const std::vector<int32_t>& centers,
                                    StarRows rows, int num_threads) {
  int64_t entries = 0;
  for (const int32_t center : centers) entries += table.degrees[center];
  num_threads = entries < kParallelEntries ? 1 : ResolveThreads(num_threads);
  return StarSelection(table, centers, rows, num_threads).Run();
}

}  // namespace warpclust
