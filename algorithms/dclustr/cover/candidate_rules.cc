// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/candidate_rules.h"

#include <algorithm>

#include "graph/stars/covering.h"

namespace warpclust {
namespace {

constexpr int32_t kNoCenter = -1;

enum class InList : uint8_t { kUnknown, kYes, kNo };

// The closed form of candidate_rules.h.
class CenterUpdate {
 public:
  CenterUpdate(const RelevanceTable& table,
               absl::Span<const int32_t> old_centers,
               absl::Span<const int32_t> first, StarRows rows)
      : table_(table),
        old_centers_(old_centers),
        first_(first),
        rows_(rows),
        is_old_(table.num_vertices(), false),
        best_center_(table.num_vertices(), kNoCenter) {
    for (const int32_t center : old_centers_) {
      if (table_.degrees[center] == 0) continue;
      is_old_[center] = true;
      OfferCenter(center, center);
      for (const int32_t x : rows_(center)) OfferCenter(x, center);
    }
  }

  std::vector<int32_t> Run() {
    const int32_t n = table_.num_vertices();
    std::vector<bool> is_center(n, false), is_covered(n, false);
    for (const int32_t center : old_centers_) {
      if (!is_old_[center] || !Stays(center)) continue;
      is_center[center] = true;
      is_covered[center] = true;
      for (const int32_t x : rows_(center)) is_covered[x] = true;
    }
    for (int32_t x = 0; x < n; ++x) {
      if (is_covered[x]) continue;
      is_center[table_.degrees[x] == 0 ? x : FirstInList(x)] = true;
    }
    std::vector<int32_t> centers;
    for (int32_t v = 0; v < n; ++v) {
      if (is_center[v]) centers.push_back(v);
    }
    return centers;
  }

 private:
  void OfferCenter(int32_t x, int32_t center) {
    int32_t& best = best_center_[x];
    if (best == kNoCenter || table_.CompareRelevance(best, center) < 0) {
      best = center;
    }
  }

  // Whether a center of at least the relevance of `vertex` covers x.
  bool IsCoveredBySuchAs(int32_t x, int32_t vertex) const {
    return best_center_[x] != kNoCenter &&
           table_.CompareRelevance(best_center_[x], vertex) >= 0;
  }
  bool IsWellCovered(int32_t x) const {
    return IsCoveredBySuchAs(x, first_[x]);
  }

  // Rule 1.
  bool Stays(int32_t center) const {
    if (table_.CompareRelevance(center, first_[center]) < 0) return false;
    const absl::Span<const int32_t> row = rows_(center);
    return std::all_of(row.begin(), row.end(),
                       [&](int32_t u) { return IsWellCovered(u); });
  }

  // Rule 2, for an x that no staying center covers.
  int32_t FirstInList(int32_t x) {
    const int32_t first = first_[x];
    if (!IsWellCovered(x) || is_old_[first]) return first;
    std::vector<int32_t> ties;
    const auto offer = [&](int32_t v) {
      if (table_.CompareRelevance(v, first) == 0) ties.push_back(v);
    };
    offer(x);
    for (const int32_t v : rows_(x)) offer(v);
    std::sort(ties.begin(), ties.end(), RelevanceOrder{table_});
    // One of them is the center that covers x well.
    return *std::find_if(ties.begin(), ties.end(),
                         [&](int32_t v) { return is_old_[v] || IsInList(v); });
  }

  // Whether `v`, of relevance above 0 and not in C', is in L.
  bool IsInList(int32_t v) {
    if (in_list_.empty()) {
      in_list_.assign(table_.num_vertices(), InList::kUnknown);
    }
    if (in_list_[v] == InList::kUnknown) {
      bool is_in_list = best_center_[v] == kNoCenter;
      if (!is_in_list) {
        const absl::Span<const int32_t> row = rows_(v);
        is_in_list = std::any_of(row.begin(), row.end(), [&](int32_t u) {
          return !IsCoveredBySuchAs(u, v) ||
                 (is_old_[u] && table_.CompareRelevance(u, v) < 0);
        });
      }
      in_list_[v] = is_in_list ? InList::kYes : InList::kNo;
    }
    return in_list_[v] == InList::kYes;
  }

  const RelevanceTable& table_;
  const absl::Span<const int32_t> old_centers_;
  const absl::Span<const int32_t> first_;
  const StarRows rows_;
  std::vector<bool> is_old_;          // in C' and not isolated
  std::vector<int32_t> best_center_;  // of C', of the greatest relevance
  std::vector<InList> in_list_;       // empty until a tie asks
};

}  // namespace

std::vector<int32_t> UpdatedCenters(const RelevanceTable& table,
                                    absl::Span<const int32_t> old_centers,
                                    StarRows rows, int num_threads) {
  const std::vector<int32_t> first = FirstNeighbors(table, rows, num_threads);
  return CenterUpdate(table, old_centers, first, rows).Run();
}

}  // namespace warpclust
