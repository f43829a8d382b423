// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "algorithms/density_peaks/distributed/cuda/rank_rows_cuda.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "algorithms/density_peaks/distributed/met_blocks.h"
#include "algorithms/density_peaks/distributed/partition.h"
#include "algorithms/density_peaks/distributed/point_routes.h"
#include "algorithms/density_peaks/distributed/prepared_block.h"
#include "algorithms/density_peaks/distributed/rank_basins.h"
#include "algorithms/density_peaks/distributed/rank_clusters.h"
#include "algorithms/density_peaks/distributed/rank_cutoff.h"
#include "algorithms/density_peaks/distributed/rank_graph.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "algorithms/density_peaks/distributed/rank_rows.h"
#include "algorithms/density_peaks/distributed/rank_search.h"
#include "algorithms/density_peaks/distributed/shared_pairs.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace {

class Job {
 public:
  Job(PointMatrix points, const DensityPeaksOptions& options,
      Communicator& ranks, RanksResult wanted, DeviceWay way)
      : options_(options),
        ranks_(ranks),
        wanted_(wanted),
        block_(std::move(points), options, ranks, way) {}

  absl::StatusOr<DensityPeaksResult> Run() {
    {
      const PhaseTimer timer(&result_.seconds.build, "build");
      RETURN_IF_ERROR(block_.Prepare());
    }
    RETURN_IF_ERROR(FindCutoff());
    BegunIndex all;
    if (block_.shares_pairs()) {
      ASSIGN_OR_RETURN(all, SharedBruteForce(block_.TakeBegun()));
    }
    if (all.brute_force == nullptr) {
      ASSIGN_OR_RETURN(all, FindIndexes());
    }
    if (all.brute_force != nullptr) return ClusterAll(std::move(all));
    ASSIGN_OR_RETURN(graph_,
                     FindRankGraph(Search(), result_.graph.cutoff_distance));
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
  // RankGraph numbers dependent points up to twice those of a rank.
  absl::Status CheckOwnPoints() const {
    if (mine_.points.num_points <= int32_t{1} << 30) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("density peaks: expected at most 2^30 points on a rank, "
                     "found ",
                     mine_.points.num_points));
  }

  // As far as it is known, before or after the index is made.
  AllPairs ComparesAllPairs() const {
    if (index_ == nullptr) return block_.ExpectedPairs();
    if (mine_.points.num_points == 0) return AllPairs::kCertain;
    return index_->name() == "brute force" &&
                   mine_.points.num_dimensions > kMostPartitionedDimensions
               ? AllPairs::kCertain
               : AllPairs::kNotExpected;
  }

  // The index of each rank's own points, where they are to be. If all choose
  // brute force among points that stay, and can share their pairs, brute force
  // for that instead.
  absl::StatusOr<BegunIndex> FindIndexes() {
    const PhaseTimer timer(&result_.seconds.build, "build");
    Stopwatch stopwatch;
    if (block_.moves_points()) {
      if (links() == nullptr) block_.TakeBegun();  // It is not needed.
      ASSIGN_OR_RETURN(
          Partition partition,
          PartitionPoints(
              block_.first(), options_.num_threads, ranks_, links(),
              [this] { return block_.TakeBegun().points; }, &mine_));
      routes_ = std::move(partition.routes);
      on_device_ = std::move(partition.on_device);
      on_host_ = on_device_ == nullptr;
      stopwatch.Lap("partition");
    } else {
      mine_.numbers.resize(mine_.points.num_points);
      std::iota(mine_.numbers.begin(), mine_.numbers.end(),
                static_cast<int32_t>(block_.first()));
    }
    RETURN_IF_ERROR(ranks_.Agree(CheckOwnPoints()));
    int least[] = {static_cast<int>(ComparesAllPairs()),
                   block_.has_gpu_work() ? 0 : 1};
    RETURN_IF_ERROR(ranks_.AllReduce(Reduction::kMin, absl::MakeSpan(least)));
    const auto all_pairs = static_cast<AllPairs>(least[0]);
    blocks_.emplace(mine_.points, NormOfMetric(options_.metric),
                    ResolveThreads(options_.num_threads),
                    /*may_send_bytes=*/least[1] == 1, ranks_);
    // Rows come while the index is made.
    if (all_pairs != AllPairs::kNotExpected && !block_.shares_pairs()) {
      blocks_->Start();
    }
    RETURN_IF_ERROR(MakeOwnIndex());
    if (all_pairs == AllPairs::kCertain) return BegunIndex();
    RETURN_IF_ERROR(blocks_->Finish());
    ASSIGN_OR_RETURN(const bool by_blocks,
                     ranks_.OnAll(ComparesAllPairs() == AllPairs::kCertain));
    if (!by_blocks) {
      blocks_.reset();
      return BegunIndex();
    }
    if (all_pairs == AllPairs::kLikely && !block_.shares_pairs()) {
      return BegunIndex();  // There was no room.
    }
    ASSIGN_OR_RETURN(BegunIndex all, block_.SharePairs());
    ASSIGN_OR_RETURN(const bool share,
                     ranks_.OnAll(all.brute_force != nullptr));
    return share ? std::move(all) : BegunIndex();
  }

  // A collective call: `begun`, or nothing if a rank could not make brute force
  // or would try a tree, too.
  absl::StatusOr<BegunIndex> SharedBruteForce(BegunIndex begun) {
    const PhaseTimer timer(&result_.seconds.build, "build");
    bool is_chosen = begun.brute_force != nullptr;
    if (is_chosen && options_.index == DensityPeaksIndex::kAuto) {
      const absl::StatusOr<bool> is_sure = IsSurelyBruteForce(
          begun, mine_.points, options_.metric, result_.graph.cutoff_distance,
          options_.num_threads);
      is_chosen = is_sure.ok() && *is_sure;
    }
    ASSIGN_OR_RETURN(is_chosen, ranks_.OnAll(is_chosen));
    return is_chosen ? std::move(begun) : BegunIndex();
  }

  // Clusters what the GPUs have, and keeps what is of this rank's points.
  absl::StatusOr<DensityPeaksResult> ClusterAll(BegunIndex all) {
    // They have or read points.
    blocks_.reset();
    rows_.reset();
    index_ = nullptr;
    on_device_ = nullptr;
    RETURN_IF_ERROR(ClusterOnSharedPairs(
        std::move(all), options_, mine_.points.num_dimensions, &result_));
    const auto keep = [&](auto& of_all) {
      of_all.resize(block_.first() + mine_.points.num_points);
      of_all.erase(of_all.begin(), of_all.begin() + block_.first());
    };
    keep(result_.clusters.labels);
    keep(result_.clusters.noise);
    DecisionGraph& graph = result_.graph;
    if (wanted_ == RanksResult::kClusters) {
      DecisionGraph none;
      none.cutoff_distance = graph.cutoff_distance;
      graph = std::move(none);
    } else {
      keep(graph.densities);
      keep(graph.dependent_points);
      keep(graph.dependent_distances);
    }
    return std::move(result_);
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
    if (!block_.has_gpu_work()) {
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
      BegunIndex begun = block_.moves_points() ? BegunIndex{on_device_, nullptr}
                                               : block_.TakeBegun();
      if (begun.points == nullptr) {
        absl::StatusOr<std::shared_ptr<DevicePoints>> copied =
            CopyPointsToDevice(mine_.points, options_.metric);
        // Otherwise the index says what does not fit.
        if (copied.ok()) begun.points = *std::move(copied);
      }
      on_device_ = begun.points;
      ASSIGN_OR_RETURN(
          std::unique_ptr<DeviceIndex> made,
          MakeDeviceIndex(mine_.points, options_.metric, options_.index, cutoff,
                          options_.num_threads, std::move(begun)));
      searches_on_device_ = &made->searches();
      index_ = std::move(made);
    }
    rows_.emplace(
        mine_.points, on_device_.get(), [this] { return PointsOnHost(); },
        ResolveThreads(options_.num_threads));
    return absl::OkStatus();
  }

  RankSearch Search() {
    return {mine_,
            *rows_,
            *index_,
            options_.metric,
            blocks_.has_value() ? &*blocks_ : nullptr,
            ResolveThreads(options_.num_threads),
            ranks_};
  }

  DeviceLinks* links() const { return block_.links(); }

  absl::StatusOr<CutoffDistance> RankCutoff() {
    if (const std::optional<PairsOnGpu> begun = block_.TakePairsOnGpu()) {
      return FindRankCutoff(*begun, mine_.points, block_.firsts(), options_,
                            ranks_);
    }
    std::optional<DrawnPairs> drawn = block_.TakeDrawn();
    if (!drawn.has_value()) {
      ASSIGN_OR_RETURN(drawn, DrawPairs(mine_.points, block_.firsts(), options_,
                                        links(), ranks_));
    }
    return FindRankCutoff(*drawn, mine_.points, block_.firsts(), options_,
                          block_.device(), ranks_);
  }

  // Call it while the points are in blocks.
  absl::Status FindCutoff() {
    const PhaseTimer timer(&result_.seconds.cutoff, "cutoff");
    result_.graph.cutoff_distance = options_.cutoff_distance;
    if (options_.cutoff_distance > 0) return absl::OkStatus();
    ASSIGN_OR_RETURN(const CutoffDistance cutoff, RankCutoff());
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
      blocks_.reset();  // It keeps points.
      ASSIGN_OR_RETURN(
          clusters_,
          FindRankClusters(mine_, options_, wanted_ == RanksResult::kAll,
                           block_.device(), ranks_, &graph_));
    } else {
      // With one meeting nobody visits.
      if (blocks_.has_value() && NumMeetings(ranks_) > 1) {
        ASSIGN_OR_RETURN(const std::vector<double> box, rows_->Box());
        ASSIGN_OR_RETURN(
            graph_.boxes,
            RankBoxes::Gather(box, NormOfMetric(options_.metric), ranks_));
      }
      ASSIGN_OR_RETURN(const RankBasins basins,
                       FindRankBasins(Search(), graph_, searches_on_device_,
                                      block_.device()));
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
    for (const int64_t first : block_.firsts()) {
      begins.push_back(
          std::lower_bound(mine_.numbers.begin(), mine_.numbers.end(), first) -
          mine_.numbers.begin());
    }
    const auto bring_back = [&](auto& values) {
      return routes_.BringBack(std::move(values), begins, links(), ranks_);
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
  PreparedBlock block_;
  RankPoints& mine_ = block_.mine();
  // The points of mine_ on this rank's GPU, or null.
  std::shared_ptr<DevicePoints> on_device_;
  // Whether the host has their coordinates.
  bool on_host_ = true;
  PointRoutes routes_;
  std::unique_ptr<NeighborIndex> index_;
  // What it has on the GPU; null on the CPU.
  DeviceSearches* searches_on_device_ = nullptr;
  std::optional<RankRows> rows_;
  // None if points visit other ranks.
  // Below index_, which it may read.
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
