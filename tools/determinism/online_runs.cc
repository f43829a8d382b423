// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_engine_factory.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

struct Setting {
  std::string name;
  OnlineOptions options = OnlineOptions::Paper();
};

// Documents with terms or dense ones, as a run takes them.
struct Stream {
  std::string name;
  int32_t size = 0;
  std::vector<Setting> settings;
  // The method before a change.
  OnlineMethod first_method;
  std::vector<std::pair<OnlineMethod, RunWay::Devices>> methods;
  // Whether ranks can share the clusters.
  bool uses_ranks = false;
  std::function<absl::StatusOr<OnlineClusterer>(
      const OnlineOptions&, const OnlineMethodOptions&, const OnlineState&)>
      create;
  // Adds documents [begin, end).
  std::function<absl::Status(OnlineClusterer& clusterer, int32_t begin,
                             int32_t end, absl::Span<int32_t> clusters)>
      add;
};

std::vector<Setting> Settings() {
  OnlineOptions low = OnlineOptions::Paper();
  low.threshold = "0.1";
  OnlineOptions changing = low;
  changing.expire_after = 3 * 24 * 3600;
  changing.merge_every = 100;
  changing.merge_threshold = "0.3";
  return {{"tf, defaults", OnlineOptions()},
          {"tf, threshold 0.1", low},
          {"tf, threshold 0.5", OnlineOptions::Paper()},
          {"tf, threshold 0.1, expiring, merging", changing}};
}

// The results of a run so far.
struct Outcome {
  std::vector<int32_t> clusters;
  std::vector<OnlineMerge> merges;
  OnlineState state;
};

// Adds the documents [begin, end) after `outcome->state`, `call` at a time.
absl::Status AddDocuments(const Stream& stream, int32_t begin, int32_t end,
                          int32_t call, const OnlineOptions& options,
                          const OnlineMethodOptions& method, Outcome* outcome) {
  ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                   stream.create(options, method, outcome->state));
  outcome->clusters.resize(end);
  for (int32_t at = begin; at < end; at += std::min(call, end - at)) {
    const int32_t next = at + std::min(call, end - at);
    RETURN_IF_ERROR(
        stream.add(clusterer, at, next,
                   absl::MakeSpan(outcome->clusters).subspan(at, next - at)));
  }
  outcome->merges.insert(outcome->merges.end(), clusterer.merges().begin(),
                         clusterer.merges().end());
  ASSIGN_OR_RETURN(outcome->state, clusterer.State());
  return absl::OkStatus();
}

uint64_t OutcomeDigest(const Outcome& outcome) {
  Digest digest;
  digest.Array(outcome.clusters);
  digest.Number(static_cast<uint64_t>(outcome.merges.size()));
  for (const OnlineMerge& merge : outcome.merges) {
    digest.Number(merge.num_documents);
    digest.Number(merge.from);
    digest.Number(merge.into);
  }
  digest.Array(outcome.state.offsets);
  digest.Array(outcome.state.terms);
  digest.Array(outcome.state.sums);
  digest.Array(outcome.state.sizes);
  digest.Array(outcome.state.last_times);
  digest.Number(outcome.state.num_documents);
  digest.Number(outcome.state.clock);
  digest.Number(outcome.state.num_terms);
  return digest.value();
}

absl::Status RunMethod(const Stream& stream, const Setting& setting,
                       OnlineMethod method, RunWay::Devices devices,
                       int32_t batch, DeterminismRunner* runner) {
  const int32_t n = stream.size;
  const bool in_batches = method == OnlineMethod::kBatched;
  RunWay way;
  way.method = std::string(OnlineMethodName(method));
  way.batch = absl::StrCat(batch);
  way.devices = devices;
  way.threads = in_batches || method == OnlineMethod::kAuto;
  return runner->Run(
      {"online", stream.name, setting.name}, way,
      [&](Device device, int threads) -> absl::StatusOr<uint64_t> {
        OnlineMethodOptions options;
        options.method = method;
        options.device = device;
        options.num_threads = threads;
        if (in_batches) options.batch = batch;
        Outcome outcome;
        RETURN_IF_ERROR(AddDocuments(stream, 0, n,
                                     in_batches ? std::max(n, 1) : batch,
                                     setting.options, options, &outcome));
        return OutcomeDigest(outcome);
      });
}

// The batched method, with clusters shared among ranks.
absl::Status RunRanks(const Stream& stream, const Setting& setting,
                      DeterminismRunner* runner) {
  constexpr int32_t kBatch = 64;
  return runner->RunOnRanks(
      {"online", stream.name, setting.name},
      {.method = std::string(OnlineMethodName(OnlineMethod::kBatched)),
       .batch = absl::StrCat(kBatch)},
      [&](Device device, Communicator& ranks) -> absl::StatusOr<uint64_t> {
        if (ranks.rank() > 0) {
          RETURN_IF_ERROR(FollowOnlineClusterer(ranks));
          return 0;
        }
        OnlineMethodOptions options;
        options.method = OnlineMethod::kBatched;
        options.ranks = &ranks;
        options.device = device;
        options.num_threads = 1;
        options.batch = kBatch;
        Outcome outcome;
        RETURN_IF_ERROR(AddDocuments(stream, 0, stream.size,
                                     std::max(stream.size, 1), setting.options,
                                     options, &outcome));
        return OutcomeDigest(outcome);
      });
}

// Half of the stream one document after the other on the CPU, the rest in
// batches on the device.
absl::Status RunChange(const Stream& stream, const Setting& setting,
                       DeterminismRunner* runner) {
  const int32_t n = stream.size;
  return runner->Run(
      {"online", stream.name, setting.name},
      {.method = absl::StrCat(OnlineMethodName(stream.first_method),
                              ", then batched"),
       .batch = "64"},
      [&](Device device, int threads) -> absl::StatusOr<uint64_t> {
        OnlineMethodOptions first;
        first.method = stream.first_method;
        first.device = Device::kCpu;
        OnlineMethodOptions second;
        second.method = OnlineMethod::kBatched;
        second.device = device;
        second.num_threads = threads;
        second.batch = 64;
        Outcome outcome;
        RETURN_IF_ERROR(AddDocuments(stream, 0, n / 2, 64, setting.options,
                                     first, &outcome));
        RETURN_IF_ERROR(AddDocuments(stream, n / 2, n, n, setting.options,
                                     second, &outcome));
        return OutcomeDigest(outcome);
      });
}

absl::Status RunStream(const Stream& stream, DeterminismRunner* runner) {
  for (const Setting& setting : stream.settings) {
    for (const auto& [method, devices] : stream.methods) {
      for (const int32_t batch : {1, 7, 64, 1024}) {
        RETURN_IF_ERROR(
            RunMethod(stream, setting, method, devices, batch, runner));
      }
    }
    RETURN_IF_ERROR(RunChange(stream, setting, runner));
    if (stream.uses_ranks) RETURN_IF_ERROR(RunRanks(stream, setting, runner));
  }
  return absl::OkStatus();
}

Stream WithTerms(const StreamInput& input) {
  using Devices = RunWay::Devices;
  return {.name = input.name,
          .size = input.counts.num_documents(),
          .settings = Settings(),
          .first_method = OnlineMethod::kSerial2,
          .methods = {{OnlineMethod::kSerial1, Devices::kCpu},
                      {OnlineMethod::kSerial2, Devices::kCpu},
                      {OnlineMethod::kParallel1, Devices::kCuda},
                      {OnlineMethod::kBatched, Devices::kAll},
                      {OnlineMethod::kAuto, Devices::kAll}},
          .uses_ranks = true,
          .create = OnlineClusterer::Create,
          .add = [&input](OnlineClusterer& clusterer, int32_t begin,
                          int32_t end, absl::Span<int32_t> clusters) {
            return clusterer.Add(
                SelectRows(input.counts, RowRange(begin, end)),
                absl::MakeConstSpan(input.times).subspan(begin, end - begin),
                clusters);
          }};
}

Stream Dense(const EmbeddingsInput& input) {
  using Devices = RunWay::Devices;
  OnlineOptions options;
  options.threshold = "0.7";
  OnlineOptions merging = options;
  merging.threshold = "0.9";
  merging.merge_every = 100;
  merging.merge_threshold = "0.8";
  return {.name = input.name,
          .size = input.rows.num_documents(),
          .settings = {{"embeddings, threshold 0.7", options},
                       {"embeddings, threshold 0.9, merging", merging}},
          .first_method = OnlineMethod::kSerial1,
          .methods = {{OnlineMethod::kSerial1, Devices::kCpu},
                      {OnlineMethod::kBatched, Devices::kAll},
                      {OnlineMethod::kAuto, Devices::kAll}},
          .create = OnlineClusterer::CreateDense,
          .add = [&input](OnlineClusterer& clusterer, int32_t begin,
                          int32_t end, absl::Span<int32_t> clusters) {
            return clusterer.Add(SelectRows(input.rows, RowRange(begin, end)),
                                 /*times=*/{}, clusters);
          }};
}

}  // namespace

absl::Status RunOnline(const DeterminismInputs& inputs,
                       DeterminismRunner* runner) {
  RETURN_IF_ERROR(RunStream(WithTerms(inputs.stream), runner));
  RETURN_IF_ERROR(RunOnlineSuggestion(inputs.stream, runner));
  return RunStream(Dense(inputs.embeddings), runner);
}

}  // namespace warpclust
