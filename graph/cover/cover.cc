// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cover/cover.h"

#include <cstddef>
#include <limits>

#include "absl/strings/str_cat.h"

namespace warpclust {

absl::Status ValidateCover(const Cover& cover, int32_t num_items,
                           absl::string_view name) {
  const auto invalid = [&](const auto&... what) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": ", what...));
  };
  const std::vector<int64_t>& offsets = cover.offsets;
  if (offsets.empty() || offsets[0] != 0) {
    return invalid("expected offsets that start with 0");
  }
  if (offsets.size() - 1 >
      static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return invalid("expected at most 2^31 - 1 clusters, found ",
                   offsets.size() - 1);
  }
  for (size_t c = 1; c < offsets.size(); ++c) {
    if (offsets[c] < offsets[c - 1]) {
      return invalid("expected offsets that do not fall, found ", offsets[c],
                     " after ", offsets[c - 1], " in cluster ", c - 1);
    }
  }
  if (offsets.back() != cover.num_memberships()) {
    return invalid("expected offsets that end at the number of members, ",
                   cover.num_memberships(), ", found ", offsets.back());
  }
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    int64_t previous = -1;
    for (const int32_t item : cover.MembersOf(c)) {
      if (item < 0 || item >= num_items) {
        return invalid("cluster ", c, ": expected items in [0, ", num_items,
                       "), found ", item);
      }
      if (item <= previous) {
        return invalid("cluster ", c,
                       ": expected strictly ascending items, found ", item,
                       " after ", previous);
      }
      previous = item;
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
