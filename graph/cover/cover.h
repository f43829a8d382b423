// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Cover: clusters that may overlap, stored back to back: the result of
// overlapping clustering. A partition is a cover in which each item is in one
// cluster.
//
//   Cover cover;
//   cover.Append({0, 1, 2});
//   cover.Append({2, 3});
//   for (int32_t item : cover.MembersOf(1)) { ... }  // 2, 3

#ifndef WARPCLUST_GRAPH_COVER_COVER_H_
#define WARPCLUST_GRAPH_COVER_COVER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/numbers/num_rows.h"

namespace warpclust {

struct Cover {
  // num_clusters() + 1 entries; cluster c is [offsets[c], offsets[c + 1]).
  std::vector<int64_t> offsets = {0};
  // Items, strictly ascending inside a cluster.
  std::vector<int32_t> members;

  int32_t num_clusters() const { return NumRows(offsets.size()); }
  int64_t num_memberships() const {
    return static_cast<int64_t>(members.size());
  }
  absl::Span<const int32_t> MembersOf(int32_t cluster) const {
    return absl::MakeConstSpan(members).subspan(
        offsets[cluster], offsets[cluster + 1] - offsets[cluster]);
  }

  // Appends a cluster; `items` must ascend strictly.
  void Append(absl::Span<const int32_t> items) {
    members.insert(members.end(), items.begin(), items.end());
    offsets.push_back(static_cast<int64_t>(members.size()));
  }

  friend bool operator==(const Cover& a, const Cover& b) {
    return a.offsets == b.offsets && a.members == b.members;
  }
};

// Checks a cover over the items [0, num_items): offsets start at 0, never fall
// and end at the number of members; members ascend strictly inside a cluster.
// InvalidArgument that starts with `name` if not.
absl::Status ValidateCover(const Cover& cover, int32_t num_items,
                           absl::string_view name = "cover");

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COVER_COVER_H_
