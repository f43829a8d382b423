// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cover/cover.h"

#include <cstddef>
#include <limits>

#include "absl/strings/str_cat.h"

namespace warpclust {

absl::Status ValidateCover(const Cover& cover, int32_t num_items,
                           absl::string_view name) {
  const std::vector<int64_t>& offsets = cover.offsets;
  if (offsets.empty() || offsets[0] != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": offsets must start with 0"));
  }
  if (offsets.size() - 1 >
      static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": at most 2^31 - 1 clusters, found ", offsets.size() - 1));
  }
  for (size_t c = 1; c < offsets.size(); ++c) {
    if (offsets[c] < offsets[c - 1]) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": cluster ", c - 1, " ends at ", offsets[c],
                       ", before its begin ", offsets[c - 1]));
    }
  }
  if (offsets.back() != cover.num_memberships()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": offsets end at ", offsets.back(),
                     ", but there are ", cover.num_memberships(), " members"));
  }
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    int64_t previous = -1;
    for (const int32_t item : cover.MembersOf(c)) {
      if (item < 0 || item >= num_items) {
        return absl::InvalidArgumentError(
            absl::StrCat(name, ": cluster ", c, ": expected items in [0, ",
                         num_items, "), found ", item));
      }
      if (item <= previous) {
        return absl::InvalidArgumentError(
            absl::StrCat(name, ": cluster ", c,
                         ": expected strictly ascending items, found ", item,
                         " after ", previous));
      }
      previous = item;
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
