// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/bound/cuda/flow_steps.cuh"
#include "algorithms/correlation/bound/cuda/path_search.cuh"
#include "algorithms/correlation/bound/cuda/path_table.cuh"
#include "algorithms/correlation/bound/engine/fractional_engine.h"
#include "algorithms/correlation/bound/engine/path_search.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace internal {
namespace {

// Demands whose searches share a launch: their paths have that much room.
constexpr int64_t kMostDemands = 1 << 16;
// Searches at the same time per multiprocessor, and the memory of all.
constexpr int kWarpsPerProcessor = 32;
constexpr int64_t kMostSearchBytes = int64_t{1} << 30;
// Between looks at a request to stop.
constexpr int64_t kStepsPerSync = 25;

// MakeRoom, and copies the values.
template <typename T>
absl::Status Upload(absl::Span<const T> values, DeviceBuffer<T>& buffer) {
  RETURN_IF_ERROR(MakeRoom(static_cast<int64_t>(values.size()), buffer));
  return buffer.CopyFromHost(values);
}

class Engine : public FractionalEngine {
 public:
  Engine(const FractionalProblem& problem, const SearchControl* control)
      : problem_(problem), control_(control) {}

  absl::Status Prepare() {
    const std::vector<SignedPair>& pairs = problem_.edges.pairs;
    ASSIGN_OR_RETURN(processors_, NumMultiprocessors());
    std::vector<uint32_t> neighbors;
    std::vector<int32_t> entry_pairs;
    for (const AgreeingEdges::Entry& entry : problem_.edges.entries()) {
      neighbors.push_back(static_cast<uint32_t>(entry.neighbor) |
                          (pairs[entry.pair].negative ? kSign : 0));
      entry_pairs.push_back(entry.pair);
    }
    std::vector<uint32_t> pair_ends;
    for (const SignedPair& pair : pairs) {
      pair_ends.push_back(static_cast<uint32_t>(pair.u ^ pair.v) |
                          (pair.negative ? kSign : 0));
    }
    std::vector<uint32_t> sources;
    std::vector<uint32_t> targets;
    std::vector<float> demand_capacities;
    for (const int32_t index : problem_.demands) {
      const SignedPair& pair = pairs[index];
      sources.push_back(static_cast<uint32_t>(pair.u) |
                        (pair.negative ? kSign : 0));
      targets.push_back(static_cast<uint32_t>(pair.v));
      demand_capacities.push_back(problem_.capacities[index]);
    }
    RETURN_IF_ERROR(
        Upload(absl::MakeConstSpan(problem_.edges.offsets()), offsets_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(neighbors), neighbors_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(entry_pairs), entry_pairs_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pair_ends), pair_ends_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(sources), sources_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(targets), targets_));
    RETURN_IF_ERROR(
        Upload(absl::MakeConstSpan(demand_capacities), demand_capacities_));
    RETURN_IF_ERROR(
        Upload(absl::MakeConstSpan(problem_.capacities), capacities_));
    RETURN_IF_ERROR(AllocateInto(entry_pairs_.size(), entry_prices_));
    return AllocateInto(1, counters_);
  }

  absl::Status FindPaths(const std::vector<float>& prices,
                         const std::vector<float>& limits, int64_t max_visits,
                         FoundPaths* found) override {
    const auto size = static_cast<int64_t>(limits.size());
    *found = {.offsets = {0}, .pairs = {}};
    if (size == 0) return absl::OkStatus();
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(prices), prices_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(limits), limits_));
    if (!entry_pairs_.empty()) {
      EntryPricesKernel<<<BlocksFor(entry_pairs_.size(), 256), 256>>>(
          entry_pairs_.data(), entry_pairs_.size(), prices_.data(),
          entry_prices_.data());
      RETURN_IF_ERROR(CudaLaunchStatus("prices of entries"));
    }
    const SearchSizes sizes = SizesFor(max_visits);
    const int64_t words = sizes.words();
    const int64_t wanted =
        std::min({size, int64_t{processors_} * kWarpsPerProcessor,
                  1 + kMostSearchBytes / (8 * words)});
    if (search_words_.size() < wanted * words) {
      RETURN_IF_ERROR(AllocateUpTo(wanted * words, words, search_words_));
    }
    const int64_t num_searches = std::min(wanted, search_words_.size() / words);
    // No key belongs to a search.
    RETURN_IF_ERROR(search_words_.FillBytes(0));
    const int64_t most = std::min(size, kMostDemands);
    RETURN_IF_ERROR(MakeRoom(most, lengths_));
    RETURN_IF_ERROR(MakeRoom(most, starts_));
    RETURN_IF_ERROR(MakeRoom(most * kMostPathPairs, paths_));
    const SearchView view = {offsets_.data(),     neighbors_.data(),
                             entry_pairs_.data(), entry_prices_.data(),
                             pair_ends_.data(),   prices_.data(),
                             sources_.data(),     targets_.data(),
                             limits_.data(),      max_visits};
    for (int64_t first = 0; first < size; first += most) {
      const int64_t count = std::min(most, size - first);
      RETURN_IF_ERROR(counters_.FillBytes(0));
      Counters* const counters = counters_.data();
      SearchKernel<<<BlocksFor(num_searches, kSearchBlock / kWarp),
                     kSearchBlock>>>(
          view, first, static_cast<uint32_t>(count), sizes,
          search_words_.data(), num_searches,
          {lengths_.data(), starts_.data(), paths_.data(), &counters->size,
           &counters->visits, &counters->next});
      RETURN_IF_ERROR(CudaLaunchStatus("searches for cycles"));
      RETURN_IF_ERROR(Append(count, found));
    }
    return absl::OkStatus();
  }

  absl::Status Improve(const CyclePool& pool, int64_t steps,
                       CycleFlows* flows) override {
    if (flows->flow.empty()) return absl::OkStatus();
    std::vector<int32_t> used[2];
    for (size_t pair = 0; pair + 1 < pool.use_offsets.size(); ++pair) {
      const int64_t count = pool.use_offsets[pair + 1] - pool.use_offsets[pair];
      if (count == 0) continue;
      used[count > kMostSerialUses ? 1 : 0].push_back(
          static_cast<int32_t>(pair));
    }
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pool.first), first_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pool.offsets), cycle_offsets_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pool.pairs), cycle_pairs_));
    RETURN_IF_ERROR(
        Upload(absl::MakeConstSpan(pool.use_offsets), use_offsets_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pool.uses), uses_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(flows->flow), flow_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(flows->worths), worths_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(flows->prices), prices_));
    RETURN_IF_ERROR(MakeRoom(static_cast<int64_t>(flows->flow.size()), ahead_));
    for (int k = 0; k < 2; ++k) {
      RETURN_IF_ERROR(Upload(absl::MakeConstSpan(used[k]), used_[k]));
    }
    const auto num_short = static_cast<int64_t>(used[0].size());
    const auto num_long = static_cast<int64_t>(used[1].size());
    const StepView view = {static_cast<int64_t>(flows->worths.size()),
                           first_.data(),
                           cycle_offsets_.data(),
                           cycle_pairs_.data(),
                           use_offsets_.data(),
                           uses_.data(),
                           demand_capacities_.data(),
                           capacities_.data(),
                           flow_.data(),
                           ahead_.data(),
                           worths_.data(),
                           prices_.data()};
    for (int64_t step = 0; step < steps; ++step) {
      if (step % kStepsPerSync == 0) {
        RETURN_IF_ERROR(
            CudaStatus(cudaStreamSynchronize(nullptr), "steps of flows"));
        if (control_ != nullptr && control_->StopRequested()) break;
      }
      FlowKernel<<<BlocksFor(view.num_demands, kStepBlock), kStepBlock>>>(view);
      if (num_short > 0) {
        PriceKernel<<<BlocksFor(num_short, kStepBlock), kStepBlock>>>(
            view, used_[0].data(), num_short);
      }
      if (num_long > 0) {
        LongPriceKernel<<<BlocksFor(num_long, kStepBlock / kWarp),
                          kStepBlock>>>(view, used_[1].data(), num_long);
      }
      RETURN_IF_ERROR(CudaLaunchStatus("steps of flows"));
    }
    RETURN_IF_ERROR(flow_.CopyToHost(absl::MakeSpan(flows->flow)));
    RETURN_IF_ERROR(worths_.CopyToHost(absl::MakeSpan(flows->worths)));
    return prices_.CopyToHost(absl::MakeSpan(flows->prices));
  }

 private:
  struct Counters {
    unsigned long long size;
    unsigned long long visits;
    unsigned int next;
  };

  // Appends the paths of the launch.
  absl::Status Append(int64_t count, FoundPaths* found) {
    Counters counters;
    RETURN_IF_ERROR(counters_.CopyToHost(absl::MakeSpan(&counters, 1)));
    std::vector<int32_t> lengths(count);
    std::vector<int32_t> starts(count);
    std::vector<int32_t> pairs(counters.size);
    RETURN_IF_ERROR(lengths_.CopyToHost(absl::MakeSpan(lengths)));
    RETURN_IF_ERROR(starts_.CopyToHost(absl::MakeSpan(starts)));
    RETURN_IF_ERROR(paths_.CopyToHost(absl::MakeSpan(pairs)));
    for (int64_t i = 0; i < count; ++i) {
      const auto begin = pairs.begin() + starts[i];
      found->pairs.insert(found->pairs.end(), begin, begin + lengths[i]);
      found->offsets.push_back(static_cast<int64_t>(found->pairs.size()));
    }
    found->visits += static_cast<int64_t>(counters.visits);
    return absl::OkStatus();
  }

  const FractionalProblem& problem_;
  const SearchControl* const control_;
  int processors_ = 1;
  DeviceBuffer<int64_t> offsets_;
  DeviceBuffer<uint32_t> neighbors_;
  DeviceBuffer<int32_t> entry_pairs_;
  DeviceBuffer<float> entry_prices_;
  DeviceBuffer<uint32_t> pair_ends_;
  DeviceBuffer<uint32_t> sources_;
  DeviceBuffer<uint32_t> targets_;
  DeviceBuffer<float> demand_capacities_;
  DeviceBuffer<float> capacities_;
  DeviceBuffer<float> limits_;
  DeviceBuffer<float> prices_;
  DeviceBuffer<uint64_t> search_words_;
  DeviceBuffer<int32_t> lengths_;
  DeviceBuffer<int32_t> starts_;
  DeviceBuffer<int32_t> paths_;
  DeviceBuffer<Counters> counters_;
  DeviceBuffer<int64_t> first_;
  DeviceBuffer<int64_t> cycle_offsets_;
  DeviceBuffer<int32_t> cycle_pairs_;
  DeviceBuffer<int64_t> use_offsets_;
  DeviceBuffer<int32_t> uses_;
  DeviceBuffer<int32_t> used_[2];
  DeviceBuffer<float> flow_;
  DeviceBuffer<float> ahead_;
  DeviceBuffer<float> worths_;
};

}  // namespace
}  // namespace internal

absl::StatusOr<std::unique_ptr<FractionalEngine>> NewFractionalEngineCuda(
    const FractionalProblem& problem, const SearchControl* control) {
  auto engine = std::make_unique<internal::Engine>(problem, control);
  RETURN_IF_ERROR(engine->Prepare());
  return engine;
}

}  // namespace warpclust
