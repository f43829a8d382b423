// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/device_searches.h"
#include "algorithms/density_peaks/peaks/cuda/pair_round_kernels.cuh"
#include "algorithms/density_peaks/peaks/cuda/pair_rounds_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "vptree/points/device_points.h"

namespace warpclust {
namespace {

constexpr int kThreads = kPairThreads;

class CudaPairRounds final : public PairRounds {
 public:
  CudaPairRounds(DeviceSearches& searches, const NeighborIndex* index,
                 double radius_key)
      : searches_(searches), index_(index), radius_key_(radius_key) {}

  absl::Status Start(const PointsInBasins& points, int32_t num_basins) {
    const auto n = static_cast<int64_t>(points.basins.size());
    n_ = n;
    if (searches_.by_density.ranks.size() != n) {
      return absl::ResourceExhaustedError("the GPU has not ranked the points");
    }
    ASSIGN_OR_RETURN(basins_, DeviceBuffer<int32_t>::FromHost(points.basins));
    ASSIGN_OR_RETURN(const auto numbers,
                     DeviceBuffer<int32_t>::FromHost(points.numbers));
    for (DeviceBuffer<int32_t>* const by_place :
         {&labels_, &found_basins_, &best_}) {
      RETURN_IF_ERROR(AllocateInto(n, *by_place));
    }
    RETURN_IF_ERROR(AllocateInto(n, standings_));
    RETURN_IF_ERROR(AllocateInto(n, found_));
    RETURN_IF_ERROR(AllocateInto(n, is_exact_));
    RETURN_IF_ERROR(AllocateInto(n, is_searching_));
    RETURN_IF_ERROR(AllocateInto(num_basins, roots_));
    RETURN_IF_ERROR(AllocateInto(num_basins, above_));
    for (DeviceBuffer<uint64_t>* const by_basin :
         {&bounds_, &passes_, &others_, &pair_basins_}) {
      RETURN_IF_ERROR(AllocateInto(num_basins, *by_basin));
    }
    RETURN_IF_ERROR(AllocateInto(1, count_));
    RETURN_IF_ERROR(WriteNumbers(reinterpret_cast<uint32_t*>(roots_.data()),
                                 num_basins, nullptr));
    const DeviceRanks& by_density = searches_.by_density;
    StartKernel<<<BlocksFor(n, kThreads), kThreads>>>(
        arrays(), by_density.ranks.data(), by_density.keys.data(),
        numbers.data(), standings_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("start of pairs"));
    // With visitors, a round must not be the first to find too little memory.
    DeviceBuffer<MetPoint> room;
    return index_ == nullptr ? absl::OkStatus() : AllocateInto(n, room);
  }

  absl::Status SetGroups(absl::Span<const int32_t> roots) override {
    RETURN_IF_ERROR(roots_.CopyFromHost(roots));
    LabelsKernel<<<blocks(), kThreads>>>(arrays());
    return CudaLaunchStatus("groups");
  }

  absl::Status FirstPairs(absl::Span<PointStanding> passes,
                          absl::Span<PointStanding> others) override {
    RETURN_IF_ERROR(passes_.FillBytes(0xff));
    RETURN_IF_ERROR(others_.FillBytes(0xff));
    PassesKernel<<<blocks(), kThreads>>>(arrays(), passes_.data());
    OthersKernel<<<blocks(), kThreads>>>(arrays(), passes_.data(),
                                         others_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("first pairs"));
    RETURN_IF_ERROR(passes_.CopyToHost(passes));
    return others_.CopyToHost(others);
  }

  absl::Status PairBasins(absl::Span<const PointStanding> passes,
                          absl::Span<const PointStanding> others,
                          absl::Span<uint64_t> basins) override {
    RETURN_IF_ERROR(passes_.CopyFromHost(passes));
    RETURN_IF_ERROR(others_.CopyFromHost(others));
    RETURN_IF_ERROR(pair_basins_.FillBytes(0xff));
    PairBasinsKernel<<<blocks(), kThreads>>>(
        arrays(), passes_.data(), others_.data(), pair_basins_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("basins of pairs"));
    return pair_basins_.CopyToHost(basins);
  }

  absl::StatusOr<int64_t> BeginSearch(
      absl::Span<const PointStanding> bounds) override {
    RETURN_IF_ERROR(bounds_.CopyFromHost(bounds));
    RETURN_IF_ERROR(count_.FillBytes(0));
    AboveKernel<<<BlocksFor(bounds_.size(), kThreads), kThreads>>>(
        arrays(), bounds_.size(), above_.data());
    BeginKernel<<<blocks(), kThreads>>>(arrays(), count_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("points that search"));
    unsigned long long searching = 0;
    RETURN_IF_ERROR(count_.CopyToHost(absl::MakeSpan(&searching, 1)));
    return static_cast<int64_t>(searching);
  }

  absl::Status SearchOwn() override {
    RETURN_IF_ERROR(searches_.HighestRankOfOtherLabel(
        radius_key_, searches_.by_density.ranks, labels_, best_));
    TakeOwnKernel<<<blocks(), kThreads>>>(arrays());
    return CudaLaunchStatus("found points");
  }

  absl::Status EndSearch() override {
    EndKernel<<<blocks(), kThreads>>>(arrays());
    return CudaLaunchStatus("end of a search");
  }

  SearchingPoints searching() const override {
    return {nullptr, is_searching_.data()};
  }

  absl::Status Ask(absl::Span<const int32_t> places,
                   absl::Span<FoundQuery> queries) override {
    ASSIGN_OR_RETURN(const auto device_places,
                     DeviceBuffer<int32_t>::FromHost(places));
    DeviceBuffer<FoundQuery> asked;
    RETURN_IF_ERROR(AllocateInto(device_places.size(), asked));
    AskKernel<<<BlocksFor(asked.size(), kThreads), kThreads>>>(
        arrays(), device_places.data(), asked.size(), asked.data());
    RETURN_IF_ERROR(CudaLaunchStatus("queries"));
    return asked.CopyToHost(queries);
  }

  absl::Status AskAll(absl::Span<MetPoint> points) override {
    DeviceBuffer<MetPoint> asked;
    RETURN_IF_ERROR(AllocateInto(n_, asked));
    AskAllKernel<<<blocks(), kThreads>>>(arrays(), asked.data());
    RETURN_IF_ERROR(CudaLaunchStatus("points that meet"));
    return asked.CopyToHost(points);
  }

  absl::Status Take(absl::Span<const int32_t> places,
                    absl::Span<const FoundPoint> found) override {
    ASSIGN_OR_RETURN(const auto device_places,
                     DeviceBuffer<int32_t>::FromHost(places));
    ASSIGN_OR_RETURN(const auto answers,
                     DeviceBuffer<FoundPoint>::FromHost(found));
    TakeKernel<<<BlocksFor(answers.size(), kThreads), kThreads>>>(
        arrays(), device_places.data(), answers.size(), answers.data());
    return CudaLaunchStatus("answers for points");
  }

  absl::Status SearchFor(const PointMatrix& visitors,
                         absl::Span<const FoundQuery> queries,
                         absl::Span<FoundPoint> found) override {
    ASSIGN_OR_RETURN(const auto asked,
                     DeviceBuffer<FoundQuery>::FromHost(queries));
    const int64_t count = asked.size();
    if (count == 0) return absl::OkStatus();
    DeviceBuffer<int32_t> labels, best;
    RETURN_IF_ERROR(AllocateInto(count, labels));
    RETURN_IF_ERROR(AllocateInto(count, best));
    VisitorsKernel<<<BlocksFor(count, kThreads), kThreads>>>(
        arrays(), asked.data(), count, labels.data(), best.data());
    RETURN_IF_ERROR(CudaLaunchStatus("visitors"));
    if (searches_.index.brute_force.has_value()) {
      RETURN_IF_ERROR(SearchByIndex(visitors, labels, best));
    } else {
      ASSIGN_OR_RETURN(
          const DevicePoints device,
          DevicePoints::FromHost(visitors, searches_.points->norm));
      RETURN_IF_ERROR(searches_.index.tree->HighestRankOfOtherLabelOf(
          device, radius_key_, searches_.by_density.ranks, labels_, labels,
          best));
    }
    DeviceBuffer<FoundPoint> answers;
    RETURN_IF_ERROR(AllocateInto(count, answers));
    AnswersKernel<<<BlocksFor(count, kThreads), kThreads>>>(
        arrays(), asked.data(), count, best.data(), answers.data());
    RETURN_IF_ERROR(CudaLaunchStatus("answers"));
    return answers.CopyToHost(found);
  }

 private:
  unsigned blocks() const { return BlocksFor(n_, kThreads); }

  // By the host: brute force has no queries of its own.
  absl::Status SearchByIndex(const PointMatrix& visitors,
                             const DeviceBuffer<int32_t>& labels,
                             DeviceBuffer<int32_t>& best) const {
    ASSIGN_OR_RETURN(const auto ranks, searches_.by_density.ranks.ToHost());
    ASSIGN_OR_RETURN(const auto own_labels, labels_.ToHost());
    ASSIGN_OR_RETURN(const auto query_labels, labels.ToHost());
    ASSIGN_OR_RETURN(std::vector<int32_t> query_best, best.ToHost());
    RETURN_IF_ERROR(index_->HighestRankOfOtherLabelOf(
        visitors, radius_key_, ranks, own_labels, query_labels,
        absl::MakeSpan(query_best)));
    return best.CopyFromHost(query_best);
  }

  PairRoundArrays arrays() {
    return {n_,
            standings_.data(),
            basins_.data(),
            searches_.by_density.order.data(),
            roots_.data(),
            labels_.data(),
            found_.data(),
            found_basins_.data(),
            is_exact_.data(),
            is_searching_.data(),
            best_.data(),
            bounds_.data(),
            above_.data()};
  }

  DeviceSearches& searches_;
  const NeighborIndex* const index_;
  const double radius_key_;
  int64_t n_ = 0;
  // See PairRoundArrays.
  DeviceBuffer<PointStanding> standings_;
  DeviceBuffer<PointStanding> found_;
  DeviceBuffer<int32_t> basins_;
  DeviceBuffer<int32_t> labels_;
  DeviceBuffer<int32_t> found_basins_;
  DeviceBuffer<int32_t> best_;
  DeviceBuffer<uint8_t> is_exact_;
  DeviceBuffer<uint8_t> is_searching_;
  DeviceBuffer<int32_t> roots_;
  DeviceBuffer<int32_t> above_;
  DeviceBuffer<uint64_t> bounds_;
  // By group, to and from the host.
  DeviceBuffer<uint64_t> passes_;
  DeviceBuffer<uint64_t> others_;
  DeviceBuffer<uint64_t> pair_basins_;
  DeviceBuffer<unsigned long long> count_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PairRounds>> MakePairRoundsCuda(
    const PointsInBasins& points, DeviceSearches& searches,
    const NeighborIndex* index, double radius_key, int32_t num_basins) {
  auto rounds = std::make_unique<CudaPairRounds>(searches, index, radius_key);
  RETURN_IF_ERROR(rounds->Start(points, num_basins));
  return rounds;
}

}  // namespace warpclust
