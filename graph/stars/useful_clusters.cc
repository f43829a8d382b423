// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/useful_clusters.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/types/span.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// Below this many neighbors of centers one thread is faster than waking the
// others.
constexpr int64_t kParallelEntries = 1 << 15;

// Fewest vertices whose coverage a thread counts at a time: every center's row
// is searched once a block.
constexpr int64_t kSmallestBlock = 1 << 15;

// A search in a row costs about as much as counting this many entries.
constexpr int64_t kEntriesPerSearch = 10;

// Not a position in the order of visits.
constexpr int32_t kNoPosition = std::numeric_limits<int32_t>::max();

// How many stars of present centers hold a vertex, in the high half, and the
// xor of the centers' positions in the low one: the position itself if there is
// one center. A word each, since rows of centers hit these at random.
using Coverage = uint64_t;
constexpr Coverage kOneStar = Coverage{1} << 32;

uint32_t NumStars(Coverage coverage) { return coverage >> 32; }
uint32_t PositionsXor(Coverage coverage) { return coverage & 0xffffffff; }

// Stage 3 as a machine whose parts are the phases of useful_clusters.h. A
// center is known by its position in the order of visits.
class StarSelection {
 public:
  StarSelection(const RelevanceTable& table, std::vector<int32_t> centers,
                StarRows rows, int64_t num_entries, int num_threads)
      : table_(table),
        rows_(rows),
        num_entries_(num_entries),
        num_threads_(num_threads),
        centers_(std::move(centers)),
        position_(table.num_vertices(), kNoPosition),
        coverage_(table.num_vertices()),
        exclusive_(centers_.size()),
        is_doubtful_(table.num_vertices()),
        is_removed_(centers_.size()) {
    std::sort(centers_.begin(), centers_.end(), DegreeOrder{table});
    for (int32_t i = 0; i < num_centers(); ++i) position_[centers_[i]] = i;
    CountCoverage();
    CountExclusive();
  }

  UsefulClusters Run() {
    UsefulClusters result;
    std::vector<int32_t> beside;
    for (int32_t i = 0; i < num_centers(); ++i) {
      if (is_removed_[i]) continue;
      const int64_t linked_begin = static_cast<int64_t>(result.linked.size());
      SettleDoubt(centers_[i]);
      FindDoubtful(centers_[i], &beside);
      for (const int32_t j : beside) {
        SettleDoubt(centers_[j]);
        if (IsUseful(j)) continue;
        is_removed_[j] = true;
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

  // Threads own blocks of vertices, so that no count needs an atomic.
  void CountCoverage() {
    const int64_t n = static_cast<int64_t>(coverage_.size());
    int64_t block_size =
        num_threads_ == 1
            ? n + 1
            : std::max(kSmallestBlock, n / (4 * num_threads_) + 1);
    int64_t num_blocks = n / block_size + 1;
    // On short rows the searches would cost more than threads save.
    if (kEntriesPerSearch * num_blocks * num_centers() > num_entries_) {
      block_size = n + 1;
      num_blocks = 1;
    }
#pragma omp parallel for if (num_blocks > 1) num_threads(num_threads_) \
    schedule(dynamic)
    for (int64_t block = 0; block < num_blocks; ++block) {
      const int64_t begin = block * block_size;
      const int64_t end = std::min(begin + block_size, n);
      for (int32_t i = 0; i < num_centers(); ++i) {
        absl::Span<const int32_t> row = rows_(centers_[i]);
        if (num_blocks > 1) {
          const auto first = std::lower_bound(row.begin(), row.end(), begin);
          row = absl::MakeConstSpan(first,
                                    std::lower_bound(first, row.end(), end));
        }
        for (const int32_t x : row) Cover(x, i);
      }
      for (int64_t v = begin; v < end; ++v) {
        if (position_[v] != kNoPosition) Cover(v, position_[v]);
      }
    }
  }

  void Cover(int32_t vertex, int32_t position) {
    coverage_[vertex] = (coverage_[vertex] + kOneStar) ^ position;
  }

  // Counts what each star holds alone, then finds the stars that may be
  // useless. All others stay useful: a removal only adds to what other stars
  // hold alone.
  void CountExclusive() {
    for (const Coverage coverage : coverage_) {
      if (NumStars(coverage) == 1) ++exclusive_[PositionsXor(coverage)];
    }
    for (int32_t i = 0; i < num_centers(); ++i) {
      if (IsUseful(i)) continue;
      is_doubtful_[centers_[i]] = 1;
      ++num_doubtful_;
    }
  }

  // Vertices held by star i alone are exclusive, all others are shared. Center
  // i is shared too when a neighboring center asks, whose star holds it.
  bool IsUseful(int32_t i) const {
    const int64_t size = int64_t{table_.degrees[centers_[i]]} + 1;
    return size - exclusive_[i] <= exclusive_[i];
  }

  void SettleDoubt(int32_t center) {
    num_doubtful_ -= is_doubtful_[center];
    is_doubtful_[center] = 0;
  }

  // Positions of the doubtful neighbors of `center`, ascending. All come after
  // it: earlier centers were visited or removed.
  void FindDoubtful(int32_t center, std::vector<int32_t>* positions) const {
    positions->clear();
    if (num_doubtful_ == 0) return;
    for (const int32_t x : rows_(center)) {
      if (is_doubtful_[x]) positions->push_back(position_[x]);
    }
    std::sort(positions->begin(), positions->end());
  }

  // Removes star j; appends to `linked` the vertices that it alone held.
  void Remove(int32_t j, std::vector<int32_t>* linked) {
    for (const int32_t x : rows_(centers_[j])) Uncover(x, j, linked);
    Uncover(centers_[j], j, linked);
  }

  void Uncover(int32_t vertex, int32_t position, std::vector<int32_t>* linked) {
    const Coverage left = (coverage_[vertex] - kOneStar) ^ position;
    coverage_[vertex] = left;
    if (left >= 2 * kOneStar) return;
    if (left < kOneStar) {
      linked->push_back(vertex);
    } else {
      ++exclusive_[PositionsXor(left)];
    }
  }

  const RelevanceTable& table_;
  const StarRows rows_;
  const int64_t num_entries_;  // of the rows of all centers
  const int num_threads_;
  std::vector<int32_t> centers_;   // by position
  std::vector<int32_t> position_;  // by vertex
  std::vector<Coverage> coverage_;
  std::vector<int64_t> exclusive_;  // by position
  // By vertex, in bytes since they are read most: unvisited centers that were
  // not useful at first and that no neighbor has judged. One judgement is
  // enough: a star that is useful then stays useful.
  std::vector<uint8_t> is_doubtful_;
  int32_t num_doubtful_ = 0;
  std::vector<bool> is_removed_;  // by position
};

}  // namespace

UsefulClusters SelectUsefulClusters(const RelevanceTable& table,
                                    const std::vector<int32_t>& centers,
                                    StarRows rows, int num_threads) {
  int64_t entries = 0;
  for (const int32_t center : centers) entries += table.degrees[center];
  num_threads = entries < kParallelEntries ? 1 : ResolveThreads(num_threads);
  return StarSelection(table, centers, rows, entries, num_threads).Run();
}

}  // namespace warpclust
