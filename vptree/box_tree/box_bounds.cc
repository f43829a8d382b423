// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/box_tree/box_bounds.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "vptree/leaf_tree/leaf_tree_split.h"
#include "vptree/points/widest_dimension.h"

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
      : elements_(new Element[points.num_points]) {
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int32_t i = 0; i < points.num_points; ++i) {
      std::copy_n(points.Row(i), kDimensions, elements_[i].values);
      elements_[i].id = i;
    }
  }

  Element* elements() { return elements_.get(); }
  int32_t id(int32_t position) const { return elements_[position].id; }

  const double* RowAt(int32_t position) const {
    return elements_[position].values;
  }

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

  // Before elements are split by a dimension.
  void SetDimension(int32_t, int32_t, int32_t) {}
  static auto ValueBy(int32_t dimension) {
    return [dimension](const Element& element) {
      return element.values[dimension];
    };
  }

 private:
  // Not cleared first, as a vector's would be by one thread.
  std::unique_ptr<Element[]> elements_;
};

class PairOrder {
 public:
  using Element = ValueAndId;

  PairOrder(const PointMatrix& points, int)
      : points_(points), elements_(points.num_points) {
    for (int32_t i = 0; i < points.num_points; ++i) elements_[i].id = i;
  }

  Element* elements() { return elements_.data(); }
  int32_t id(int32_t position) const { return elements_[position].id; }

  const double* RowAt(int32_t position) const {
    return points_.Row(elements_[position].id);
  }

  void ComputeBox(int32_t begin, int32_t end, double* box) const {
    const int32_t dimensions = points_.num_dimensions;
    double* low = box;
    double* high = box + dimensions;
    std::fill_n(low, dimensions, kInfinity);
    std::fill_n(high, dimensions, -kInfinity);
    for (int32_t i = begin; i < end; ++i) {
      const double* row = RowAt(i);
      for (int32_t k = 0; k < dimensions; ++k) {
        low[k] = row[k] < low[k] ? row[k] : low[k];
        high[k] = row[k] > high[k] ? row[k] : high[k];
      }
    }
  }

  void SetDimension(int32_t begin, int32_t end, int32_t dimension) {
    for (int32_t i = begin; i < end; ++i) {
      elements_[i].value = RowAt(i)[dimension];
    }
  }
  static auto ValueBy(int32_t) {
    return [](const Element& element) { return element.value; };
  }

 private:
  const PointMatrix& points_;
  std::vector<Element> elements_;
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
        splitter_(points.num_points),
        bounds_(bounds) {}

  std::vector<int32_t> Build() {
    const int64_t num_leaves = int64_t{1} << height_;
    bounds_->boxes.resize((2 * num_leaves - 1) * 2 * dimensions_);
    // Nodes below an empty one are not visited.
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      double* box = Box(num_leaves - 1 + leaf);
      std::fill_n(box, dimensions_, kInfinity);
      std::fill_n(box + dimensions_, dimensions_, -kInfinity);
    }
    bounds_->split_dimensions.assign(num_leaves - 1, 0);
    bounds_->split_values.assign(num_leaves - 1, 0);
    std::vector<int32_t> ids(n_);
#pragma omp parallel num_threads(num_threads_)
#pragma omp single
    Divide(0, 0);
    SetInnerBoxes(dimensions_, &bounds_->boxes);
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int32_t i = 0; i < n_; ++i) ids[i] = order_.id(i);
    return ids;
  }

 private:
  using Element = typename Order::Element;

  double* Box(int64_t node) {
    return bounds_->boxes.data() + 2 * node * dimensions_;
  }

  // -1 if a sample of the points is equal.
  int32_t WidestOf(int32_t begin, int32_t end) const {
    return WidestDimension(begin, end, dimensions_,
                           [&](int32_t i) { return order_.RowAt(i); });
  }

  // Handles node j of a level: divides its points, or sets the box of a leaf.
  void Divide(int32_t level, int32_t j) {
    const int32_t node = (int32_t{1} << level) - 1 + j;
    const int32_t begin = FirstPosition(n_, level, j);
    const int32_t end = FirstPosition(n_, level, j + 1);
    if (level == height_) {
      order_.ComputeBox(begin, end, Box(node));
      return;
    }
    if (begin == end) return;
    const int32_t middle = FirstPosition(n_, level + 1, 2 * j + 1);
    // A sample of equal points says nothing: any dimension does.
    const int32_t widest = std::max(WidestOf(begin, end), 0);
    bounds_->split_dimensions[node] = widest;
    // One half of one point is empty.
    if (middle < end) {
      bounds_->split_values[node] = Split(begin, middle, end, widest);
    }
    const bool as_task = end - begin >= kTaskPoints;
#pragma omp task if (as_task)
    Divide(level + 1, 2 * j);
    Divide(level + 1, 2 * j + 1);
#pragma omp taskwait
  }

  // Returns the coordinate at `middle`. Points that have it, too, are split in
  // the dimension in which they vary most, and so on; in the end by their ids.
  double Split(int32_t begin, int32_t middle, int32_t end, int32_t dimension) {
    const auto scratch = splitter_.ScratchOf(begin, end - begin);
    SplitPivot pivot = SplitOnce(begin, middle, end, dimension, scratch);
    const double value = pivot.value;
    Element* const all = order_.elements();
    while (pivot.is_tied) {
      const auto [first, last] =
          BringTiesTogether(all + begin, all + middle, all + end, pivot.value,
                            order_.ValueBy(dimension));
      begin = static_cast<int32_t>(first - all);
      end = static_cast<int32_t>(last - all);
      dimension = WidestOf(begin, end);
      if (dimension < 0) break;
      pivot = SplitOnce(begin, middle, end, dimension, scratch);
    }
    return value;
  }

  SplitPivot SplitOnce(int32_t begin, int32_t middle, int32_t end,
                       int32_t dimension,
                       typename Splitter<Element>::Scratch scratch) {
    order_.SetDimension(begin, end, dimension);
    const auto value_of = order_.ValueBy(dimension);
    const Element* const all = order_.elements();
    double low = kInfinity;
    double high = -kInfinity;
    for (int32_t i = begin; i < end; ++i) {
      const double value = value_of(all[i]);
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    return Splitter<Element>::Split(order_.elements() + begin, end - begin,
                                    middle - begin, value_of, low, high,
                                    scratch);
  }

  const int32_t n_;
  const int32_t dimensions_;
  const int32_t height_;
  const int num_threads_;
  Order order_;
  Splitter<Element> splitter_;
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
