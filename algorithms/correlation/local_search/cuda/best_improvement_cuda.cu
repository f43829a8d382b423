// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/correlation/local_search/cuda/best_improvement_cuda.h"
#include "algorithms/correlation/local_search/cuda/vnd_evaluation.cuh"
#include "algorithms/correlation/local_search/cuda/vnd_job.cuh"
#include "algorithms/correlation/local_search/cuda/vnd_update.cuh"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

using Partition = CudaBestImprovement::Partition;

// Clusters that a descent may found before the matrices must grow.
constexpr int64_t kSpareColumns = 8;
constexpr int kFirstRounds = 8;
// Enough blocks to fill any GPU several times over.
constexpr int64_t kManyBlocks = 4096;

// The largest index of blocks in y.
constexpr int64_t kMostSideBySide = 65535;

// Whether sums and differences of sums of one vertex need 64 bits.
bool NeedsWideSums(const SignedGraph& graph) {
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    int64_t magnitude = 0;
    for (const int64_t weight : graph.WeightsOf(v)) {
      magnitude += weight < 0 ? -weight : weight;
      if (magnitude > int64_t{1} << 30) return true;
    }
  }
  return false;
}

// I(P) with every vertex alone.
int64_t ApartImbalance(const SignedGraph& graph) {
  int64_t positive = 0;
  for (const int64_t weight : graph.weights) {
    positive += std::max<int64_t>(weight, 0);
  }
  return graph.constant_cost + positive / 2;  // Each pair is in two rows.
}

template <typename Sum>
class VndEngine final : public CudaBestImprovement {
 public:
  VndEngine(const SignedGraph& graph, int neighborhood, int64_t side_by_side,
            int rounds)
      : n_(graph.num_vertices()),
        neighborhood_(neighborhood),
        apart_imbalance_(ApartImbalance(graph)),
        side_by_side_(std::clamp<int64_t>(side_by_side, 1, kMostSideBySide)),
        most_rounds_(std::max(rounds, 1)) {}

  absl::Status Upload(const SignedGraph& graph);

  absl::Status Descend(const SearchControl& control,
                       absl::Span<Partition* const> partitions) override;

 private:
  using Wave = absl::Span<Partition* const>;

  // Makes room for `count` partitions with labels below `columns`, or for fewer
  // if that does not fit; sets room_ and the sizes in job_.
  absl::Status MakeRoomFor(int64_t count, int64_t columns);
  absl::Status Allocate(int64_t count, int64_t columns);
  // Copies the labels of the wave and fills the matrices.
  absl::Status Begin(Wave wave);
  absl::Status LaunchRounds(int64_t count, int rounds);
  // Sets states_.
  absl::Status DownloadStates(int64_t count);
  absl::Status DownloadLabels(Wave wave);
  absl::Status DescendWave(const SearchControl& control, Wave wave);

  const int64_t n_;
  const int neighborhood_;
  const int64_t apart_imbalance_;
  // The most partitions at a time; less after memory ran out.
  int64_t side_by_side_;
  const int most_rounds_;
  int64_t num_entries_ = 0;

  DeviceBuffer<int64_t> offsets_;
  DeviceBuffer<int32_t> neighbors_;
  DeviceBuffer<Sum> weights_;
  DeviceBuffer<int32_t> rows_;

  // For room_ partitions side by side.
  int64_t room_ = 0;
  DeviceBuffer<Sum> positive_;
  DeviceBuffer<Sum> negative_;
  DeviceBuffer<int32_t> labels_;
  DeviceBuffer<int32_t> sizes_;
  DeviceBuffer<VndState> device_states_;
  DeviceBuffer<VndMove> best_;
  VndJob<Sum> job_ = {};

  std::vector<VndState> states_;
  std::vector<int32_t> host_labels_;
};

template <typename Sum>
absl::Status VndEngine<Sum>::Upload(const SignedGraph& graph) {
  num_entries_ = static_cast<int64_t>(graph.neighbors.size());
  ASSIGN_OR_RETURN(offsets_, DeviceBuffer<int64_t>::FromHost(graph.offsets));
  ASSIGN_OR_RETURN(neighbors_,
                   DeviceBuffer<int32_t>::FromHost(graph.neighbors));
  const std::vector<Sum> weights(graph.weights.begin(), graph.weights.end());
  ASSIGN_OR_RETURN(weights_, DeviceBuffer<Sum>::FromHost(weights));
  if (neighborhood_ >= 2) {
    std::vector<int32_t> rows;
    rows.reserve(graph.neighbors.size());
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      rows.insert(rows.end(), static_cast<size_t>(graph.Degree(v)), v);
    }
    ASSIGN_OR_RETURN(rows_, DeviceBuffer<int32_t>::FromHost(rows));
  }
  job_.num_vertices = graph.num_vertices();
  job_.offsets = offsets_.data();
  job_.neighbors = neighbors_.data();
  job_.weights = weights_.data();
  job_.rows = rows_.data();
  return absl::OkStatus();
}

template <typename Sum>
absl::Status VndEngine<Sum>::Allocate(int64_t count, int64_t columns) {
  room_ = 0;
  job_.columns = static_cast<int32_t>(columns);
  job_.blocks_of_vertices = static_cast<int32_t>(BlocksFor(n_, kVndThreads));
  // One thread per move, as long as the GPU holds that many.
  job_.groups = static_cast<int32_t>(std::clamp<int64_t>(
      kManyBlocks / (job_.blocks_of_vertices * count), 1, columns + 1));
  job_.pair_blocks = 0;
  if (neighborhood_ >= 2) {
    job_.pair_blocks = static_cast<int32_t>(BlocksFor(
        num_entries_, kVndThreads, std::max<int64_t>(1, kManyBlocks / count)));
  }
  job_.num_best =
      std::max(job_.blocks_of_vertices * job_.groups, job_.pair_blocks);
  RETURN_IF_ERROR(AllocateInto(count * columns * n_, positive_));
  RETURN_IF_ERROR(AllocateInto(count * columns * n_, negative_));
  RETURN_IF_ERROR(AllocateInto(count * n_, labels_));
  RETURN_IF_ERROR(AllocateInto(count * columns, sizes_));
  RETURN_IF_ERROR(AllocateInto(count, device_states_));
  RETURN_IF_ERROR(AllocateInto(count * job_.num_best, best_));
  room_ = count;
  job_.positive = positive_.data();
  job_.negative = negative_.data();
  job_.labels = labels_.data();
  job_.sizes = sizes_.data();
  job_.states = device_states_.data();
  job_.best = best_.data();
  return absl::OkStatus();
}

template <typename Sum>
absl::Status VndEngine<Sum>::MakeRoomFor(int64_t count, int64_t columns) {
  count = std::min(count, side_by_side_);
  // n labels, and two that a pair may ask for.
  columns = std::min(columns, n_ + 2);
  if (count <= room_ && columns <= job_.columns) return absl::OkStatus();
  count = std::max(count, std::min(room_, side_by_side_));
  columns = std::max<int64_t>(columns, job_.columns);
  while (true) {
    const absl::Status status = Allocate(count, columns);
    if (status.ok()) return status;
    // Nothing is held while fewer are tried.
    positive_ = {};
    negative_ = {};
    if (!absl::IsResourceExhausted(status)) return status;
    if (count == 1) {
      return NameWhatDidNotFit(
          status, absl::StrCat("two matrices of ", n_, " vertices and ",
                               columns, " clusters, on the GPU"));
    }
    count /= 2;
    side_by_side_ = count;
  }
}

template <typename Sum>
absl::Status VndEngine<Sum>::Begin(Wave wave) {
  const auto count = static_cast<int64_t>(wave.size());
  host_labels_.resize(count * n_);
  states_.resize(count);
  for (int64_t p = 0; p < count; ++p) {
    const Labels& labels = wave[p]->labels;
    std::copy(labels.begin(), labels.end(), host_labels_.begin() + p * n_);
    states_[p] = {0, wave[p]->moves,
                  1 + *std::max_element(labels.begin(), labels.end()),
                  VndPhase::kSingles};
  }
  RETURN_IF_ERROR(labels_.CopyFromHost(host_labels_));
  RETURN_IF_ERROR(device_states_.CopyFromHost(states_));
  RETURN_IF_ERROR(positive_.FillBytes(0));
  RETURN_IF_ERROR(negative_.FillBytes(0));
  RETURN_IF_ERROR(sizes_.FillBytes(0));
  const dim3 grid(BlocksFor(n_, kVndThreads / 32, kManyBlocks),
                  static_cast<unsigned>(count));
  FillSums<Sum><<<grid, kVndThreads>>>(job_);
  return CudaLaunchStatus("fill the sums of CUDAVND");
}

template <typename Sum>
absl::Status VndEngine<Sum>::LaunchRounds(int64_t count, int rounds) {
  const auto partitions = static_cast<unsigned>(count);
  const dim3 grid(static_cast<unsigned>(job_.blocks_of_vertices * job_.groups),
                  partitions);
  const dim3 pair_grid(static_cast<unsigned>(job_.pair_blocks), partitions);
  for (int round = 0; round < rounds; ++round) {
    EvaluateMoves<Sum><<<grid, kVndThreads>>>(job_);
    if (neighborhood_ >= 2)
      EvaluatePairs<Sum><<<pair_grid, kVndThreads>>>(job_);
    UpdatePartition<Sum><<<partitions, kVndThreads>>>(job_, neighborhood_);
  }
  return CudaLaunchStatus("rounds of CUDAVND");
}

template <typename Sum>
absl::Status VndEngine<Sum>::DownloadStates(int64_t count) {
  states_.resize(count);
  return device_states_.CopyToHost(absl::MakeSpan(states_));
}

template <typename Sum>
absl::Status VndEngine<Sum>::DownloadLabels(Wave wave) {
  RETURN_IF_ERROR(labels_.CopyToHost(absl::MakeSpan(host_labels_)));
  for (size_t p = 0; p < wave.size(); ++p) {
    const auto begin = host_labels_.begin() + static_cast<int64_t>(p) * n_;
    std::copy(begin, begin + n_, wave[p]->labels.begin());
  }
  return absl::OkStatus();
}

template <typename Sum>
absl::Status VndEngine<Sum>::DescendWave(const SearchControl& control,
                                         Wave wave) {
  const auto count = static_cast<int64_t>(wave.size());
  RETURN_IF_ERROR(Begin(wave));
  const auto any_is = [&](VndPhase phase) {
    return std::any_of(
        states_.begin(), states_.end(),
        [&](const VndState& state) { return state.phase == phase; });
  };
  int rounds = std::min(kFirstRounds, most_rounds_);
  while (true) {
    RETURN_IF_ERROR(LaunchRounds(count, rounds));
    RETURN_IF_ERROR(DownloadStates(count));
    if (!any_is(VndPhase::kSingles) && !any_is(VndPhase::kPairs)) break;
    if (control.ShouldStop()) break;
    rounds = std::min(2 * rounds, most_rounds_);
  }
  SumInside<Sum><<<static_cast<unsigned>(count), kVndThreads>>>(job_);
  RETURN_IF_ERROR(CudaLaunchStatus("sum the weights inside clusters"));
  RETURN_IF_ERROR(DownloadStates(count));
  RETURN_IF_ERROR(DownloadLabels(wave));
  for (int64_t p = 0; p < count; ++p) {
    wave[p]->moves = states_[p].moves;
    wave[p]->imbalance = apart_imbalance_ - states_[p].inside;
    wave[p]->complete = states_[p].phase == VndPhase::kDone;
  }
  return absl::OkStatus();
}

template <typename Sum>
absl::Status VndEngine<Sum>::Descend(const SearchControl& control,
                                     absl::Span<Partition* const> partitions) {
  int64_t columns = 0;
  for (Partition* partition : partitions) {
    partition->moves = 0;
    const Labels& labels = partition->labels;
    columns = std::max<int64_t>(
        columns, 1 + *std::max_element(labels.begin(), labels.end()));
  }
  columns += kSpareColumns;
  std::vector<Partition*> remaining(partitions.begin(), partitions.end());
  while (!remaining.empty()) {
    RETURN_IF_ERROR(
        MakeRoomFor(static_cast<int64_t>(remaining.size()), columns));
    std::vector<Partition*> unfinished;
    for (size_t begin = 0; begin < remaining.size();
         begin += static_cast<size_t>(room_)) {
      const Wave wave = absl::MakeConstSpan(remaining).subspan(
          begin, static_cast<size_t>(room_));
      RETURN_IF_ERROR(DescendWave(control, wave));
      for (size_t p = 0; p < wave.size(); ++p) {
        if (states_[p].phase == VndPhase::kNeedsColumn) {
          unfinished.push_back(wave[p]);
        }
      }
    }
    if (control.ShouldStop()) break;
    // These continue from where they are, with more columns.
    columns = int64_t{job_.columns} * 2;
    remaining = std::move(unfinished);
  }
  return absl::OkStatus();
}

template <typename Sum>
absl::StatusOr<std::unique_ptr<CudaBestImprovement>> MakeEngine(
    const SignedGraph& graph, int neighborhood, int64_t side_by_side,
    int rounds) {
  auto engine = std::make_unique<VndEngine<Sum>>(graph, neighborhood,
                                                 side_by_side, rounds);
  if (absl::Status s = engine->Upload(graph); !s.ok()) {
    return NameWhatDidNotFit(
        s, absl::StrCat("a signed graph of ", graph.num_vertices(),
                        " vertices, on the GPU"));
  }
  return engine;
}

}  // namespace

absl::StatusOr<std::unique_ptr<CudaBestImprovement>> NewCudaBestImprovement(
    const SignedGraph& graph, int neighborhood, int64_t side_by_side,
    int rounds) {
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  return NeedsWideSums(graph)
             ? MakeEngine<int64_t>(graph, neighborhood, side_by_side, rounds)
             : MakeEngine<int32_t>(graph, neighborhood, side_by_side, rounds);
}

}  // namespace warpclust
