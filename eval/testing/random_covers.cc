// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/testing/random_covers.h"

#include <algorithm>
#include <set>

namespace warpclust {

int64_t UniformBelow(int64_t bound, std::mt19937_64& random) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(bound));
}

Cover RandomSmallCover(int32_t num_items, std::mt19937_64& random) {
  std::vector<std::vector<int32_t>> clusters;
  const auto sample = [&](double share) {
    std::vector<int32_t> cluster;
    const int64_t limit = static_cast<int64_t>(share * 1000);
    for (int32_t item = 0; item < num_items; ++item) {
      if (UniformBelow(1000, random) < limit) cluster.push_back(item);
    }
    return cluster;
  };
  const int64_t count = 1 + UniformBelow(8, random);
  const int64_t kind = UniformBelow(9, random);
  if (kind <= 2) {
    // Overlapping, from sparse to dense.
    const double share = kind == 0 ? 0.1 : kind == 1 ? 0.3 : 0.7;
    for (int64_t c = 0; c < count; ++c) clusters.push_back(sample(share));
  } else if (kind == 3 || kind == 4) {
    // A partition; kind 4 leaves items out.
    clusters.resize(count);
    for (int32_t item = 0; item < num_items; ++item) {
      if (kind == 4 && UniformBelow(3, random) == 0) continue;
      clusters[UniformBelow(count, random)].push_back(item);
    }
  } else if (kind == 5) {
    for (int32_t item = 0; item < num_items; ++item) clusters.push_back({item});
  } else if (kind == 6) {
    // All items, and the same with few left out: more than half of the items.
    if (UniformBelow(2, random) == 0) clusters.push_back(sample(1));
    clusters.push_back(sample(0.85));
    clusters.push_back(sample(0.05));
  } else if (kind == 7) {
    // Duplicated and nested clusters.
    for (int64_t c = 0; c < count; ++c) {
      clusters.push_back(sample(0.4));
      clusters.push_back(clusters.back());
      clusters.push_back(clusters.back());
      clusters.back().resize(clusters.back().size() / 2);
    }
  }  // kind == 8: no clusters at all.
  Cover cover;
  for (const std::vector<int32_t>& cluster : clusters) cover.Append(cluster);
  return cover;
}

Cover Perturbed(const Cover& cover, int32_t num_items, double share,
                std::mt19937_64& random) {
  const int64_t limit = static_cast<int64_t>(share * 1000000);
  Cover result;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    std::set<int32_t> members;
    for (const int32_t item : cover.MembersOf(c)) {
      members.insert(UniformBelow(1000000, random) < limit
                         ? static_cast<int32_t>(UniformBelow(num_items, random))
                         : item);
    }
    result.Append(std::vector<int32_t>(members.begin(), members.end()));
  }
  return result;
}

Cover CoverWithSizes(int32_t num_items, const std::vector<int32_t>& sizes,
                     std::mt19937_64& random) {
  Cover cover;
  std::vector<char> taken(num_items, 0);
  std::vector<int32_t> members;
  for (const int32_t size : sizes) {
    members.clear();
    while (static_cast<int32_t>(members.size()) < std::min(size, num_items)) {
      const int32_t item =
          static_cast<int32_t>(UniformBelow(num_items, random));
      if (taken[item]) continue;
      taken[item] = 1;
      members.push_back(item);
    }
    for (const int32_t item : members) taken[item] = 0;
    std::sort(members.begin(), members.end());
    cover.Append(members);
  }
  return cover;
}

}  // namespace warpclust
