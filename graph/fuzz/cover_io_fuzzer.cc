// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a cover: what is read keeps the promises of Cover, and what the
// writer makes of it is read back, and then written the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "graph/cover/cover.h"
#include "graph/io/cover_io.h"
#include "graph/io/id_map.h"

namespace {

absl::StatusOr<warpclust::NamedCover> Read(std::string text,
                                           warpclust::IdMap* ids) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::move(text));
  return warpclust::ReadCover(lines, ids);
}

bool KeepsPromises(const warpclust::NamedCover& named, int32_t num_items) {
  const warpclust::Cover& cover = named.cover;
  const std::set<std::string> names(named.cluster_names.begin(),
                                    named.cluster_names.end());
  if (static_cast<int32_t>(names.size()) != cover.num_clusters() ||
      named.cluster_names.size() != names.size() || cover.offsets[0] != 0 ||
      cover.offsets.back() != cover.num_memberships()) {
    return false;
  }
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    if (cover.offsets[c] >= cover.offsets[c + 1]) return false;
    int32_t previous = -1;
    for (const int32_t item : cover.MembersOf(c)) {
      if (item <= previous || item >= num_items) return false;
      previous = item;
    }
  }
  return true;
}

std::set<std::vector<int32_t>> ClusterSet(const warpclust::Cover& cover) {
  std::set<std::vector<int32_t>> clusters;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    const auto members = cover.MembersOf(c);
    clusters.emplace(members.begin(), members.end());
  }
  return clusters;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpclust::IdMap ids;
  const absl::StatusOr<warpclust::NamedCover> read =
      Read(std::string(reinterpret_cast<const char*>(data), size), &ids);
  if (!read.ok()) return 0;
  if (!KeepsPromises(*read, ids.size())) std::abort();

  std::string json;
  if (!warpclust::WriteCoverJson(read->cover, ids.names(),
                                 [&](absl::string_view piece) {
                                   json.append(piece.data(), piece.size());
                                 })
           .ok()) {
    std::abort();
  }
  std::string text;
  const auto write = [&](absl::string_view piece) {
    text.append(piece.data(), piece.size());
  };
  const absl::Status written =
      warpclust::WriteCoverTsv(read->cover, ids.names(), write);
  if (!written.ok()) {
    if (!absl::IsInvalidArgument(written)) std::abort();
    return 0;
  }
  warpclust::IdMap ids_again;
  const absl::StatusOr<warpclust::NamedCover> again = Read(text, &ids_again);
  if (!again.ok() || ids_again.names() != ids.names()) std::abort();
  if (again->cover.num_clusters() != read->cover.num_clusters() ||
      ClusterSet(again->cover) != ClusterSet(read->cover)) {
    std::abort();
  }
  const std::string first = std::exchange(text, "");
  if (!warpclust::WriteCoverTsv(again->cover, ids_again.names(), write).ok() ||
      text != first) {
    std::abort();
  }
  return 0;
}
