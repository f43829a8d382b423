// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Bisection: which rank owns a point, by recursive bisection of a sample that
// all ranks have.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_BISECTION_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_BISECTION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/cuda/bisection_node.h"

namespace warpclust {

// Points of all ranks, and where they are split: at the quantile of the widest
// dimension, equal coordinates by number.
class Bisection {
 public:
  Bisection(const std::vector<double>& rows,
            const std::vector<int32_t>& numbers, int32_t num_dimensions,
            int num_ranks)
      : rows_(rows), numbers_(numbers), d_(num_dimensions) {
    std::vector<int32_t> points(numbers.size());
    std::iota(points.begin(), points.end(), 0);
    Split(0, num_ranks, absl::MakeSpan(points));
  }

  // By OwnerOf.
  absl::Span<const BisectionNode> nodes() const { return nodes_; }

 private:
  double At(int32_t point, int32_t k) const {
    return rows_[static_cast<size_t>(point) * d_ + k];
  }

  int32_t WidestDimension(absl::Span<const int32_t> points) const {
    int32_t widest = 0;
    double width = -1;
    for (int32_t k = 0; k < d_; ++k) {
      double low = std::numeric_limits<double>::infinity();
      double high = -std::numeric_limits<double>::infinity();
      for (const int32_t point : points) {
        low = std::min(low, At(point, k));
        high = std::max(high, At(point, k));
      }
      if (high - low > width) {
        width = high - low;
        widest = k;
      }
    }
    return widest;
  }

  // For ranks [begin, end). Returns the number of the node.
  int32_t Split(int begin, int end, absl::Span<int32_t> points) {
    const auto number = static_cast<int32_t>(nodes_.size());
    nodes_.emplace_back();
    BisectionNode node;
    node.rank = begin;
    // Without sampled points, one rank takes what may come.
    if (end - begin > 1 && !points.empty()) {
      const int middle = begin + (end - begin) / 2;
      const size_t place = points.size() * (middle - begin) / (end - begin);
      const int32_t k = WidestDimension(points);
      std::nth_element(points.begin(), points.begin() + place, points.end(),
                       [&](int32_t a, int32_t b) {
                         return At(a, k) != At(b, k)
                                    ? At(a, k) < At(b, k)
                                    : numbers_[a] < numbers_[b];
                       });
      node.dimension = k;
      node.x = At(points[place], k);
      node.number = numbers_[points[place]];
      node.left = Split(begin, middle, points.first(place));
      node.right = Split(middle, end, points.subspan(place));
    }
    nodes_[number] = node;
    return number;
  }

  const std::vector<double>& rows_;
  const std::vector<int32_t>& numbers_;
  const int32_t d_;
  std::vector<BisectionNode> nodes_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_BISECTION_H_
