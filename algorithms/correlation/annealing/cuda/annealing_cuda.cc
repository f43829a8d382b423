// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/annealing/cuda/annealing_sweeps_cuda.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust::internal {
namespace {

// The target length of a launch, after which a stop is noticed.
constexpr double kLaunchSeconds = 0.03;
// The first launch makes fewer sweeps if those pass over more entries of rows:
// with 10^8 edges, one sweep takes longer than a launch should.
constexpr int64_t kFirstLaunchSweeps = 32;
constexpr int64_t kFirstLaunchEntries = 1 << 25;

// Chains that run on the device at the same time, and their labels on the host.
class Batch {
 public:
  Batch(const AnnealingPlan& plan, const DeviceAnnealingPlan& device_plan,
        bool shares_classes, int num_threads, absl::Span<AnnealingChain> chains)
      : plan_(plan),
        device_plan_(device_plan),
        shares_classes_(shares_classes),
        num_threads_(num_threads),
        chains_(chains),
        labels_(chains.size() * static_cast<size_t>(plan.num_positions())) {}

  // Allocates and copies what the device needs.
  absl::Status Prepare() {
    RETURN_IF_ERROR(Upload());
    if (!PrefersTable(plan_)) return absl::OkStatus();
    ASSIGN_OR_RETURN(tables_,
                     DeviceTables::Allocate(device_plan_, device_.num_chains));
    return absl::OkStatus();
  }

  absl::Status Run(const SearchControl& control) {
    const bool by_table = PrefersTable(plan_);
    // All labels are below `fresh`.
    const auto n = static_cast<uint64_t>(plan_.num_positions());
    uint64_t fresh = n;
    auto launch_sweeps = static_cast<int32_t>(
        std::clamp<int64_t>(kFirstLaunchEntries / (plan_.offsets.back() + 1), 1,
                            kFirstLaunchSweeps));
    bool stopped = false;
    for (int32_t s = 0; s < device_.num_sweeps;) {
      int32_t end = s + std::min(launch_sweeps, device_.num_sweeps - s);
      const double before = control.seconds();
      if (by_table) {
        RETURN_IF_ERROR(
            RunSweepsByTable(device_plan_, s, end, &tables_, &device_));
      } else {
        const uint64_t room = ((uint64_t{1} << 32) - fresh) / n;
        if (room == 0) {
          RETURN_IF_ERROR(RenumberLabels());
          fresh = n;
          continue;
        }
        end = static_cast<int32_t>(
            std::min<uint64_t>(end, static_cast<uint64_t>(s) + room));
        RETURN_IF_ERROR(
            (shares_classes_ ? RunSweepsByClasses : RunSweepsByRows)(
                device_plan_, s, end, static_cast<uint32_t>(fresh), &device_));
        fresh += n * static_cast<uint64_t>(end - s);
      }
      if (control.ShouldStop()) {
        stopped = true;
        break;
      }
      const double seconds = control.seconds() - before;
      const double wanted = (end - s) * kLaunchSeconds / (seconds + 1e-9);
      launch_sweeps = static_cast<int32_t>(
          std::min<double>(std::max(wanted, 1.0), 2.0 * launch_sweeps));
      s = end;
    }
    for (AnnealingChain& chain : chains_) chain.finished = !stopped;
    return Download();
  }

 private:
  size_t num_positions() const {
    return static_cast<size_t>(plan_.num_positions());
  }
  absl::Span<uint32_t> LabelsOf(size_t chain) {
    return absl::MakeSpan(labels_).subspan(chain * num_positions(),
                                           num_positions());
  }

  // Sets labels_ from the labels of the chains, below num_positions.
  void SetHostLabels() {
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 1)
    for (size_t c = 0; c < chains_.size(); ++c) {
      std::vector<int32_t> number(static_cast<size_t>(plan_.num_vertices), -1);
      int32_t next = 0;
      const absl::Span<uint32_t> labels = LabelsOf(c);
      for (size_t p = 0; p < labels.size(); ++p) {
        int32_t& label = number[chains_[c].labels[plan_.vertices[p]]];
        if (label < 0) label = next++;
        labels[p] = static_cast<uint32_t>(label);
      }
    }
  }

  absl::Status Upload() {
    device_.num_chains = static_cast<int32_t>(chains_.size());
    device_.num_sweeps = chains_[0].num_sweeps;
    std::vector<uint64_t> keys;
    std::vector<double> temperatures;
    for (const AnnealingChain& chain : chains_) {
      keys.push_back(chain.key);
      const std::vector<double> own = Temperatures(chain);
      temperatures.insert(temperatures.end(), own.begin(), own.end());
    }
    SetHostLabels();
    ASSIGN_OR_RETURN(device_.keys, DeviceBuffer<uint64_t>::FromHost(keys));
    ASSIGN_OR_RETURN(device_.temperatures,
                     DeviceBuffer<double>::FromHost(temperatures));
    ASSIGN_OR_RETURN(device_.labels, DeviceBuffer<uint32_t>::FromHost(labels_));
    RETURN_IF_ERROR(AllocateInto(device_.num_chains, device_.changes));
    return device_.changes.FillBytes(0);
  }

  // Renumbers the clusters from 0, below num_positions.
  absl::Status RenumberLabels() {
    RETURN_IF_ERROR(Download());
    SetHostLabels();
    return device_.labels.CopyFromHost(labels_);
  }

  // Sets the labels and changes of the chains.
  absl::Status Download() {
    RETURN_IF_ERROR(device_.labels.CopyToHost(absl::MakeSpan(labels_)));
    std::vector<int64_t> changes(chains_.size());
    RETURN_IF_ERROR(device_.changes.CopyToHost(absl::MakeSpan(changes)));
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 1)
    for (size_t c = 0; c < chains_.size(); ++c) {
      chains_[c].change = changes[c];
      chains_[c].labels = LabelsOfVertices(plan_, LabelsOf(c));
    }
    return absl::OkStatus();
  }

  const AnnealingPlan& plan_;
  const DeviceAnnealingPlan& device_plan_;
  const bool shares_classes_;
  const int num_threads_;
  const absl::Span<AnnealingChain> chains_;
  std::vector<uint32_t> labels_;
  DeviceChains device_;
  DeviceTables tables_;
};

// How many chains fit in the memory of the device side by side.
absl::StatusOr<int64_t> ChainsPerBatch(const AnnealingPlan& plan,
                                       const DeviceAnnealingPlan& device_plan,
                                       int32_t num_sweeps) {
  ASSIGN_OR_RETURN(const int64_t free, DeviceMemoryFreeBytes());
  int64_t bytes = int64_t{4} * plan.num_positions() + int64_t{8} * num_sweeps;
  if (PrefersTable(plan)) {
    bytes +=
        DeviceTables::BytesPerChain(plan.num_positions(), device_plan.is_wide);
  }
  // At least one: if it does not fit, its allocation fails with a message.
  return std::max<int64_t>(1, free * 9 / 10 / (bytes + 1024));
}

}  // namespace

absl::Status RunAnnealingChainsCuda(const AnnealingPlan& plan, int num_threads,
                                    const SearchControl& control,
                                    absl::Span<AnnealingChain> chains,
                                    int64_t shared_entries) {
  const int threads = ResolveThreads(num_threads);
  if (plan.num_positions() == 0) {
    RunAnnealingChainsCpu(plan, AnnealingEngine::kRows, threads, control,
                          chains);
    return absl::OkStatus();
  }
  const std::string what =
      absl::StrCat("annealing of ", plan.num_vertices, " vertices on the GPU");
  const absl::StatusOr<DeviceAnnealingPlan> device_plan =
      DeviceAnnealingPlan::FromHost(plan);
  if (!device_plan.ok()) return NameWhatDidNotFit(device_plan.status(), what);
  // Halved when memory that was free cannot be allocated.
  int64_t most = std::numeric_limits<int64_t>::max();
  // All chains of a batch have the same number of sweeps. After a stop no batch
  // begins.
  for (size_t begin = 0; begin < chains.size() && !control.ShouldStop();) {
    ASSIGN_OR_RETURN(
        const int64_t fitting,
        ChainsPerBatch(plan, *device_plan, chains[begin].num_sweeps));
    most = std::min(most, fitting);
    size_t end = begin + 1;
    while (end < chains.size() && end - begin < static_cast<size_t>(most) &&
           chains[end].num_sweeps == chains[begin].num_sweeps) {
      ++end;
    }
    Batch batch(plan, *device_plan,
                /*shares_classes=*/plan.offsets.back() >= shared_entries,
                threads, chains.subspan(begin, end - begin));
    absl::Status status = batch.Prepare();
    if (absl::IsResourceExhausted(status) && end - begin > 1) {
      most = static_cast<int64_t>(end - begin) / 2;
      continue;
    }
    if (status.ok()) status = batch.Run(control);
    if (!status.ok()) return NameWhatDidNotFit(status, what);
    begin = end;
  }
  return absl::OkStatus();
}

}  // namespace warpclust::internal
