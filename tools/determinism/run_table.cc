// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/determinism/run_table.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/communicator/thread_ranks.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int kRankCounts[] = {1, 2, 3, 7};

constexpr size_t kNumColumns = 10;
using Row = std::array<std::string, kNumColumns>;

std::string DigestText(uint64_t digest) {
  return absl::StrFormat("%016x", digest);
}

Row RowOf(const TableRun& run) {
  return {run.group.algorithm,
          run.group.data,
          run.group.setting,
          run.method,
          run.backend,
          run.threads,
          run.ranks,
          run.batch,
          DigestText(run.digest),
          absl::StrFormat("%.3f", run.seconds)};
}

bool AllEqual(const std::vector<TableRun>& group) {
  return std::all_of(group.begin(), group.end(), [&](const TableRun& run) {
    return run.digest == group[0].digest;
  });
}

absl::StatusOr<uint64_t> DigestOfRankZero(int num_ranks, Device device,
                                          DeterminismRunner::RanksWork work) {
  uint64_t digest = 0;
  RETURN_IF_ERROR(
      RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
        ASSIGN_OR_RETURN(const uint64_t found, work(device, ranks));
        if (ranks.rank() == 0) digest = found;
        return absl::OkStatus();
      }));
  return digest;
}

}  // namespace

void RunTable::Add(TableRun run) {
  const auto [found, is_new] = number_of_.emplace(run.group, groups_.size());
  if (is_new) groups_.emplace_back();
  groups_[found->second].push_back(std::move(run));
  ++num_runs_;
}

int64_t RunTable::num_different() const {
  return std::count_if(groups_.begin(), groups_.end(),
                       [](const auto& group) { return !AllEqual(group); });
}

std::string RunTable::Differences() const {
  std::string text;
  for (const std::vector<TableRun>& group : groups_) {
    if (AllEqual(group)) continue;
    std::map<uint64_t, std::string> runs_of;
    for (const TableRun& run : group) {
      std::string& runs = runs_of[run.digest];
      absl::StrAppend(&runs, runs.empty() ? "" : ", ", run.method, "/",
                      run.backend, "/", run.threads, "/", run.ranks, "/",
                      run.batch);
    }
    for (const auto& [digest, runs] : runs_of) {
      absl::StrAppend(&text, "DIFFERENT: ", group[0].group.algorithm, ", ",
                      group[0].group.data, ", ", group[0].group.setting, ": ",
                      DigestText(digest), " by ", runs, "\n");
    }
  }
  return text;
}

std::string RunTable::Text() const {
  const Row header = {"algorithm", "data",  "setting", "method", "backend",
                      "threads",   "ranks", "batch",   "digest", "seconds"};
  std::array<size_t, kNumColumns> widths;
  const auto widen = [&widths](const Row& row) {
    for (size_t c = 0; c < kNumColumns; ++c) {
      widths[c] = std::max(widths[c], row[c].size());
    }
  };
  widths.fill(0);
  widen(header);
  for (const auto& group : groups_) {
    for (const TableRun& run : group) widen(RowOf(run));
  }

  std::string text;
  const auto append = [&](const Row& row) {
    for (size_t c = 0; c + 1 < kNumColumns; ++c) {
      absl::StrAppend(&text, row[c],
                      std::string(widths[c] + 2 - row[c].size(), ' '));
    }
    absl::StrAppend(&text, row.back(), "\n");
  };
  append(header);
  for (size_t g = 0; g < groups_.size(); ++g) {
    if (g > 0) text += "\n";
    for (const TableRun& run : groups_[g]) append(RowOf(run));
  }
  const int64_t different = num_different();
  absl::StrAppend(&text, "\n", Differences(), num_runs_, " runs in ",
                  num_groups(), " groups: ");
  if (different == 0) return text + "all equal\n";
  return absl::StrCat(text, different,
                      different == 1 ? " group differs\n" : " groups differ\n");
}

absl::Status DeterminismRunner::Run(const RunGroup& group, const RunWay& way,
                                    Work work) {
  for (const Device device : DevicesOf(way)) {
    for (const int threads : threads_) {
      TableRun run = NewRun(group, way, device);
      if (way.threads) run.threads = absl::StrCat(threads);
      RETURN_IF_ERROR(
          RunOnce(std::move(run), [&] { return work(device, threads); }));
      if (!way.threads) break;
    }
  }
  return absl::OkStatus();
}

absl::Status DeterminismRunner::RunOnRanks(const RunGroup& group,
                                           const RunWay& way, RanksWork work) {
  for (const Device device : DevicesOf(way)) {
    for (const int num_ranks : kRankCounts) {
      TableRun run = NewRun(group, way, device);
      run.threads = absl::StrCat(1);
      run.ranks = absl::StrCat(num_ranks);
      RETURN_IF_ERROR(RunOnce(std::move(run), [&] {
        return DigestOfRankZero(num_ranks, device, work);
      }));
    }
  }
  return absl::OkStatus();
}

std::vector<Device> DeterminismRunner::DevicesOf(const RunWay& way) const {
  std::vector<Device> devices;
  for (const Device device : devices_) {
    if (way.devices == RunWay::Devices::kAll ||
        (way.devices == RunWay::Devices::kCpu) == (device == Device::kCpu)) {
      devices.push_back(device);
    }
  }
  return devices;
}

TableRun DeterminismRunner::NewRun(const RunGroup& group, const RunWay& way,
                                   Device device) {
  TableRun run;
  run.group = group;
  run.method = way.method;
  run.backend = std::string(DeviceName(device));
  run.batch = way.batch;
  return run;
}

absl::Status DeterminismRunner::RunOnce(
    TableRun run, absl::FunctionRef<absl::StatusOr<uint64_t>()> work) {
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<uint64_t> digest = work();
  run.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!digest.ok()) {
    return absl::Status(
        digest.status().code(),
        absl::StrCat(run.group.algorithm, ", ", run.group.data, ", ",
                     run.group.setting, ", ", run.method, ", ", run.backend,
                     ", ", run.threads, " threads, ", run.ranks,
                     " ranks, batch ", run.batch, ": ",
                     digest.status().message()));
  }
  run.digest = *digest;
  table_->Add(std::move(run));
  return absl::OkStatus();
}

}  // namespace warpclust
