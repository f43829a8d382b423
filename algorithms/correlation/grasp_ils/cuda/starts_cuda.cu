// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/correlation/grasp_ils/cuda/start_graph.cuh"
#include "algorithms/correlation/grasp_ils/cuda/start_kernel.cuh"
#include "algorithms/correlation/grasp_ils/cuda/starts_cuda.h"
#include "algorithms/correlation/grasp_ils/cuda/vnd_starts_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device.h"
#include "kernels/device/device_limits.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

using internal::CudaStartTuning;

constexpr int64_t kNotMade = std::numeric_limits<int64_t>::max();

// The shared memory of a block of GRASP: several share a multiprocessor.
constexpr int64_t kGraspSharedBytes = 32 << 10;

int64_t PositiveWeight(const SignedGraph& graph) {
  int64_t sum = 0;
  for (const int64_t weight : graph.weights)
    sum += std::max<int64_t>(weight, 0);
  return sum / 2;  // Each pair is in two rows.
}

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

// A matrix of sums pays off where a move touches most of its columns and the
// matrices of many starts fit.
bool IsDense(const SignedGraph& graph) {
  const int64_t n = graph.num_vertices();
  return n <= 2048 &&
         static_cast<int64_t>(graph.neighbors.size()) >= n * (n / 16);
}

template <typename Graph>
class CudaStartRunner final : public StartRunner {
 public:
  using Sums = typename Graph::Sums;
  using Sum = typename Sums::Sum;

  CudaStartRunner(const SignedGraph& graph, const CorrelationOptions& options,
                  const CudaStartTuning& tuning)
      : graph_(graph),
        options_(options),
        tuning_(tuning),
        arrays_layout_(graph.num_vertices()) {}

  absl::Status Prepare();

  int64_t batch() const override { return workspaces_; }

  absl::StatusOr<std::vector<StartResult>> Run(int64_t begin, int64_t end,
                                               SearchControl& control) override;

 private:
  absl::Status ChooseBlocks();
  void ChooseShared(int64_t most_bytes);
  absl::Status AllocateWorkspaces();
  // Runs starts [begin, begin + count), one workspace each, and sets progress_.
  absl::Status RunWave(int64_t begin, int64_t count, SearchControl& control);
  absl::StatusOr<Labels> DownloadLabels(int64_t workspace) const;

  // Whether all vertices are clustered.
  static bool IsPartition(const StartProgress& progress) {
    return progress.has_best || progress.phase == StartPhase::kDescend;
  }
  bool ils() const { return options_.method == CorrelationMethod::kIls; }

  const SignedGraph& graph_;
  const CorrelationOptions options_;
  const CudaStartTuning tuning_;

  int threads_ = 0;
  int64_t shared_bytes_ = 0;
  int64_t workspaces_ = 0;

  DeviceBuffer<int64_t> offsets_;
  Graph device_graph_;
  const StartArraysLayout<Sum> arrays_layout_;
  DeviceBuffer<StartProgress> device_progress_;
  DeviceBuffer<unsigned char> arrays_;
  DeviceBuffer<typename Sums::Entry> entries_;
  StartJob<Sums> job_ = {};
  // By workspace, after the last slice.
  std::vector<StartProgress> progress_;
};

template <typename Graph>
absl::Status CudaStartRunner<Graph>::Prepare() {
  ASSIGN_OR_RETURN(offsets_, DeviceBuffer<int64_t>::FromHost(graph_.offsets));
  RETURN_IF_ERROR(device_graph_.Upload(graph_));
  RETURN_IF_ERROR(ChooseBlocks());
  RETURN_IF_ERROR(AllocateWorkspaces());
  progress_.resize(workspaces_);

  job_.num_vertices = graph_.num_vertices();
  job_.offsets = offsets_.data();
  job_.edges = device_graph_.edges.data();
  job_.layout = device_graph_.layout;
  job_.apart_imbalance = graph_.constant_cost + PositiveWeight(graph_);
  job_.least_imbalance = graph_.constant_cost;
  job_.seed = options_.seed;
  job_.ils = ils();
  job_.ils_iterations = options_.ils_iterations;
  job_.perturbation_max = options_.perturbation_max;
  job_.progress = device_progress_.data();
  job_.arrays = arrays_.data();
  job_.entries = entries_.data();
  return absl::OkStatus();
}

// Chooses what is kept in shared memory.
template <typename Graph>
void CudaStartRunner<Graph>::ChooseShared(int64_t most_bytes) {
  const int64_t n = graph_.num_vertices();
  job_.shared_array_bytes = arrays_layout_.PrefixWithin(most_bytes);
  // Whole rows of sums, an even number, so that they are copied 8 bytes at a
  // time.
  const int64_t row_entries = device_graph_.row_entries();
  if (row_entries > 0 && job_.shared_array_bytes == arrays_layout_.size) {
    const int64_t rows = (most_bytes - job_.shared_array_bytes) /
                         (row_entries * int64_t{sizeof(Sum)});
    job_.shared_entries = std::min(rows, n) / 2 * 2 * row_entries;
  }
  shared_bytes_ =
      job_.shared_array_bytes + job_.shared_entries * int64_t{sizeof(Sum)};
}

template <typename Graph>
absl::Status CudaStartRunner<Graph>::ChooseBlocks() {
  const int64_t n = graph_.num_vertices();
  threads_ = tuning_.threads;
  if (threads_ == 0) {
    // At most one thread per neighbor. Many starts side by side hide each
    // other's waits, so blocks of GRASP are smaller.
    const int64_t degree = static_cast<int64_t>(graph_.neighbors.size()) / n;
    const int64_t least = ils() ? 96 : 32;
    const int64_t most = ils() ? kMaxStartThreads - 32 : 96;
    threads_ = static_cast<int>(std::clamp(degree, least, most));
    threads_ = (threads_ + 31) / 32 * 32 + 32;  // 32 for StartMachine.
  }
  ASSIGN_OR_RETURN(const int multiprocessors, NumMultiprocessors());
  ASSIGN_OR_RETURN(const int64_t most_shared,
                   MostSharedBytes(StartKernel<Sums>));
  ChooseShared(ils() ? most_shared : kGraspSharedBytes);
  RETURN_IF_ERROR(AllowSharedBytes(StartKernel<Sums>, shared_bytes_,
                                   "shared memory of starts"));
  int blocks_each = 0;
  RETURN_IF_ERROR(CudaStatus(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                 &blocks_each, StartKernel<Sums>, threads_,
                                 static_cast<size_t>(shared_bytes_)),
                             "occupancy of starts"));
  // Starts of dense graphs compete for a multiprocessor, those of sparse graphs
  // mostly wait for memory.
  const int most_each = ils() ? 1 : device_graph_.row_entries() > 0 ? 4 : 7;
  workspaces_ =
      tuning_.workspaces > 0
          ? tuning_.workspaces
          : int64_t{multiprocessors} * std::clamp(blocks_each, 1, most_each);
  return absl::OkStatus();
}

// As many workspaces as wanted, or as fit in memory.
template <typename Graph>
absl::Status CudaStartRunner<Graph>::AllocateWorkspaces() {
  // The entries of each block begin at a multiple of 8 bytes.
  job_.entries_each = (device_graph_.layout.size + 7) / 8 * 8;
  while (true) {
    absl::Status s = AllocateInto(workspaces_, device_progress_);
    if (s.ok()) s = AllocateInto(workspaces_ * arrays_layout_.size, arrays_);
    if (s.ok()) s = AllocateInto(workspaces_ * job_.entries_each, entries_);
    if (s.ok()) return entries_.FillBytes(0);
    arrays_ = {};
    entries_ = {};
    if (!absl::IsResourceExhausted(s) || workspaces_ == 1) return s;
    workspaces_ /= 2;
  }
}

template <typename Graph>
absl::Status CudaStartRunner<Graph>::RunWave(int64_t begin, int64_t count,
                                             SearchControl& control) {
  for (StartProgress& progress : progress_) {
    const int32_t max_label_ever = progress.max_label_ever;
    progress = StartProgress();
    progress.max_label_ever = max_label_ever;  // The sums are not cleared yet.
  }
  RETURN_IF_ERROR(device_progress_.CopyFromHost(progress_));
  job_.first_start = begin;
  while (true) {
    const double seconds = std::clamp(control.SecondsLeft(), 1e-4,
                                      std::max(tuning_.slice_seconds, 1e-4));
    job_.slice_nanoseconds = static_cast<int64_t>(seconds * 1e9);
    StartKernel<Sums>
        <<<static_cast<unsigned>(count), static_cast<unsigned>(threads_),
           static_cast<size_t>(shared_bytes_)>>>(job_);
    RETURN_IF_ERROR(CudaLaunchStatus("starts"));
    RETURN_IF_ERROR(
        device_progress_.CopyToHost(absl::MakeSpan(progress_).first(count)));
    bool done = true;
    bool usable = begin > 0;
    for (int64_t i = 0; i < count; ++i) {
      const StartProgress& progress = progress_[i];
      if (progress.phase != StartPhase::kDone) done = false;
      if (IsPartition(progress)) usable = true;
      if (ils() && progress.has_best) control.Report(progress.best_imbalance);
    }
    // One of the first starts is made in any case: there must be a partition.
    if (done || (usable && control.ShouldStop())) return absl::OkStatus();
  }
}

template <typename Graph>
absl::StatusOr<Labels> CudaStartRunner<Graph>::DownloadLabels(
    int64_t workspace) const {
  const int64_t n = graph_.num_vertices();
  std::vector<unsigned char> bytes(arrays_layout_.size);
  RETURN_IF_ERROR(arrays_.CopyToHost(absl::MakeSpan(bytes),
                                     workspace * arrays_layout_.size));
  Labels labels(n);
  if (ils() && progress_[workspace].has_best) {
    std::memcpy(labels.data(), bytes.data() + arrays_layout_.best_labels,
                n * sizeof(int32_t));
    return labels;
  }
  std::vector<StartVertex<Sum>> states(n);
  std::memcpy(states.data(), bytes.data() + arrays_layout_.states,
              n * sizeof(states[0]));
  for (int64_t v = 0; v < n; ++v) labels[v] = states[v].label;
  return labels;
}

template <typename Graph>
absl::StatusOr<std::vector<StartResult>> CudaStartRunner<Graph>::Run(
    int64_t begin, int64_t end, SearchControl& control) {
  std::vector<StartResult> results;
  int64_t best = kNotMade;
  while (begin < end) {
    const int64_t count = std::min(workspaces_, end - begin);
    if (!results.empty() && control.ShouldStop()) {
      results.resize(results.size() + count, StartResult{{}, kNotMade, true});
      begin += count;
      continue;
    }
    RETURN_IF_ERROR(RunWave(begin, count, control));
    for (int64_t i = 0; i < count; ++i) {
      const StartProgress& progress = progress_[i];
      StartResult result;
      result.imbalance = progress.has_best       ? progress.best_imbalance
                         : IsPartition(progress) ? progress.imbalance
                                                 : kNotMade;
      result.aborted = progress.phase != StartPhase::kDone;
      if (result.imbalance < best) {
        best = result.imbalance;
        ASSIGN_OR_RETURN(result.labels, DownloadLabels(i));
      }
      results.push_back(std::move(result));
    }
    begin += count;
  }
  return results;
}

template <typename Graph>
absl::StatusOr<std::unique_ptr<StartRunner>> Make(
    const SignedGraph& graph, const CorrelationOptions& options,
    const CudaStartTuning& tuning) {
  auto runner =
      std::make_unique<CudaStartRunner<Graph>>(graph, options, tuning);
  if (absl::Status s = runner->Prepare(); !s.ok()) {
    return NameWhatDidNotFit(
        s, absl::StrCat("a signed graph of ", graph.num_vertices(),
                        " vertices, and one start, on the GPU"));
  }
  return runner;
}

}  // namespace

namespace internal {

absl::StatusOr<std::unique_ptr<StartRunner>> NewCudaStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options,
    const CudaStartTuning& tuning) {
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  if (graph.num_vertices() == 0) return NewCpuStartRunner(graph, options);
  if (IsCudaVnd(options.method)) return NewVndStartRunner(graph, options);
  if (options.neighborhood != 1 || options.alpha != 1.0) {
    return NewCpuStartRunner(graph, options);
  }
  const bool direct =
      tuning.sums == CudaStartTuning::Sums::kDirect ||
      (tuning.sums == CudaStartTuning::Sums::kChosen && IsDense(graph));
  if (NeedsWideSums(graph)) {
    return direct ? Make<DirectGraph<int64_t>>(graph, options, tuning)
                  : Make<HashGraph<int64_t>>(graph, options, tuning);
  }
  return direct ? Make<DirectGraph<int32_t>>(graph, options, tuning)
                : Make<HashGraph<int32_t>>(graph, options, tuning);
}

}  // namespace internal

absl::StatusOr<std::unique_ptr<StartRunner>> NewCudaStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options) {
  return internal::NewCudaStartRunner(graph, options,
                                      internal::CudaStartTuning());
}

}  // namespace warpclust
