// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/partition.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/bisection.h"
#include "algorithms/density_peaks/distributed/cuda/bisection_node.h"
#include "algorithms/density_peaks/distributed/cuda/rank_rows_cuda.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/packed_points.h"

namespace warpclust {
namespace {

constexpr int64_t kSampledPoints = 512;  // Of each rank, on average.

// Coordinates of a piece of an exchange, in memory that is used again.
constexpr int64_t kPiece = int64_t{1} << 21;

// Gives the points of a block to their owners. T: float, if all coordinates are
// floats, or double.
template <typename T>
class PointExchange {
 public:
  PointExchange(const PointRoutes& routes, int num_threads, Communicator& ranks,
                RankPoints* mine)
      : routes_(routes), threads_(num_threads), ranks_(ranks), mine_(*mine) {}

  // The numbers of the block's points begin at `first`. Those that come from
  // rank r get the places from begins[r] on.
  absl::Status Run(int64_t first, const std::vector<int64_t>& begins) {
    Stopwatch stopwatch;
    Pack(first, begins[ranks_.rank()], begins.back());
    stopwatch.Lap("packing points");
    for (int step = 1; step < ranks_.size(); ++step) {
      const int to = ranks_.After(step);
      const int from = ranks_.Before(step);
      RETURN_IF_ERROR(
          Exchange(to, from, begins[from], begins[from + 1] - begins[from]));
    }
    stopwatch.Lap("exchange of points");
    mine_.points.num_points = static_cast<int32_t>(begins.back());
    return absl::OkStatus();
  }

 private:
  // Packs the points of others, and makes room for `size` points of this rank,
  // of which those that stay begin at `kept`.
  void Pack(int64_t first, int64_t kept, int64_t size) {
    const int rank = ranks_.rank();
    const int64_t d = mine_.points.num_dimensions;
    sent_.assign(1, 0);
    for (int owner = 0; owner < ranks_.size(); ++owner) {
      sent_.push_back(sent_.back() +
                      (owner == rank ? 0 : routes_.Count(owner)));
    }
    ResizeVector(sent_.back(), threads_, &sent_numbers_);
    ResizeVector(sent_.back() * d, threads_, &sent_rows_);
    const PointMatrix block = std::move(mine_.points);
    mine_.points = {0, block.num_dimensions, {}};
    ResizeVector(size, threads_, &mine_.numbers);
    ResizeVector(size * d, threads_, &mine_.points.values);
    routes_.ForEach([&](int32_t i, int owner, int64_t place) {
      const auto number = static_cast<int32_t>(first + i);
      const double* const row = block.Row(i);
      if (owner == rank) {
        mine_.numbers[kept + place] = number;
        std::copy_n(row, d, mine_.points.values.data() + (kept + place) * d);
        return;
      }
      const int64_t at = sent_[owner] + place;
      sent_numbers_[at] = number;
      for (int64_t k = 0; k < d; ++k) {
        sent_rows_[at * d + k] = static_cast<T>(row[k]);
      }
    });
  }

  // `count` points come to the places from `begin` on.
  absl::Status Exchange(int to, int from, int64_t begin, int64_t count) {
    const int64_t num_sent = sent_[to + 1] - sent_[to];
    RETURN_IF_ERROR(ranks_.SendReceiveValues(
        absl::MakeConstSpan(sent_numbers_).subspan(sent_[to], num_sent), to,
        absl::MakeSpan(mine_.numbers).subspan(begin, count), from));
    const int64_t d = mine_.points.num_dimensions;
    const absl::Span<const T> sent =
        absl::MakeConstSpan(sent_rows_).subspan(sent_[to] * d, num_sent * d);
    const absl::Span<double> rows =
        absl::MakeSpan(mine_.points.values).subspan(begin * d, count * d);
    if constexpr (std::is_same_v<T, double>) {
      return ranks_.SendReceiveValues(sent, to, rows, from);
    }
    // Both sides see the same messages: a side that is through sends or
    // receives none.
    std::vector<T> piece;
    for (size_t at = 0; at < std::max(sent.size(), rows.size()); at += kPiece) {
      const absl::Span<double> wide =
          rows.subspan(std::min(at, rows.size()), kPiece);
      piece.resize(wide.size());
      RETURN_IF_ERROR(ranks_.SendReceiveValues(
          sent.subspan(std::min(at, sent.size()), kPiece),
          at < sent.size() ? to : Communicator::kNobody, absl::MakeSpan(piece),
          at < rows.size() ? from : Communicator::kNobody));
#pragma omp parallel for num_threads(threads_) schedule(static)
      for (size_t i = 0; i < piece.size(); ++i) wide[i] = piece[i];
    }
    return absl::OkStatus();
  }

  const PointRoutes& routes_;
  const int threads_;
  Communicator& ranks_;
  RankPoints& mine_;
  // By the ranks that they go to: where their points begin.
  std::vector<int64_t> sent_;
  std::vector<int32_t> sent_numbers_;
  std::vector<T> sent_rows_;
};

// Where each of lists of these lengths begins, and where the last ends.
std::vector<int64_t> Begins(absl::Span<const int64_t> lengths) {
  std::vector<int64_t> begins = {0};
  for (const int64_t length : lengths) {
    begins.push_back(begins.back() + length);
  }
  return begins;
}

}  // namespace

absl::StatusOr<Partition> PartitionPoints(
    int64_t first, int num_threads, Communicator& ranks, DeviceLinks* links,
    absl::FunctionRef<std::shared_ptr<DevicePoints>()> block_on_device,
    RankPoints* mine) {
  const PointMatrix& block = mine->points;
  const int32_t n = block.num_points;
  const int32_t d = block.num_dimensions;
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
    rows.insert(rows.end(), block.Row(i), block.Row(i) + d);
    numbers.push_back(static_cast<int32_t>(first + i));
  }
  ASSIGN_OR_RETURN(const RankLists<double> all_rows,
                   ranks.AllGather(absl::MakeConstSpan(rows)));
  ASSIGN_OR_RETURN(const RankLists<int32_t> all_numbers,
                   ranks.AllGather(absl::MakeConstSpan(numbers)));
  const Bisection bisection(all_rows.values, all_numbers.values, d,
                            ranks.size());

  const int threads = ResolveThreads(num_threads);
  Stopwatch stopwatch;
  std::shared_ptr<DevicePoints> on_device;
  if (links != nullptr) {
    on_device = block_on_device();
    stopwatch.Lap("points to the GPU");
  }
  std::vector<uint16_t> owners;
  ResizeVector(n, threads, &owners);
  // Only hosts send floats.
  std::atomic<bool> floats_here = links == nullptr;
  bool are_found = false;
  if (on_device != nullptr) {
    const absl::Status status =
        OwnersCuda(*on_device, bisection.nodes(), static_cast<int32_t>(first),
                   absl::MakeSpan(owners));
    if (!status.ok() && !absl::IsResourceExhausted(status)) return status;
    are_found = status.ok();
  }
  if (!are_found) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t i = 0; i < n; ++i) {
      const double* const row = block.Row(i);
      if (floats_here.load(std::memory_order_relaxed) &&
          !std::all_of(row, row + d, IsFloat)) {
        floats_here.store(false, std::memory_order_relaxed);
      }
      owners[i] = static_cast<uint16_t>(OwnerOf(
          bisection.nodes().data(), row, static_cast<int32_t>(first + i)));
    }
  }
  Partition result;
  PointRoutes& routes = result.routes;
  routes = PointRoutes(std::move(owners), ranks.size(), threads);
  stopwatch.Lap("owners of points");
  RankLists<int64_t> counts;
  for (int r = 0; r < ranks.size(); ++r) counts.Append({routes.Count(r)});
  ASSIGN_OR_RETURN(const RankLists<int64_t> coming, ranks.AllToAll(counts));
  // Points come by rank, and so in order of their numbers.
  const std::vector<int64_t> begins = Begins(coming.values);
  if (links != nullptr) {
    const std::vector<int64_t> leaving = Begins(counts.values);
    ASSIGN_OR_RETURN(
        result.on_device,
        links->MovePoints({routes.owners(), first, leaving, begins},
                          std::move(on_device), threads, &mine->points,
                          &mine->numbers));
    if (result.on_device != nullptr) return result;
  }
  ASSIGN_OR_RETURN(const bool are_floats, ranks.OnAll(floats_here));
  RETURN_IF_ERROR(are_floats
                      ? PointExchange<float>(routes, threads, ranks, mine)
                            .Run(first, begins)
                      : PointExchange<double>(routes, threads, ranks, mine)
                            .Run(first, begins));
  return result;
}

}  // namespace warpclust
