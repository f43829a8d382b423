// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/write_cover_on_ranks.h"

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Text that travels at a time.
constexpr size_t kPieceBytes = 4 << 20;

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

// Calls `use` with the lines, some at a time.
absl::Status FormatLines(
    const ItemClusters& mine, const std::vector<std::string>& ids,
    absl::FunctionRef<absl::Status(absl::string_view)> use) {
  std::string text;
  size_t next = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    for (int32_t k = 0; k < mine.counts.values[i]; ++k) {
      absl::StrAppend(&text, ids[i], "\t", mine.clusters.values[next++], "\n");
    }
    if (text.size() < kPieceBytes) continue;
    RETURN_IF_ERROR(use(text));
    text.clear();
  }
  return use(text);
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
  const auto write = [&](absl::string_view text) {
    run.output.Write(text);
    return absl::OkStatus();
  };
  if (ranks.rank() == 0 || run.WritesParts()) {
    RETURN_IF_ERROR(FormatLines(mine, ids, write));
    if (run.WritesParts()) return absl::OkStatus();
  }
  // To rank 0, rank by rank; an empty piece is the last.
  constexpr int kNobody = Communicator::kNobody;
  if (ranks.rank() > 0) {
    const auto send = [&](absl::string_view text) {
      return text.empty()
                 ? absl::OkStatus()
                 : ranks.SendReceiveAll<char>(text, 0, kNobody).status();
    };
    RETURN_IF_ERROR(FormatLines(mine, ids, send));
    return ranks.SendReceiveAll<char>({}, 0, kNobody).status();
  }
  for (int r = 1; r < ranks.size(); ++r) {
    while (true) {
      ASSIGN_OR_RETURN(const std::vector<char> text,
                       ranks.SendReceiveAll<char>({}, kNobody, r));
      if (text.empty()) break;
      run.output.Write(absl::string_view(text.data(), text.size()));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
