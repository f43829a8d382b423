// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/useful_clusters_from_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/types/span.h"

namespace warpclust {
namespace {

// Not a position in the order of visits.
constexpr int32_t kNoPosition = std::numeric_limits<int32_t>::max();

// No further watch.
constexpr int32_t kNoWatch = -1;

// Stars are read until their entries are this many times those of the rows of
// the uncovered vertices. A row read for one vertex serves that vertex alone,
// so stars are worth more; 4 read least on most of a dozen graphs of documents.
constexpr int64_t kStarsOverVertices = 4;

// With more entries per vertex in the rows of all centers, few rows suffice.
constexpr int64_t kManyEntriesPerVertex = 16;

// The known present centers of a vertex: how many, in the high half, and the
// xor of their positions in the low one.
using Coverage = uint64_t;
constexpr Coverage kOneStar = Coverage{1} << 32;

// Stage 3 where stars are read late or never. A center is known by its position
// in the order of visits. Invariants between steps:
//  - An exact vertex knows all its present centers. Any other vertex knows
//    those whose stars were read, at least one.
//  - exclusive_[j] is the number of exact vertices whose only center is j.
//    possible_[j] is the number of other vertices whose only known center is j:
//    they may have further ones. It is 0 if j's star was not read.
// So star j holds at least exclusive_[j] and at most exclusive_[j] +
// possible_[j] vertices alone: all others have a second center.
class LateStarSelection {
 public:
  LateStarSelection(const RelevanceTable& table, std::vector<int32_t> centers,
                    StarRows rows)
      : table_(table),
        rows_(rows),
        centers_(std::move(centers)),
        position_(table.num_vertices(), kNoPosition),
        coverage_(table.num_vertices(), 0),
        is_exact_(table.num_vertices(), 0),
        exclusive_(centers_.size(), 0),
        possible_(centers_.size(), 0),
        first_watch_(centers_.size(), kNoWatch),
        states_(centers_.size()) {
    std::sort(centers_.begin(), centers_.end(), DegreeOrder{table});
    for (int32_t i = 0; i < num_centers(); ++i) {
      position_[centers_[i]] = i;
      unread_degrees_ += table_.degrees[centers_[i]];
    }
  }

  UsefulClusters Run() {
    ReadSmallStars();
    UsefulClusters result;
    std::vector<int32_t> beside;
    for (int32_t i = 0; i < num_centers(); ++i) {
      if (states_[i].is_removed) continue;
      states_[i].is_judged = true;
      const int64_t linked_begin = static_cast<int64_t>(result.linked.size());
      FindUnjudged(i, &beside);
      for (const int32_t j : beside) {
        if (IsUseful(j)) {
          states_[j].is_judged = true;
        } else {
          Remove(j, &result.linked);
        }
      }
      std::sort(result.linked.begin() + linked_begin, result.linked.end());
      result.centers.push_back(centers_[i]);
      result.linked_offsets.push_back(
          static_cast<int64_t>(result.linked.size()));
    }
    return result;
  }

  int64_t entries_read() const { return entries_read_; }

 private:
  struct CenterState {
    bool is_read = false;
    bool is_removed = false;
    // Final: visited, or found useful, which it stays.
    bool is_judged = false;
  };

  // Exact vertices of a star that was not read, a linked list a center.
  struct Watch {
    int32_t vertex;
    int32_t next;
  };

  int32_t num_centers() const { return static_cast<int32_t>(centers_.size()); }

  absl::Span<const int32_t> ReadRow(int32_t v) {
    const absl::Span<const int32_t> row = rows_(v);
    entries_read_ += static_cast<int64_t>(row.size());
    return row;
  }

  bool HasOneUnsureCenter(int32_t x) const {
    return coverage_[x] >> 32 == 1 && !is_exact_[x];
  }

  // Notes that star j, which is being read, holds x. True if x was uncovered.
  bool Cover(int32_t x, int32_t j) {
    if (is_exact_[x]) return false;  // Known already.
    const Coverage before = coverage_[x];
    coverage_[x] = (before + kOneStar) ^ static_cast<Coverage>(j);
    if (before == 0) {
      ++possible_[j];
      return true;
    }
    if (before >> 32 == 1) --possible_[before & 0xffffffff];
    return false;
  }

  // Reads the row of center i, covers the members of its star and calls `visit`
  // for each, with whether it was uncovered before.
  template <typename Visit>
  void ReadStar(int32_t i, Visit visit) {
    const int32_t center = centers_[i];
    const bool is_first_time = !states_[i].is_read;
    states_[i].is_read = true;
    if (is_first_time) unread_degrees_ -= table_.degrees[center];
    for (const int32_t x : ReadRow(center)) {
      visit(x, is_first_time && Cover(x, i));
    }
    visit(center, is_first_time && Cover(center, i));
  }

  // From the last center up: smallest degrees first.
  void ReadSmallStars() {
    int64_t uncovered_degrees = 0;
    for (const int32_t degree : table_.degrees) uncovered_degrees += degree;
    int32_t i = num_centers();
    while (i > 0 && entries_read_ <= kStarsOverVertices * uncovered_degrees) {
      ReadStar(--i, [&](int32_t x, bool is_first) {
        if (is_first) uncovered_degrees -= table_.degrees[x];
      });
    }
    if (i == 0) return BecomeExact();
    for (int32_t x = 0; x < table_.num_vertices(); ++x) {
      if (coverage_[x] == 0) MakeExact(x);
    }
  }

  // Every present star is read, so all vertices know all their centers.
  void BecomeExact() {
    std::fill(is_exact_.begin(), is_exact_.end(), 1);
    for (int32_t j = 0; j < num_centers(); ++j) {
      exclusive_[j] += std::exchange(possible_[j], 0);
    }
  }

  void ReadPresentStars() {
    for (int32_t j = 0; j < num_centers(); ++j) {
      if (states_[j].is_removed || states_[j].is_read) continue;
      ReadStar(j, [](int32_t, bool) {});
    }
    BecomeExact();
  }

  // Reads the row of x, which must not be exact.
  void MakeExact(int32_t x) {
    if (HasOneUnsureCenter(x)) --possible_[coverage_[x] & 0xffffffff];
    is_exact_[x] = 1;
    Coverage coverage = 0;
    const auto hold = [&](int32_t u) {
      const int32_t j = position_[u];
      if (j == kNoPosition || states_[j].is_removed) return;
      coverage = (coverage + kOneStar) ^ static_cast<Coverage>(j);
      if (states_[j].is_read) return;
      watches_.push_back({x, first_watch_[j]});
      first_watch_[j] = static_cast<int32_t>(watches_.size()) - 1;
    };
    for (const int32_t u : ReadRow(x)) hold(u);
    hold(x);
    coverage_[x] = coverage;
    if (coverage >> 32 == 1) ++exclusive_[coverage & 0xffffffff];
  }

  // Makes `undecided_` exact: by their rows or, if all such rows so far cost
  // more, by the present stars that are unread.
  void MakeUndecidedExact() {
    for (const int32_t x : undecided_) spent_degrees_ += table_.degrees[x];
    if (undecided_.empty()) return;
    if (unread_degrees_ <= spent_degrees_) return ReadPresentStars();
    for (const int32_t x : undecided_) MakeExact(x);
  }

  // Positions of the neighbors of center i that are centers and not judged yet,
  // ascending. All come after it.
  void FindUnjudged(int32_t i, std::vector<int32_t>* positions) {
    positions->clear();
    ReadStar(i, [&](int32_t x, bool) {
      const int32_t j = position_[x];
      if (j == kNoPosition || states_[j].is_removed || states_[j].is_judged) {
        return;
      }
      positions->push_back(j);
    });
    std::sort(positions->begin(), positions->end());
  }

  // Whether star j holds alone at least half of its vertices.
  bool IsUseful(int32_t j) {
    const int32_t center = centers_[j];
    const int64_t size = int64_t{table_.degrees[center]} + 1;
    if (2 * exclusive_[j] >= size) return true;
    if (2 * (exclusive_[j] + possible_[j]) < size) return false;
    undecided_.clear();
    ReadStar(j, [&](int32_t x, bool) {
      if (HasOneUnsureCenter(x)) undecided_.push_back(x);
    });
    MakeUndecidedExact();
    return 2 * exclusive_[j] >= size;
  }

  // Removes star j; appends to `linked` the vertices that it alone held.
  void Remove(int32_t j, std::vector<int32_t>* linked) {
    states_[j].is_removed = true;
    if (!states_[j].is_read) {
      unread_degrees_ -= table_.degrees[centers_[j]];
      for (int32_t w = first_watch_[j]; w != kNoWatch; w = watches_[w].next) {
        if (Uncover(watches_[w].vertex, j)) {
          linked->push_back(watches_[w].vertex);
        }
      }
      return;
    }
    undecided_.clear();
    ReadStar(j, [&](int32_t x, bool) {
      if (!Uncover(x, j)) return;
      if (is_exact_[x]) {
        linked->push_back(x);
      } else {
        undecided_.push_back(x);
      }
    });
    MakeUndecidedExact();
    for (const int32_t x : undecided_) {
      if (coverage_[x] == 0) linked->push_back(x);
    }
  }

  // Forgets center j of x. True if x then knows no center.
  bool Uncover(int32_t x, int32_t j) {
    const Coverage left = (coverage_[x] - kOneStar) ^ static_cast<Coverage>(j);
    coverage_[x] = left;
    if (left >> 32 == 1) {
      ++(is_exact_[x] ? exclusive_ : possible_)[left & 0xffffffff];
    }
    // Of a vertex that is not exact, j was possibly the only center.
    return left < kOneStar;
  }

  const RelevanceTable& table_;
  const StarRows rows_;
  std::vector<int32_t> centers_;   // by position
  std::vector<int32_t> position_;  // by vertex
  std::vector<Coverage> coverage_;
  std::vector<uint8_t> is_exact_;   // by vertex
  std::vector<int64_t> exclusive_;  // by position
  std::vector<int64_t> possible_;   // by position
  std::vector<int32_t> first_watch_;
  std::vector<Watch> watches_;
  std::vector<CenterState> states_;  // by position
  std::vector<int32_t> undecided_;
  // Of the present stars that were not read.
  int64_t unread_degrees_ = 0;
  // Of the vertices that were undecided.
  int64_t spent_degrees_ = 0;
  int64_t entries_read_ = 0;
};

}  // namespace

UsefulClusters SelectUsefulClustersFromRows(const RelevanceTable& table,
                                            const std::vector<int32_t>& centers,
                                            StarRows rows,
                                            int64_t* entries_read) {
  LateStarSelection selection(table, centers, rows);
  UsefulClusters result = selection.Run();
  if (entries_read != nullptr) *entries_read += selection.entries_read();
  return result;
}

bool FewRowsSuffice(const RelevanceTable& table,
                    const std::vector<int32_t>& centers) {
  int64_t entries = 0;
  for (const int32_t center : centers) entries += table.degrees[center];
  return entries > kManyEntriesPerVertex * table.num_vertices();
}

}  // namespace warpclust
