// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/labels.h"

#include <cstddef>
#include <limits>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::StatusOr<Cover> CoverFromLabels(absl::Span<const int32_t> labels) {
  if (labels.size() >
      static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at most 2^31 - 1 labels, found ", labels.size()));
  }
  absl::flat_hash_map<int32_t, int32_t> cluster_of_label;
  std::vector<int32_t> cluster_of(labels.size(), -1);
  Cover cover;
  for (size_t item = 0; item < labels.size(); ++item) {
    if (labels[item] < 0) continue;
    const auto [it, is_new] = cluster_of_label.try_emplace(
        labels[item], static_cast<int32_t>(cluster_of_label.size()));
    if (is_new) cover.offsets.push_back(0);
    cluster_of[item] = it->second;
    ++cover.offsets[it->second + 1];
  }
  for (size_t c = 1; c < cover.offsets.size(); ++c) {
    cover.offsets[c] += cover.offsets[c - 1];
  }
  cover.members.resize(cover.offsets.back());
  std::vector<int64_t> next(cover.offsets.begin(), cover.offsets.end() - 1);
  for (size_t item = 0; item < labels.size(); ++item) {
    if (cluster_of[item] < 0) continue;
    cover.members[next[cluster_of[item]]++] = static_cast<int32_t>(item);
  }
  return cover;
}

}  // namespace warpclust
