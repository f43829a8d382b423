// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// DeviceBuffer: copies between pageable host memory and the GPU (compare
// bytes_per_second with the bus: about 25e9 for PCIe 4, 55e9 for PCIe 5), and
// allocation from the pool.

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

void BM_CopyFromHost(benchmark::State& state) {
  const std::vector<uint8_t> host(static_cast<size_t>(state.range(0)), 1);
  absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
      DeviceBuffer<uint8_t>::FromHost(host);
  absl::Status status = buffer.status();
  for (auto _ : state) {
    if (status.ok()) status = buffer->CopyFromHost(host);
    if (!status.ok()) {
      state.SkipWithError(status.ToString().c_str());
      break;
    }
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_CopyFromHost)
    ->RangeMultiplier(8)
    ->Range(1 << 12, 1 << 30)
    ->UseRealTime();

void BM_CopyToHost(benchmark::State& state) {
  std::vector<uint8_t> host(static_cast<size_t>(state.range(0)), 1);
  absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
      DeviceBuffer<uint8_t>::FromHost(host);
  absl::Status status = buffer.status();
  for (auto _ : state) {
    if (status.ok()) status = buffer->CopyToHost(absl::MakeSpan(host));
    if (!status.ok()) {
      state.SkipWithError(status.ToString().c_str());
      break;
    }
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_CopyToHost)
    ->RangeMultiplier(8)
    ->Range(1 << 12, 1 << 30)
    ->UseRealTime();

void BM_AllocateAndFree(benchmark::State& state) {
  for (auto _ : state) {
    absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
        DeviceBuffer<uint8_t>::Allocate(state.range(0));
    if (!buffer.ok()) {
      state.SkipWithError(buffer.status().ToString().c_str());
      break;
    }
    benchmark::DoNotOptimize(buffer->data());
  }
}
BENCHMARK(BM_AllocateAndFree)
    ->Arg(1 << 10)
    ->Arg(1 << 20)
    ->Arg(1 << 30)
    ->UseRealTime();

}  // namespace
}  // namespace warpclust
