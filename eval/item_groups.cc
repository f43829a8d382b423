// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/item_groups.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust::eval_internal {
namespace {

// Splits the groups of `group_of` so that no group has items inside and outside
// a cluster of `cover`. One pass: the members of a group that are in the
// current cluster move to a new group, kept in `child_of` for this cluster.
void SplitByClusters(const Cover& cover, std::vector<int64_t>& group_of,
                     std::vector<int64_t>& size_of) {
  std::vector<int64_t> child_of(size_of.size(), -1);
  std::vector<int64_t> touched;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    touched.clear();
    for (const int32_t item : cover.MembersOf(c)) {
      const int64_t old_group = group_of[item];
      if (child_of[old_group] < 0) {
        touched.push_back(old_group);
        child_of[old_group] = static_cast<int64_t>(size_of.size());
        size_of.push_back(0);
        child_of.push_back(-1);
      }
      const int64_t new_group = child_of[old_group];
      --size_of[old_group];
      ++size_of[new_group];
      group_of[item] = new_group;
    }
    for (const int64_t group : touched) child_of[group] = -1;
  }
}

// `first_item[g]` stands for all items of group g.
GroupedCover GroupCover(const Cover& cover, absl::Span<const int32_t> group_of,
                        absl::Span<const int32_t> first_item) {
  GroupedCover result;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    const absl::Span<const int32_t> members = cover.MembersOf(c);
    if (members.empty()) continue;
    // Ascending items meet the first items of groups in ascending group order.
    for (const int32_t item : members) {
      if (first_item[group_of[item]] == item) {
        result.cluster_groups.push_back(group_of[item]);
      }
    }
    result.cluster_offsets.push_back(
        static_cast<int64_t>(result.cluster_groups.size()));
    result.cluster_sizes.push_back(static_cast<int32_t>(members.size()));
  }

  result.group_offsets.assign(first_item.size() + 1, 0);
  for (const int32_t group : result.cluster_groups) {
    ++result.group_offsets[group + 1];
  }
  for (size_t g = 0; g < first_item.size(); ++g) {
    result.group_offsets[g + 1] += result.group_offsets[g];
  }
  result.group_clusters.resize(result.cluster_groups.size());
  std::vector<int64_t> next(result.group_offsets.begin(),
                            result.group_offsets.end() - 1);
  for (int32_t c = 0; c < result.num_clusters(); ++c) {
    for (const int32_t group : result.GroupsOf(c)) {
      result.group_clusters[next[group]++] = c;
    }
  }
  return result;
}

}  // namespace

absl::StatusOr<ItemGroups> GroupItems(const Cover& truth, const Cover& clusters,
                                      int32_t num_items, int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  if (num_items < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "number of items: expected at least 0, found ", num_items));
  }
  RETURN_IF_ERROR(ValidateCover(truth, num_items, "truth"));
  RETURN_IF_ERROR(ValidateCover(clusters, num_items, "clusters"));

  ItemGroups result;
  result.num_items = num_items;
  std::vector<int32_t> group_of(num_items);
  std::vector<int32_t> first_item;
  {
    std::vector<int64_t> split_group(num_items, 0);
    std::vector<int64_t> size_of = {num_items};
    SplitByClusters(truth, split_group, size_of);
    SplitByClusters(clusters, split_group, size_of);
    std::vector<int32_t> number(size_of.size(), -1);
    for (int32_t item = 0; item < num_items; ++item) {
      int32_t& group = number[split_group[item]];
      if (group < 0) {
        group = static_cast<int32_t>(first_item.size());
        first_item.push_back(item);
        result.weights.push_back(
            static_cast<int32_t>(size_of[split_group[item]]));
      }
      group_of[item] = group;
    }
  }
  result.truth = GroupCover(truth, group_of, first_item);
  result.clusters = GroupCover(clusters, group_of, first_item);
  return result;
}

}  // namespace warpclust::eval_internal
