// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The engines of annealing chains on the GPU: by rows for sparse graphs, by a
// table for dense ones, as annealing_engines.h describes them for the CPU.
// On the GPU, one block runs one chain; in large sparse graphs, which have few
// chains, all blocks share each class of vertices.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_SWEEPS_CUDA_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_SWEEPS_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust::internal {

// A plan in device memory. Weights have 32 bits if every sum of a row fits.
struct DeviceAnnealingPlan {
  static absl::StatusOr<DeviceAnnealingPlan> FromHost(
      const AnnealingPlan& plan);

  int32_t num_positions = 0;
  int32_t num_classes = 0;
  bool is_wide = false;
  std::vector<int32_t> host_class_offsets;
  DeviceBuffer<int32_t> class_offsets;
  DeviceBuffer<int64_t> offsets;
  DeviceBuffer<int32_t> num_positive;
  DeviceBuffer<int32_t> neighbors;
  DeviceBuffer<int32_t> weights;
  DeviceBuffer<int64_t> wide_weights;
  DeviceBuffer<double> noise;
};

// Chains that run side by side. The label of chain c and position p is at c *
// num_positions + p.
struct DeviceChains {
  int32_t num_chains = 0;
  int32_t num_sweeps = 0;
  DeviceBuffer<uint64_t> keys;
  // That of chain c and sweep s is at c * num_sweeps + s.
  DeviceBuffer<double> temperatures;
  DeviceBuffer<uint32_t> labels;
  DeviceBuffer<int64_t> changes;  // added to
};

// Makes sweeps [begin, end) of all chains by rows. All labels are below
// `fresh`, from which new clusters get theirs; fresh + (end - begin) *
// num_positions is at most 2^32. Returns when the work is done.
absl::Status RunSweepsByRows(const DeviceAnnealingPlan& plan, int32_t begin,
                             int32_t end, uint32_t fresh, DeviceChains* chains);

// The same by all blocks: a launch per sweep and class.
absl::Status RunSweepsByClasses(const DeviceAnnealingPlan& plan, int32_t begin,
                                int32_t end, uint32_t fresh,
                                DeviceChains* chains);

// The memory of the table engine: the adjacency matrix, and the columns of sums
// of each chain.
struct DeviceTables {
  // num_positions is at most kMostTablePositions.
  static absl::StatusOr<DeviceTables> Allocate(const DeviceAnnealingPlan& plan,
                                               int32_t num_chains);
  // The bytes that each chain needs.
  static int64_t BytesPerChain(int32_t num_positions, bool is_wide);

  int32_t stride = 0;
  DeviceBuffer<int32_t> matrix;
  DeviceBuffer<int32_t> sums;
  DeviceBuffer<int64_t> wide_matrix;
  DeviceBuffer<int64_t> wide_sums;
};

// Makes sweeps [begin, end) of all chains by a table. Labels are below
// num_positions before and after. Returns when the work is done.
absl::Status RunSweepsByTable(const DeviceAnnealingPlan& plan, int32_t begin,
                              int32_t end, DeviceTables* tables,
                              DeviceChains* chains);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_SWEEPS_CUDA_H_
