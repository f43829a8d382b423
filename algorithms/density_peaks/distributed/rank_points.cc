// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/types/span.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/packed_points.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kSampledPoints = 512;  // Of each rank, on average.
constexpr int64_t kPointsPerThread = 1 << 14;

// Points of all ranks, and where they are split.
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

  int RankOf(const double* row, int32_t number) const {
    int32_t node = 0;
    while (nodes_[node].left >= 0) {
      const Node& at = nodes_[node];
      const double x = row[at.dimension];
      const bool is_left = x < at.x || (x == at.x && number < at.number);
      node = is_left ? at.left : at.right;
    }
    return nodes_[node].rank;
  }

 private:
  struct Node {
    int32_t left = -1;  // -1: all points go to `rank`.
    int32_t right = -1;
    int rank = 0;
    int32_t dimension = 0;
    double x = 0;
    int32_t number = 0;
  };

  double At(int32_t point, int32_t k) const {
    return rows_[static_cast<size_t>(point) * d_ + k];
  }

  int32_t WidestDimension(absl::Span<const int32_t> points) const {
    int32_t widest = 0;
    double width = -1;
    for (int32_t k = 0; k < d_; ++k) {
      double low = kInfinity;
      double high = -kInfinity;
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
    Node node;
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
  std::vector<Node> nodes_;
};

// What goes to each rank. T: float, if all coordinates are floats, or double.
template <typename T>
struct Parcels {
  RankLists<int32_t> numbers;
  RankLists<T> rows;
};

// The points by their new owners, those of an owner in the order that they
// have. Each thread counts, then moves, consecutive points.
template <typename T>
Parcels<T> PackForOwners(const RankPoints& mine, const Bisection& bisection,
                         int num_ranks, int num_threads) {
  const int32_t n = mine.points.num_points;
  const int32_t d = mine.points.num_dimensions;
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  const auto begin_of = [&](int thread) {
    return static_cast<int32_t>(int64_t{n} * thread / threads);
  };
  std::vector<int> owners(n);
  // By owner, then by thread: counts, then where the next point goes.
  std::vector<int64_t> places(static_cast<size_t>(num_ranks) * threads + 1);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    std::vector<int64_t> counts(num_ranks);
    for (int32_t i = begin_of(thread); i < begin_of(thread + 1); ++i) {
      owners[i] = bisection.RankOf(mine.points.Row(i), mine.numbers[i]);
      ++counts[owners[i]];
    }
    for (int rank = 0; rank < num_ranks; ++rank) {
      places[static_cast<size_t>(rank) * threads + thread + 1] = counts[rank];
    }
  }
  std::partial_sum(places.begin(), places.end(), places.begin());
  Parcels<T> parcels;
  for (int rank = 1; rank <= num_ranks; ++rank) {
    const int64_t end = places[static_cast<size_t>(rank) * threads];
    parcels.numbers.offsets.push_back(end);
    parcels.rows.offsets.push_back(end * d);
  }
  ResizeVector(n, threads, &parcels.numbers.values);
  ResizeVector(int64_t{n} * d, threads, &parcels.rows.values);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    std::vector<int64_t> next(num_ranks);
    for (int rank = 0; rank < num_ranks; ++rank) {
      next[rank] = places[static_cast<size_t>(rank) * threads + thread];
    }
    for (int32_t i = begin_of(thread); i < begin_of(thread + 1); ++i) {
      const int64_t place = next[owners[i]]++;
      parcels.numbers.values[place] = mine.numbers[i];
      const double* const row = mine.points.Row(i);
      for (int32_t k = 0; k < d; ++k) {
        parcels.rows.values[place * d + k] = static_cast<T>(row[k]);
      }
    }
  }
  return parcels;
}

void MoveValues(std::vector<double> from, int, std::vector<double>* to) {
  *to = std::move(from);
}
void MoveValues(const std::vector<float>& from, int num_threads,
                std::vector<double>* to) {
  const auto size = static_cast<int64_t>(from.size());
  ResizeVector(size, num_threads, to);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t i = 0; i < size; ++i) (*to)[i] = from[i];
}

// Replaces the points by those that this rank owns.
template <typename T>
absl::Status Exchange(const Bisection& bisection, int num_threads,
                      Communicator& ranks, RankPoints* mine) {
  Parcels<T> sent =
      PackForOwners<T>(*mine, bisection, ranks.size(), num_threads);
  mine->points.values = std::vector<double>();
  // Points come by rank, and so in order of their numbers.
  ASSIGN_OR_RETURN(RankLists<int32_t> numbers, ranks.AllToAll(sent.numbers));
  sent.numbers = RankLists<int32_t>();
  ASSIGN_OR_RETURN(RankLists<T> rows, ranks.AllToAll(sent.rows));
  sent.rows = RankLists<T>();
  mine->numbers = std::move(numbers.values);
  mine->points.num_points = static_cast<int32_t>(mine->numbers.size());
  MoveValues(std::move(rows.values), num_threads, &mine->points.values);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RankPoints> PartitionPoints(RankPoints mine, int num_threads,
                                           Communicator& ranks) {
  const int32_t n = mine.points.num_points;
  const int32_t d = mine.points.num_dimensions;
  ASSIGN_OR_RETURN(const int64_t total,
                   ranks.AllReduce(Reduction::kSum, int64_t{n}));
  // Ranks with more points have more in the sample.
  const int64_t sampled =
      total == 0
          ? 0
          : std::min<int64_t>(
                n, (n * kSampledPoints * ranks.size() + total - 1) / total);
  std::vector<double> rows;
  std::vector<int32_t> numbers;
  for (int64_t s = 0; s < sampled; ++s) {
    const auto i = static_cast<int32_t>(n * s / sampled);
    rows.insert(rows.end(), mine.points.Row(i), mine.points.Row(i) + d);
    numbers.push_back(mine.numbers[i]);
  }
  ASSIGN_OR_RETURN(const RankLists<double> all_rows,
                   ranks.AllGather(absl::MakeConstSpan(rows)));
  ASSIGN_OR_RETURN(const RankLists<int32_t> all_numbers,
                   ranks.AllGather(absl::MakeConstSpan(numbers)));
  const Bisection bisection(all_rows.values, all_numbers.values, d,
                            ranks.size());

  const int threads = ResolveThreads(num_threads);
  ASSIGN_OR_RETURN(
      const int are_floats,
      ranks.AllReduce(Reduction::kMin,
                      AreFloats(mine.points.values, threads) ? 1 : 0));
  RETURN_IF_ERROR(are_floats == 1
                      ? Exchange<float>(bisection, threads, ranks, &mine)
                      : Exchange<double>(bisection, threads, ranks, &mine));
  return mine;
}

absl::StatusOr<RankBoxes> RankBoxes::Gather(const PointMatrix& points,
                                            Norm norm, int num_threads,
                                            Communicator& ranks) {
  RankBoxes boxes;
  boxes.norm_ = norm;
  boxes.num_dimensions_ = points.num_dimensions;
  const int32_t d = points.num_dimensions;
  // Low of each dimension, then high.
  std::vector<double> box(2 * static_cast<size_t>(d));
  std::fill_n(box.begin(), d, kInfinity);
  std::fill_n(box.begin() + d, d, -kInfinity);
  const int threads =
      ThreadsFor(points.num_points, kPointsPerThread, num_threads);
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> part = box;
#pragma omp barrier
#pragma omp for schedule(static)
    for (int32_t i = 0; i < points.num_points; ++i) {
      const double* row = points.Row(i);
      for (int32_t k = 0; k < d; ++k) {
        part[k] = std::min(part[k], row[k]);
        part[d + k] = std::max(part[d + k], row[k]);
      }
    }
#pragma omp critical(warpclust_rank_box)
    for (int32_t k = 0; k < d; ++k) {
      box[k] = std::min(box[k], part[k]);
      box[d + k] = std::max(box[d + k], part[d + k]);
    }
  }
  ASSIGN_OR_RETURN(RankLists<double> all,
                   ranks.AllGather(absl::MakeConstSpan(box)));
  boxes.boxes_ = std::move(all.values);
  return boxes;
}

double RankBoxes::LeastKey(int rank, const double* row) const {
  const double* const low =
      boxes_.data() + 2 * static_cast<size_t>(num_dimensions_) * rank;
  const double* const high = low + num_dimensions_;
  if (low[0] > high[0]) return kInfinity;
  double key = 0;
  for (int32_t k = 0; k < num_dimensions_; ++k) {
    const double outside =
        std::max(std::max(low[k] - row[k], row[k] - high[k]), 0.0);
    switch (norm_) {
      case Norm::kL2:
        key = AddToKey<Norm::kL2>(key, outside);
        break;
      case Norm::kL1:
        key = AddToKey<Norm::kL1>(key, outside);
        break;
      case Norm::kLInf:
        key = AddToKey<Norm::kLInf>(key, outside);
        break;
    }
  }
  return key;
}

}  // namespace warpclust
