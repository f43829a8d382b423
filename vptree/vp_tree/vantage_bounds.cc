// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/vp_tree/vantage_bounds.h"

#include <algorithm>
#include <cmath>

#include "vptree/leaf_tree/leaf_tree_split.h"

namespace warpclust {
namespace {

// Smaller subtrees are not worth a task.
constexpr int32_t kTaskPoints = 2048;

class Builder {
 public:
  Builder(const PointMatrix& points, Norm norm, int32_t height,
          VantageBounds* bounds)
      : points_(points),
        norm_(norm),
        n_(points.num_points),
        height_(height),
        elements_(n_),
        splitter_(n_),
        bounds_(bounds) {}

  std::vector<int32_t> Build(int num_threads) {
    ResizeBounds(height_, points_.num_dimensions, bounds_);
    std::vector<int32_t> ids(n_);
    for (int32_t i = 0; i < n_; ++i) elements_[i].id = i;
    if (height_ > 0 && n_ > 0) {
#pragma omp parallel num_threads(num_threads)
#pragma omp single
      DivideAll(num_threads);
    }
    for (int32_t i = 0; i < n_; ++i) ids[i] = elements_[i].id;
    return ids;
  }

 private:
  void SetDistances(const double* from, int32_t begin, int32_t end,
                    int num_threads) {
    const int32_t dimensions = points_.num_dimensions;
    const bool in_tasks = num_threads > 1 && end - begin >= 8 * kTaskPoints;
    if (!in_tasks) {
      for (int32_t i = begin; i < end; ++i) {
        elements_[i].value = VantageDistance(
            norm_, from, points_.Row(elements_[i].id), dimensions);
      }
      return;
    }
    for (int32_t first = begin; first < end; first += kTaskPoints) {
#pragma omp task
      SetDistances(from, first, std::min(end, first + kTaskPoints), 1);
    }
#pragma omp taskwait
  }

  void DivideAll(int num_threads) {
    SetDistances(points_.Row(0), 0, n_, num_threads);
    const int32_t root =
        std::max_element(elements_.begin(), elements_.end())->id;
    Divide(0, 0, root, num_threads);
  }

  // Handles node j of a level, around the point `vantage`.
  void Divide(int32_t level, int32_t j, int32_t vantage, int num_threads) {
    const int32_t node = (int32_t{1} << level) - 1 + j;
    const int32_t begin = FirstPosition(n_, level, j);
    const int32_t end = FirstPosition(n_, level, j + 1);
    const int32_t middle = FirstPosition(n_, level + 1, 2 * j + 1);
    if (begin == end) return;
    const double* from = points_.Row(vantage);
    SetDistances(from, begin, end, num_threads);
    const auto first = elements_.begin();
    const auto ends = std::minmax_element(first + begin, first + end);
    // The farthest point is also the farthest of its half.
    const ValueAndId nearest = *ends.first;
    const ValueAndId farthest = *ends.second;
    const SplitPivot pivot = Splitter<ValueAndId>::Split(
        elements_.data() + begin, end - begin, middle - begin,
        [](const ValueAndId& element) { return element.value; }, nearest.value,
        farthest.value, splitter_.ScratchOf(begin, end - begin));
    std::copy_n(from, points_.num_dimensions,
                bounds_->vantage_points.data() +
                    int64_t{node} * points_.num_dimensions);
    double* intervals = bounds_->intervals.data() + int64_t{4} * node;
    // The left half of one point is empty.
    if (begin < middle) {
      intervals[0] = nearest.value;
      intervals[1] = std::max_element(first + begin, first + middle)->value;
    }
    intervals[2] = pivot.value;
    intervals[3] = farthest.value;
    bounds_->radii[node] = pivot.value;
    if (level + 1 == height_) return;
    const int32_t left_vantage = pivot.id;
    const int32_t right_vantage = farthest.id;
    const bool as_task = end - begin >= kTaskPoints;
#pragma omp task if (as_task)
    Divide(level + 1, 2 * j, left_vantage, num_threads);
    Divide(level + 1, 2 * j + 1, right_vantage, num_threads);
#pragma omp taskwait
  }

  const PointMatrix& points_;
  const Norm norm_;
  const int32_t n_;
  const int32_t height_;
  std::vector<ValueAndId> elements_;
  Splitter<ValueAndId> splitter_;
  VantageBounds* bounds_;
};

}  // namespace

double VantageDistance(Norm norm, const double* x, const double* y,
                       int32_t num_dimensions) {
  // Four sums hide latency, and make up for the lack of fma.
  double parts[4] = {0, 0, 0, 0};
  int32_t k = 0;
  switch (norm) {
    case Norm::kL2:
      for (; k + 4 <= num_dimensions; k += 4) {
        for (int p = 0; p < 4; ++p) {
          const double difference = x[k + p] - y[k + p];
          parts[p] += difference * difference;
        }
      }
      for (; k < num_dimensions; ++k) {
        parts[0] += (x[k] - y[k]) * (x[k] - y[k]);
      }
      return std::sqrt((parts[0] + parts[1]) + (parts[2] + parts[3]));
    case Norm::kL1:
      for (; k + 4 <= num_dimensions; k += 4) {
        for (int p = 0; p < 4; ++p) parts[p] += std::fabs(x[k + p] - y[k + p]);
      }
      for (; k < num_dimensions; ++k) parts[0] += std::fabs(x[k] - y[k]);
      return (parts[0] + parts[1]) + (parts[2] + parts[3]);
    case Norm::kLInf:
      break;
  }
  for (; k < num_dimensions; ++k) {
    parts[0] = std::max(parts[0], std::fabs(x[k] - y[k]));
  }
  return parts[0];
}

void ResizeBounds(int32_t height, int32_t num_dimensions,
                  VantageBounds* bounds) {
  const int64_t num_inner = (int64_t{1} << height) - 1;
  const size_t old_intervals = bounds->intervals.size();
  bounds->vantage_points.resize(num_inner * num_dimensions);
  bounds->radii.resize(num_inner);
  bounds->intervals.resize(num_inner * 4);
  for (size_t i = old_intervals; i < bounds->intervals.size(); ++i) {
    bounds->intervals[i] =
        i % 2 == 0 ? VantageBounds::kEmptyLow : VantageBounds::kEmptyHigh;
  }
}

std::vector<int32_t> BuildBounds(const PointMatrix& points, Norm norm,
                                 int32_t height, int num_threads,
                                 VantageBounds* bounds) {
  return Builder(points, norm, height, bounds).Build(num_threads);
}

}  // namespace warpclust
