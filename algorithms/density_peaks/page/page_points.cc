// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/page_points.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace warpclust {
namespace {

// A set of points of limited size.
class Part {
 public:
  Part(int32_t num_points, int32_t max_points)
      : held_(num_points, 0), room_(max_points) {}

  void Add(int32_t point) {
    if (room_ > 0 && !held_[point]) {
      held_[point] = 1;
      --room_;
    }
  }
  bool Holds(int32_t point) const { return held_[point] != 0; }
  int32_t room() const { return room_; }

 private:
  std::vector<uint8_t> held_;
  int32_t room_;
};

// Adds the `count` points of largest value, ties by id.
void AddLargest(const std::vector<double>& values, int32_t count, Part* part) {
  std::vector<int32_t> points(values.size());
  std::iota(points.begin(), points.end(), 0);
  count = std::min<int32_t>(count, static_cast<int32_t>(points.size()));
  std::nth_element(points.begin(), points.begin() + count, points.end(),
                   [&](int32_t a, int32_t b) {
                     return values[a] != values[b] ? values[a] > values[b]
                                                   : a < b;
                   });
  for (int32_t i = 0; i < count; ++i) part->Add(points[i]);
}

Part ChoosePart(const DecisionGraph& graph, const std::vector<double>& gammas,
                absl::Span<const int32_t> peaks, int32_t max_points) {
  const int32_t n = graph.num_points();
  Part part(n, max_points);
  if (n <= max_points) {
    for (int32_t i = 0; i < n; ++i) part.Add(i);
    return part;
  }
  const auto root = std::find(graph.dependent_points.begin(),
                              graph.dependent_points.end(), -1);
  part.Add(static_cast<int32_t>(root - graph.dependent_points.begin()));
  // The point of rank 0, and the largest distance of the others, which Gammas
  // needs.
  AddLargest(graph.dependent_distances, 2, &part);
  for (const int32_t peak : peaks) part.Add(peak);
  AddLargest(gammas, max_points / 2, &part);
  AddLargest(graph.dependent_distances, max_points / 8, &part);
  const int64_t rest = part.room();
  for (int64_t k = 0; k < rest; ++k) {
    part.Add(static_cast<int32_t>(k * n / rest));
  }
  return part;
}

// The nearest ancestor of each point in the part; the point itself if it is in
// the part.
std::vector<int32_t> NearestHeld(const DecisionGraph& graph, const Part& part) {
  const int32_t n = graph.num_points();
  std::vector<int32_t> nearest(n, -1);
  std::vector<int32_t> path;
  for (int32_t i = 0; i < n; ++i) {
    path.clear();
    int32_t point = i;
    while (nearest[point] < 0 && !part.Holds(point)) {
      path.push_back(point);
      point = graph.dependent_points[point];
    }
    const int32_t held = nearest[point] < 0 ? point : nearest[point];
    nearest[point] = held;
    for (const int32_t skipped : path) nearest[skipped] = held;
  }
  return nearest;
}

void DescribeLeftOut(const DecisionGraph& graph,
                     const std::vector<double>& gammas, const Part& part,
                     PagePoints* result) {
  std::vector<int32_t> left_out;
  for (int32_t i = 0; i < graph.num_points(); ++i) {
    if (part.Holds(i)) continue;
    left_out.push_back(i);
    result->left_out_gamma = std::max(result->left_out_gamma, gammas[i]);
  }
  std::sort(left_out.begin(), left_out.end(), [&](int32_t a, int32_t b) {
    if (graph.densities[a] != graph.densities[b]) {
      return graph.densities[a] > graph.densities[b];
    }
    return graph.dependent_distances[a] > graph.dependent_distances[b];
  });
  double farthest = -1;
  for (const int32_t point : left_out) {
    if (graph.dependent_distances[point] <= farthest) continue;
    farthest = graph.dependent_distances[point];
    result->left_out_densities.push_back(graph.densities[point]);
    result->left_out_distances.push_back(farthest);
  }
  int32_t count = 0;
  for (auto point = left_out.rbegin(); point != left_out.rend(); ++point) {
    const int32_t density = graph.densities[*point];
    if (count == 0 || result->left_out_levels.back() != density) {
      result->left_out_levels.push_back(density);
      result->left_out_counts.push_back(count);
    }
    result->left_out_counts.back() = ++count;
  }
}

}  // namespace

PagePoints ChoosePagePoints(const DecisionGraph& graph,
                            absl::Span<const int32_t> peaks,
                            int32_t max_points) {
  const int32_t n = graph.num_points();
  // The point of rank 0 is always in the part, so it does not matter that its
  // value differs from the one that ranks it (Gammas).
  std::vector<double> gammas(n);
  for (int32_t i = 0; i < n; ++i) {
    gammas[i] = graph.densities[i] * graph.dependent_distances[i];
  }
  const Part part = ChoosePart(graph, gammas, peaks, max_points);
  const std::vector<int32_t> nearest = NearestHeld(graph, part);

  PagePoints result;
  std::vector<int32_t> index(n, -1);
  for (int32_t i = 0; i < n; ++i) {
    if (!part.Holds(i)) continue;
    index[i] = static_cast<int32_t>(result.ids.size());
    result.ids.push_back(i);
  }
  result.weights.assign(result.ids.size(), 0);
  result.firsts = result.ids;
  for (int32_t i = n - 1; i >= 0; --i) {
    const int32_t k = index[nearest[i]];
    ++result.weights[k];
    result.firsts[k] = std::min(result.firsts[k], i);
  }
  result.dependents.reserve(result.ids.size());
  for (const int32_t id : result.ids) {
    const int32_t dependent = graph.dependent_points[id];
    result.dependents.push_back(dependent < 0 ? -1 : index[nearest[dependent]]);
  }
  DescribeLeftOut(graph, gammas, part, &result);
  return result;
}

}  // namespace warpclust
