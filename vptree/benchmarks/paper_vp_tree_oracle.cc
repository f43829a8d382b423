// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "vptree/benchmarks/paper_vp_tree.h"

namespace warpclust {
namespace {

class Builder {
 public:
  Builder(const PointMatrix& points, Norm norm) : points_(points), norm_(norm) {
    const int32_t n = points.num_points;
    while ((int64_t{32} << tree_.height) < n) ++tree_.height;
    const int32_t inner = (int32_t{1} << tree_.height) - 1;
    tree_.vantage_ids.resize(inner);
    tree_.radius_keys.resize(inner);
  }

  PaperVpTree Build() {
    std::vector<int32_t> ids(points_.num_points);
    std::iota(ids.begin(), ids.end(), 0);
    if (tree_.height > 0) {
      std::vector<int32_t> sorted = ids;
      Sort(/*vantage=*/0, &sorted);
      Recurse(std::move(ids), 0, 0, sorted.back());
    } else {
      tree_.order = std::move(ids);
    }
    return std::move(tree_);
  }

 private:
  float Key(int32_t id, int32_t vantage) const {
    return static_cast<float>(DistanceKey(
        norm_, points_.Row(id), points_.Row(vantage), points_.num_dimensions));
  }

  void Sort(int32_t vantage, std::vector<int32_t>* ids) const {
    std::stable_sort(ids->begin(), ids->end(), [&](int32_t a, int32_t b) {
      return Key(a, vantage) < Key(b, vantage);
    });
  }

  void Recurse(std::vector<int32_t> ids, int32_t node, int32_t level,
               int32_t vantage) {
    if (level == tree_.height) {
      tree_.order.insert(tree_.order.end(), ids.begin(), ids.end());
      return;
    }
    Sort(vantage, &ids);
    const size_t mid = ids.size() / 2;
    tree_.vantage_ids[node] = vantage;
    tree_.radius_keys[node] = Key(ids[mid], vantage);
    const int32_t at_mid = ids[mid];
    const int32_t last = ids.back();
    Recurse({ids.begin(), ids.begin() + mid}, 2 * node + 1, level + 1, at_mid);
    Recurse({ids.begin() + mid, ids.end()}, 2 * node + 2, level + 1, last);
  }

  const PointMatrix& points_;
  const Norm norm_;
  PaperVpTree tree_;
};

}  // namespace

PaperVpTree PaperVpTreeOracle(const PointMatrix& points, Norm norm) {
  return Builder(points, norm).Build();
}

}  // namespace warpclust
