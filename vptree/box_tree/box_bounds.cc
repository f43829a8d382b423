// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/box_tree/box_bounds.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "vptree/leaf_tree/leaf_tree_split.h"

namespace warpclust {
namespace {

// Smaller subtrees are not worth a task.
constexpr int32_t kTaskPoints = 4096;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// In few dimensions rows move with the points, so that every pass is
// sequential. In more dimensions only (coordinate, id) pairs move.
template <int kDimensions>
struct Row {
  double values[kDimensions];
  int32_t id;
};

template <int kDimensions>
class RowOrder {
 public:
  using Element = Row<kDimensions>;

  RowOrder(const PointMatrix& points, int num_threads)
      : elements_(new Element[points.num_points]),
        splitter_(points.num_points) {
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int32_t i = 0; i < points.num_points; ++i) {
      std::copy_n(points.Row(i), kDimensions, elements_[i].values);
      elements_[i].id = i;
    }
  }

  int32_t id(int32_t position) const { return elements_[position].id; }

  void ComputeBox(int32_t begin, int32_t end, double* box) const {
    double low[kDimensions], high[kDimensions];
    std::fill_n(low, kDimensions, kInfinity);
    std::fill_n(high, kDimensions, -kInfinity);
    for (int32_t i = begin; i < end; ++i) {
      for (int k = 0; k < kDimensions; ++k) {
        const double value = elements_[i].values[k];
        low[k] = value < low[k] ? value : low[k];
        high[k] = value > high[k] ? value : high[k];
      }
    }
    std::copy_n(low, kDimensions, box);
    std::copy_n(high, kDimensions, box + kDimensions);
  }

  // Returns the coordinate at `middle`.
  double Split(int32_t begin, int32_t middle, int32_t end, int32_t dimension,
               const double* box) {
    return splitter_
        .Split(
            elements_.get(), begin, end - begin, middle - begin,
            [dimension](const Element& element) {
              return element.values[dimension];
            },
            box[dimension], box[kDimensions + dimension])
        .value;
  }

 private:
  // Not cleared first, as a vector's would be by one thread.
  std::unique_ptr<Element[]> elements_;
  Splitter<Element> splitter_;
};

class PairOrder {
 public:
  PairOrder(const PointMatrix& points, int)
      : points_(points),
        elements_(points.num_points),
        splitter_(points.num_points) {
    for (int32_t i = 0; i < points.num_points; ++i) elements_[i].id = i;
  }

  int32_t id(int32_t position) const { return elements_[position].id; }

  void ComputeBox(int32_t begin, int32_t end, double* box) const {
    const int32_t dimensions = points_.num_dimensions;
    double* low = box;
    double* high = box + dimensions;
    std::fill_n(low, dimensions, kInfinity);
    std::fill_n(high, dimensions, -kInfinity);
    for (int32_t i = begin; i < end; ++i) {
      const double* row = points_.Row(elements_[i].id);
      for (int32_t k = 0; k < dimensions; ++k) {
        low[k] = row[k] < low[k] ? row[k] : low[k];
        high[k] = row[k] > high[k] ? row[k] : high[k];
      }
    }
  }

  double Split(int32_t begin, int32_t middle, int32_t end, int32_t dimension,
               const double* box) {
    for (int32_t i = begin; i < end; ++i) {
      elements_[i].value = points_.Row(elements_[i].id)[dimension];
    }
    return splitter_
        .Split(
            elements_.data(), begin, end - begin, middle - begin,
            [](const ValueAndId& element) { return element.value; },
            box[dimension], box[points_.num_dimensions + dimension])
        .value;
  }

 private:
  const PointMatrix& points_;
  std::vector<ValueAndId> elements_;
  Splitter<ValueAndId> splitter_;
};

template <class Order>
class Builder {
 public:
  Builder(const PointMatrix& points, int32_t height, int num_threads,
          BoxBounds* bounds)
      : n_(points.num_points),
        dimensions_(points.num_dimensions),
        height_(height),
        num_threads_(num_threads),
        order_(points, num_threads),
        bounds_(bounds) {}

  std::vector<int32_t> Build() {
    const int64_t num_leaves = int64_t{1} << height_;
    bounds_->boxes.resize((2 * num_leaves - 1) * 2 * dimensions_);
    // Nodes below an empty one are not visited.
    for (int64_t node = 0; node < 2 * num_leaves - 1; ++node) {
      double* box = bounds_->boxes.data() + 2 * node * dimensions_;
      std::fill_n(box, dimensions_, kInfinity);
      std::fill_n(box + dimensions_, dimensions_, -kInfinity);
    }
    bounds_->split_dimensions.assign(num_leaves - 1, 0);
    bounds_->split_values.assign(num_leaves - 1, 0);
    std::vector<int32_t> ids(n_);
#pragma omp parallel num_threads(num_threads_)
#pragma omp single
    Divide(0, 0);
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int32_t i = 0; i < n_; ++i) ids[i] = order_.id(i);
    return ids;
  }

 private:
  // Handles node j of a level: its box, then its halves.
  void Divide(int32_t level, int32_t j) {
    const int32_t node = (int32_t{1} << level) - 1 + j;
    const int32_t begin = FirstPosition(n_, level, j);
    const int32_t end = FirstPosition(n_, level, j + 1);
    double* box = bounds_->boxes.data() + int64_t{2} * node * dimensions_;
    order_.ComputeBox(begin, end, box);
    // The left half of one point is empty.
    if (level == height_ || begin == end) return;
    int32_t widest = 0;
    for (int32_t k = 1; k < dimensions_; ++k) {
      if (box[dimensions_ + k] - box[k] >
          box[dimensions_ + widest] - box[widest]) {
        widest = k;
      }
    }
    const int32_t middle = FirstPosition(n_, level + 1, 2 * j + 1);
    bounds_->split_dimensions[node] = widest;
    bounds_->split_values[node] = order_.Split(begin, middle, end, widest, box);
    const bool as_task = end - begin >= kTaskPoints;
#pragma omp task if (as_task)
    Divide(level + 1, 2 * j);
    Divide(level + 1, 2 * j + 1);
#pragma omp taskwait
  }

  const int32_t n_;
  const int32_t dimensions_;
  const int32_t height_;
  const int num_threads_;
  Order order_;
  BoxBounds* bounds_;
};

}  // namespace

std::vector<int32_t> BuildBounds(const PointMatrix& points, Norm,
                                 int32_t height, int num_threads,
                                 BoxBounds* bounds) {
  switch (points.num_dimensions) {
    case 1:
      return Builder<RowOrder<1>>(points, height, num_threads, bounds).Build();
    case 2:
      return Builder<RowOrder<2>>(points, height, num_threads, bounds).Build();
    case 3:
      return Builder<RowOrder<3>>(points, height, num_threads, bounds).Build();
    case 4:
      return Builder<RowOrder<4>>(points, height, num_threads, bounds).Build();
    default:
      return Builder<PairOrder>(points, height, num_threads, bounds).Build();
  }
}

}  // namespace warpclust
