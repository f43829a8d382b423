// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/device_index.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/make_index.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "algorithms/density_peaks/distributed/cuda/rank_rows_cuda.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "algorithms/density_peaks/distributed/met_blocks.h"
#include "algorithms/density_peaks/distributed/partition.h"
#include "algorithms/density_peaks/distributed/point_routes.h"
#include "algorithms/density_peaks/distributed/rank_basins.h"
#include "algorithms/density_peaks/distributed/rank_clusters.h"
#include "algorithms/density_peaks/distributed/rank_cutoff.h"
#include "algorithms/density_peaks/distributed/rank_graph.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "algorithms/density_peaks/distributed/rank_rows.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "kernels/device/rank_device.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace {

// In more dimensions a tree is hardly ever chosen.
constexpr int32_t kMostTreeDimensions = 64;

class Job {
 public:
  Job(PointMatrix block, const DensityPeaksOptions& options,
      Communicator& ranks, RanksResult wanted, DeviceWay way)
      : options_(options), ranks_(ranks), wanted_(wanted), way_(way) {
    mine_.points = std::move(block);
  }

  absl::StatusOr<DensityPeaksResult> Run() {
    RETURN_IF_ERROR(Prepare());
    RETURN_IF_ERROR(FindCutoff());
    {
      const PhaseTimer timer(&result_.seconds.build, "build");
      Stopwatch stopwatch;
      if (moves_points()) {
        if (links_ == nullptr) TakeBegun();  // It is not needed.
        ASSIGN_OR_RETURN(
            Partition partition,
            PartitionPoints(
                first(), options_.num_threads, ranks_, links_.get(),
                [this] { return TakeBegun().points; }, &mine_));
        routes_ = std::move(partition.routes);
        on_device_ = std::move(partition.on_device);
        on_host_ = on_device_ == nullptr;
        stopwatch.Lap("partition");
      } else {
        mine_.numbers.resize(mine_.points.num_points);
        std::iota(mine_.numbers.begin(), mine_.numbers.end(),
                  static_cast<int32_t>(first()));
      }
      RETURN_IF_ERROR(ranks_.Agree(CheckOwnPoints()));
      ASSIGN_OR_RETURN(const int all_pairs,
                       ranks_.AllReduce(Reduction::kMin, ComparesAllPairs()));
      blocks_.emplace(mine_.points, NormOfMetric(options_.metric),
                      ResolveThreads(options_.num_threads), links_.get(),
                      ranks_);
      // Rows come while the index is made.
      if (all_pairs != kNotExpected) blocks_->Start(/*index=*/nullptr);
      RETURN_IF_ERROR(MakeOwnIndex());
      if (all_pairs != kCertain) {
        RETURN_IF_ERROR(blocks_->Finish());
        ASSIGN_OR_RETURN(const bool by_blocks,
                         OnAllRanks(ComparesAllPairs() == kCertain));
        if (!by_blocks) blocks_.reset();
      }
    }
    ASSIGN_OR_RETURN(graph_,
                     FindRankGraph(mine_, *rows_, *index_, options_.metric,
                                   result_.graph.cutoff_distance, Blocks(),
                                   options_.num_threads, ranks_));
    result_.seconds.density = graph_.density_seconds;
    result_.seconds.dependent = graph_.dependent_seconds;
    result_.index = std::string(index_->name());
    result_.distance_evaluations =
        index_->distance_evaluations() +
        (blocks_.has_value() ? blocks_->distance_evaluations() : 0);
    RETURN_IF_ERROR(FindClusters());
    {
      const PhaseTimer timer(&result_.seconds.assignment, "assignment");
      RETURN_IF_ERROR(SendBack());
    }
    return std::move(result_);
  }

 private:
  // All except the coordinates.
  absl::Status CheckArguments() const {
    RETURN_IF_ERROR(options_.Validate());
    if (options_.density != PointDensity::kCount) {
      return absl::UnimplementedError(
          "density peaks on several ranks count neighbors: run on one rank for "
          "another density");
    }
    if (options_.halo) {
      return absl::UnimplementedError(
          "density peaks on several ranks do not find the halo: run on one "
          "rank or without the halo");
    }
    // Says what is wrong.
    return mine_.points.num_points < 0 ? mine_.points.Validate()
                                       : absl::OkStatus();
  }

  absl::Status Prepare() {
    const PhaseTimer timer(&result_.seconds.build, "build");
    RETURN_IF_ERROR(ranks_.Agree(CheckArguments()));
    const int64_t size = mine_.points.num_points;
    ASSIGN_OR_RETURN(firsts_, ranks_.Begins(size));
    if (firsts_.back() == 0) {
      return absl::InvalidArgumentError(
          "density peaks: expected at least one point, found none");
    }
    if (firsts_.back() > std::numeric_limits<int32_t>::max()) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "density peaks: expected at most 2^31 - 1 points, found ",
          firsts_.back()));
    }
    ASSIGN_OR_RETURN(
        const int32_t dimensions,
        ranks_.AllReduce(Reduction::kMax,
                         size == 0 ? 0 : mine_.points.num_dimensions));
    if (size == 0) mine_.points.num_dimensions = dimensions;
    RETURN_IF_ERROR(ranks_.Agree(
        mine_.points.num_dimensions == dimensions
            ? absl::OkStatus()
            : absl::InvalidArgumentError(absl::StrCat(
                  "density peaks: expected as many dimensions on all ranks, "
                  "found ",
                  mine_.points.num_dimensions, " and ", dimensions))));
    UseDeviceOfRank(ranks_);
    const absl::StatusOr<Device> device = ResolveDevice(
        options_.device, Expect(RankPointsJob(num_points(), dimensions,
                                              options_.peaks, ranks_.size()),
                                options_.num_threads));
    RETURN_IF_ERROR(ranks_.Agree(device.status()));
    device_ = *device;
    return PreparePoints();
  }

  struct CheckedPoints {
    std::shared_ptr<DevicePoints> points;
    bool are_legal = false;
  };

  // While the points are copied and checked, the links are opened and pairs are
  // drawn.
  absl::Status PreparePoints() {
    RETURN_IF_ERROR(ranks_.Agree(mine_.points.ValidateSizes()));
    std::future<absl::Status> opened = std::async(
        device_ == Device::kCuda ? std::launch::async : std::launch::deferred,
        [this] { return OpenLinks(); });
    // Points that will change are copied later.
    const bool copies_now = copies_points() && !IsByAngle(options_.metric);
    std::future<CheckedPoints> checking = std::async(
        copies_now ? std::launch::async : std::launch::deferred, [&] {
          Stopwatch stopwatch;
          CheckedPoints checked;
          if (copies_now) checked.points = CopyToDevice();
          checked.are_legal = mine_.points.num_points == 0 ||
                              (checked.points != nullptr &&
                               HasLegalCoordinates(*checked.points));
          stopwatch.Lap("copy of points");
          return checked;
        });
    RETURN_IF_ERROR(opened.get());
    ASSIGN_OR_RETURN(const bool on_gpus, OnAllRanks(device_ == Device::kCuda));
    if (on_gpus && !IsByAngle(options_.metric) &&
        options_.cutoff_distance == 0) {
      // By the hosts: the GPUs are busy.
      ASSIGN_OR_RETURN(drawn_, DrawPairs(mine_.points, firsts_, options_,
                                         /*links=*/nullptr, ranks_));
    }
    CheckedPoints checked = checking.get();
    Stopwatch stopwatch;
    const absl::Status prepared =
        checked.are_legal ? absl::OkStatus()
                          : PrepareForMetric(options_.metric, &mine_.points,
                                             options_.num_threads);
    stopwatch.Lap("check of points");
    RETURN_IF_ERROR(ranks_.Agree(prepared));
    BeginIndex(std::move(checked.points));
    return absl::OkStatus();
  }

  absl::Status OpenLinks() {
    if (ranks_.size() == 1) return absl::OkStatus();
    ASSIGN_OR_RETURN(const bool on_gpus, OnAllRanks(device_ == Device::kCuda));
    if (!on_gpus) return absl::OkStatus();
    RETURN_IF_ERROR(TakeDeviceOfRank(ranks_));
    ASSIGN_OR_RETURN(links_, OpenDeviceLinks(ranks_, way_));
    return absl::OkStatus();
  }

  // RankGraph numbers dependent points up to twice those of a rank.
  absl::Status CheckOwnPoints() const {
    if (mine_.points.num_points <= int32_t{1} << 30) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("density peaks: expected at most 2^30 points on a rank, "
                     "found ",
                     mine_.points.num_points));
  }

  // Whether this rank compares all of its points with all others: what is known
  // before or after the index is made.
  enum AllPairs : int { kNotExpected, kLikely, kCertain };
  int ComparesAllPairs() const {
    const int32_t d = mine_.points.num_dimensions;
    if (mine_.points.num_points == 0) return kCertain;
    if (d <= kMostPartitionedDimensions) return kNotExpected;
    if (index_ != nullptr) {
      return index_->name() == "brute force" ? kCertain : kNotExpected;
    }
    return options_.index == DensityPeaksIndex::kBruteForce ? kCertain
           : options_.index == DensityPeaksIndex::kAuto &&
                   d > kMostTreeDimensions
               ? kLikely
               : kNotExpected;
  }

  // A rank without points has nothing for a GPU.
  bool has_gpu_work() const {
    return device_ == Device::kCuda && mine_.points.num_points > 0;
  }
  bool moves_points() const {
    return ranks_.size() > 1 &&
           mine_.points.num_dimensions <= kMostPartitionedDimensions;
  }

  // Whether points go to the GPU to stay, or to move from GPU to GPU. Ranks
  // without points also take part in moves.
  bool copies_points() const {
    return ranks_.size() > 1 && device_ == Device::kCuda &&
           (moves_points() || has_gpu_work());
  }

  // The points on the GPU; null if they do not go there, or do not fit.
  std::shared_ptr<DevicePoints> CopyToDevice() const {
    if (!copies_points() || !TakeDeviceOfRank(ranks_).ok()) return nullptr;
    absl::StatusOr<std::shared_ptr<DevicePoints>> copied =
        CopyPointsToDevice(mine_.points, options_.metric);
    return copied.ok() ? *std::move(copied) : nullptr;
  }

  // On another thread, makes brute force that is likely of `points` on the GPU,
  // or copies first those that have just been changed.
  void BeginIndex(std::shared_ptr<DevicePoints> points) {
    if (!copies_points()) return;
    // They did not fit.
    if (points == nullptr && !IsByAngle(options_.metric)) return;
    const bool is_brute_force = ComparesAllPairs() != kNotExpected;
    begun_ = std::async(
        std::launch::async,
        [this, points = std::move(points), is_brute_force]() -> BegunIndex {
          if (!TakeDeviceOfRank(ranks_).ok()) return {};
          BegunIndex begun = {points != nullptr ? points : CopyToDevice(),
                              nullptr};
          if (is_brute_force && begun.points != nullptr) {
            begun.brute_force = BeginBruteForce(*begun.points);
          }
          return begun;
        });
  }

  // What BeginIndex made.
  BegunIndex TakeBegun() {
    return begun_.valid() ? begun_.get() : BegunIndex();
  }

  // Copies coordinates that only the GPU has.
  absl::Status PointsOnHost() {
    if (std::exchange(on_host_, true)) return absl::OkStatus();
    ResizeVector(int64_t{mine_.points.num_points} * mine_.points.num_dimensions,
                 ResolveThreads(options_.num_threads), &mine_.points.values);
    return CopyRowsCuda(*on_device_, absl::MakeSpan(mine_.points.values));
  }

  absl::Status MakeOwnIndex() {
    const double cutoff = result_.graph.cutoff_distance;
    if (!has_gpu_work()) {
      on_device_ = nullptr;
      on_host_ = true;
      ASSIGN_OR_RETURN(index_,
                       MakeIndex(mine_.points, options_.metric, options_.index,
                                 cutoff, options_.num_threads));
    } else {
      if (options_.index == DensityPeaksIndex::kAuto &&
          mine_.points.num_dimensions > kSurelyBoxTree) {
        RETURN_IF_ERROR(PointsOnHost());
      }
      BegunIndex begun =
          moves_points() ? BegunIndex{on_device_, nullptr} : TakeBegun();
      if (begun.points == nullptr) {
        absl::StatusOr<std::shared_ptr<DevicePoints>> copied =
            CopyPointsToDevice(mine_.points, options_.metric);
        // Otherwise the index says what does not fit.
        if (copied.ok()) begun.points = *std::move(copied);
      }
      on_device_ = begun.points;
      ASSIGN_OR_RETURN(
          index_,
          MakeDeviceIndex(mine_.points, options_.metric, options_.index, cutoff,
                          options_.num_threads, std::move(begun)));
    }
    rows_.emplace(
        mine_.points, on_device_.get(), [this] { return PointsOnHost(); },
        ResolveThreads(options_.num_threads));
    return absl::OkStatus();
  }

  MetBlocks* Blocks() { return blocks_.has_value() ? &*blocks_ : nullptr; }

  absl::StatusOr<bool> OnAllRanks(bool here) {
    ASSIGN_OR_RETURN(const int all,
                     ranks_.AllReduce(Reduction::kMin, here ? 1 : 0));
    return all == 1;
  }

  // The numbers of this rank's block are from here on.
  int64_t first() const { return firsts_[ranks_.rank()]; }
  int32_t num_points() const { return static_cast<int32_t>(firsts_.back()); }

  // Call it while the points are in blocks.
  absl::Status FindCutoff() {
    const PhaseTimer timer(&result_.seconds.cutoff, "cutoff");
    result_.graph.cutoff_distance = options_.cutoff_distance;
    if (options_.cutoff_distance > 0) return absl::OkStatus();
    if (!drawn_.has_value()) {
      ASSIGN_OR_RETURN(drawn_, DrawPairs(mine_.points, firsts_, options_,
                                         links_.get(), ranks_));
    }
    ASSIGN_OR_RETURN(const CutoffDistance cutoff,
                     FindRankCutoff(*drawn_, mine_.points, firsts_, options_,
                                    device_, ranks_));
    drawn_.reset();
    result_.graph.cutoff_distance = cutoff.distance;
    result_.cutoff_quantile = cutoff.quantile;
    result_.cutoff_sampled = cutoff.sampled;
    result_.cutoff_replaced = cutoff.replaced;
    return absl::OkStatus();
  }

  absl::Status FindClusters() {
    const bool by_significance =
        options_.peaks.rule == PeakSelection::Rule::kSignificance;
    const PhaseTimer timer(by_significance ? &result_.seconds.saddles
                                           : &result_.seconds.assignment,
                           by_significance ? "saddles" : "peaks");
    if (!by_significance) {
      blocks_.reset();  // It keeps copies of points.
      ASSIGN_OR_RETURN(clusters_, FindRankClusters(mine_, options_,
                                                   wanted_ == RanksResult::kAll,
                                                   device_, ranks_, &graph_));
    } else {
      // With one meeting nobody visits.
      if (blocks_.has_value() && NumMeetings(ranks_) > 1) {
        ASSIGN_OR_RETURN(const std::vector<double> box, rows_->Box());
        ASSIGN_OR_RETURN(
            graph_.boxes,
            RankBoxes::Gather(box, NormOfMetric(options_.metric), ranks_));
      }
      const int32_t n = mine_.points.num_points;
      if (DensityRanks& own = graph_.order; own.order.empty() && n > 0) {
        ResizeVector(n, ResolveThreads(options_.num_threads), &own.ranks);
        ResizeVector(n, ResolveThreads(options_.num_threads), &own.order);
        RETURN_IF_ERROR(index_->CopyDensityRanks(absl::MakeSpan(own.ranks),
                                                 absl::MakeSpan(own.order)));
      }
      ASSIGN_OR_RETURN(
          const RankBasins basins,
          FindRankBasins(mine_, *rows_, graph_, *index_, options_.metric,
                         device_, Blocks(), options_.num_threads, ranks_));
      blocks_.reset();
      ASSIGN_OR_RETURN(clusters_, FindSignificantRankClusters(
                                      mine_, graph_, basins, options_, ranks_));
    }
    result_.clusters.peaks = std::move(clusters_.peaks);
    result_.significance = std::move(clusters_.significance);
    return absl::OkStatus();
  }

  absl::Status SendBack() {
    const int threads = ResolveThreads(options_.num_threads);
    // Where the points of each block begin.
    std::vector<int64_t> begins;
    for (const int64_t first : firsts_) {
      begins.push_back(
          std::lower_bound(mine_.numbers.begin(), mine_.numbers.end(), first) -
          mine_.numbers.begin());
    }
    const auto bring_back = [&](auto& values) {
      return routes_.BringBack(std::move(values), begins, links_.get(), ranks_);
    };
    DecisionGraph& graph = graph_.graph;
    const int32_t n = mine_.points.num_points;
    Clusters& clusters = result_.clusters;
    ASSIGN_OR_RETURN(clusters.labels, bring_back(clusters_.labels));
    if (options_.peaks.density_min == 0) {
      ResizeVector(static_cast<int64_t>(clusters.labels.size()), threads,
                   &clusters.noise);
    } else {
      std::vector<uint8_t> noise;
      ResizeVector(n, threads, &noise);
#pragma omp parallel for num_threads(threads) schedule(static)
      for (int32_t i = 0; i < n; ++i) {
        noise[i] = graph.densities[i] < options_.peaks.density_min ? 1 : 0;
      }
      ASSIGN_OR_RETURN(clusters.noise, bring_back(noise));
    }
    if (wanted_ == RanksResult::kClusters) return absl::OkStatus();
    std::vector<int32_t> numbers;
    ResizeVector(n, threads, &numbers);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t i = 0; i < n; ++i) {
      numbers[i] = graph_.DependentNumber(i, mine_.numbers);
    }
    ASSIGN_OR_RETURN(result_.graph.dependent_points, bring_back(numbers));
    ASSIGN_OR_RETURN(result_.graph.densities, bring_back(graph.densities));
    ASSIGN_OR_RETURN(result_.graph.dependent_distances,
                     bring_back(graph.dependent_distances));
    return absl::OkStatus();
  }

  const DensityPeaksOptions& options_;
  Communicator& ranks_;
  const RanksResult wanted_;
  const DeviceWay way_;
  Device device_ = Device::kCpu;
  // Block r has the numbers [firsts_[r], firsts_[r + 1]).
  std::vector<int64_t> firsts_ = {0};
  RankPoints mine_;
  // Null unless all ranks have a GPU and these reach each other.
  std::unique_ptr<DeviceLinks> links_;
  // For the cutoff distance.
  std::optional<DrawnPairs> drawn_;
  std::future<BegunIndex> begun_;
  // The points of mine_ on this rank's GPU, or null.
  std::shared_ptr<DevicePoints> on_device_;
  // Whether the host has their coordinates.
  bool on_host_ = true;
  PointRoutes routes_;
  std::unique_ptr<NeighborIndex> index_;
  std::optional<RankRows> rows_;
  // None if points visit other ranks.
  std::optional<MetBlocks> blocks_;
  RankGraph graph_;
  RankClusters clusters_;
  DensityPeaksResult result_;
};

}  // namespace

int64_t BytesToMove(const PointMatrix& block) {
  if (block.num_dimensions > kMostPartitionedDimensions) return 0;
  // The points that come or stay, and as floats half of those that leave.
  const auto bytes = static_cast<int64_t>(block.values.size() * sizeof(double));
  return bytes + bytes / 2;
}

PointsJob RankPointsJob(int64_t num_points, int32_t num_dimensions,
                        const PeakSelection& peaks, int num_ranks) {
  // In many dimensions a rank has its share of all pairs.
  const double ranks = num_dimensions > kMostPartitionedDimensions
                           ? std::sqrt(static_cast<double>(num_ranks))
                           : static_cast<double>(num_ranks);
  return {static_cast<int64_t>(static_cast<double>(num_points) / ranks),
          num_dimensions, peaks.rule == PeakSelection::Rule::kSignificance};
}

absl::StatusOr<DensityPeaksResult> DensityPeaksOnRanks(
    PointMatrix block, const DensityPeaksOptions& options, Communicator& ranks,
    RanksResult result, DeviceWay way) {
  return Job(std::move(block), options, ranks, result, way).Run();
}

}  // namespace warpclust
