// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Cover: clusters that may overlap, stored back to back. What overlapping
// clustering returns and what `eval` compares; a partition is a cover in which
// each item is in exactly one cluster.
//
// Thread-safety: a plain value; concurrent reads are safe.

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
  // Item ids, ascending inside a cluster, each at most once in a cluster.
  std::vector<int32_t> members;

  int32_t num_clusters() const { return NumRows(offsets.size()); }
  int64_t num_memberships() const {
    return static_cast<int64_t>(members.size());
  }
  absl::Span<const int32_t> MembersOf(int32_t cluster) const {
    return absl::MakeConstSpan(members).subspan(
        offsets[cluster], offsets[cluster + 1] - offsets[cluster]);
  }

  // Appends a cluster; `items` must be ascending without repeats.
  void Append(absl::Span<const int32_t> items) {
    members.insert(members.end(), items.begin(), items.end());
    offsets.push_back(static_cast<int64_t>(members.size()));
  }

  friend bool operator==(const Cover& a, const Cover& b) {
    return a.offsets == b.offsets && a.members == b.members;
  }
};

// OK if `cover` is well formed over the items [0, num_items): offsets start at
// 0, never fall and end at the number of members; members ascend strictly
// inside a cluster. Otherwise InvalidArgument that starts with `name`. For
// covers from elsewhere.
absl::Status ValidateCover(const Cover& cover, int32_t num_items,
                           absl::string_view name = "cover");

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COVER_COVER_H_
