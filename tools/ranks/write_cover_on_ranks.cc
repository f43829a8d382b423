// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/write_cover_on_ranks.h"

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "tools/ranks/rank_text.h"

namespace warpclust {
namespace {

// The clusters of some items, each item's ascending: a count per item, and the
// clusters back to back.
struct ItemClusters {
  RankLists<int32_t> counts;
  RankLists<int32_t> clusters;
};

// On rank 0, those of all items, by the rank that has them; `begins` as in
// GraphShare. Empty on the others.
ItemClusters Deal(const Cover& cover, const std::vector<int64_t>& begins,
                  const Communicator& ranks) {
  ItemClusters all;
  if (ranks.rank() > 0) {
    all.counts.offsets.assign(ranks.size() + 1, 0);
    all.clusters.offsets = all.counts.offsets;
    return all;
  }
  const int64_t num_items = begins.back();
  all.counts.offsets = begins;
  all.counts.values.resize(num_items);
  for (const int32_t item : cover.members) ++all.counts.values[item];
  std::vector<int64_t> places(num_items + 1);
  for (int64_t i = 0; i < num_items; ++i) {
    places[i + 1] = places[i] + all.counts.values[i];
  }
  all.clusters.offsets.clear();
  for (const int64_t begin : begins) {
    all.clusters.offsets.push_back(places[begin]);
  }
  all.clusters.values.resize(cover.members.size());
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    for (const int32_t item : cover.MembersOf(c)) {
      all.clusters.values[places[item]++] = c;
    }
  }
  return all;
}

}  // namespace

absl::Status WriteCoverOnRanks(const Cover& cover,
                               const std::vector<std::string>& ids,
                               ToolRun& run) {
  Communicator& ranks = run.ranks;
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   ranks.Begins(static_cast<int64_t>(ids.size())));
  const ItemClusters all = Deal(cover, begins, ranks);
  ItemClusters mine;
  ASSIGN_OR_RETURN(mine.counts, ranks.AllToAll(all.counts));
  ASSIGN_OR_RETURN(mine.clusters, ranks.AllToAll(all.clusters));
  RankText text(ranks, run.output, run.WritesParts());
  std::string line;
  size_t next = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    for (int32_t k = 0; k < mine.counts.values[i]; ++k) {
      line.clear();
      absl::StrAppend(&line, ids[i], "\t", mine.clusters.values[next++], "\n");
      text.Add(line);
    }
  }
  return text.End();
}

}  // namespace warpclust
