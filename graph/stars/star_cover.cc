// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/star_cover.h"

#include <algorithm>
#include <numeric>

#include "base/machine/threads.h"

namespace warpclust {
namespace {

// Below this many memberships one thread is faster than waking the others.
[[maybe_unused]] constexpr int64_t kParallelWrites = 1 << 15;

// Merges {center}, its row and its linked vertices, all disjoint and ascending,
// to `out`.
void WriteMembers(int32_t center, absl::Span<const int32_t> row,
                  absl::Span<const int32_t> linked, int32_t* out) {
  int32_t* const end =
      std::merge(row.begin(), row.end(), linked.begin(), linked.end(), out);
  int32_t* const place = std::lower_bound(out, end, center);
  std::copy_backward(place, end, end + 1);
  *place = center;
}

}  // namespace

StarCover MakeStarCover(const UsefulClusters& useful, StarRows rows,
                        int num_threads) {
  num_threads = ResolveThreads(num_threads);
  StarCover result;
  const int32_t num_clusters = static_cast<int32_t>(useful.centers.size());
  const auto linked_of = [&](int32_t i) {
    return absl::MakeConstSpan(useful.linked)
        .subspan(useful.linked_offsets[i],
                 useful.linked_offsets[i + 1] - useful.linked_offsets[i]);
  };
  std::vector<int32_t> first_members(num_clusters);
  std::vector<int32_t> order(num_clusters);
  std::iota(order.begin(), order.end(), 0);
  for (int32_t i = 0; i < num_clusters; ++i) {
    int32_t first = useful.centers[i];
    const absl::Span<const int32_t> row = rows(first);
    const absl::Span<const int32_t> linked = linked_of(i);
    if (!row.empty()) first = std::min(first, row.front());
    if (!linked.empty()) first = std::min(first, linked.front());
    first_members[i] = first;
  }
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    if (first_members[a] != first_members[b]) {
      return first_members[a] < first_members[b];
    }
    return useful.centers[a] < useful.centers[b];
  });

  result.linked.reserve(useful.linked.size());
  for (const int32_t i : order) {
    const int32_t center = useful.centers[i];
    const absl::Span<const int32_t> linked = linked_of(i);
    const int64_t degree = static_cast<int64_t>(rows(center).size());
    result.centers.push_back(center);
    result.num_satellites.push_back(static_cast<int32_t>(degree));
    result.linked.insert(result.linked.end(), linked.begin(), linked.end());
    result.linked_offsets.push_back(static_cast<int64_t>(result.linked.size()));
    result.cover.offsets.push_back(result.cover.offsets.back() + degree + 1 +
                                   static_cast<int64_t>(linked.size()));
  }
  result.cover.members.resize(result.cover.offsets.back());
#pragma omp parallel for if (result.cover.num_memberships() > kParallelWrites) \
    num_threads(num_threads) schedule(dynamic, 16)
  for (int32_t c = 0; c < num_clusters; ++c) {
    const int32_t center = result.centers[c];
    WriteMembers(center, rows(center), result.LinkedOf(c),
                 result.cover.members.data() + result.cover.offsets[c]);
  }
  return result;
}

}  // namespace warpclust
