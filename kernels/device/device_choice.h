// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a job runs if the caller leaves it to us (Device::kAuto): on the CPU or
// on a GPU, whichever is expected to end first. The expectation is a model of
// the work found, fitted to measurements.
//
//   const CosineJob job = MeasureCosineJob(documents, options);
//   ASSIGN_OR_RETURN(const Device device,
//                    ResolveDevice(options.device, Expect(job, num_threads)));
//
// The constants are in device_choice.cc, with their sources. They are those of
// one machine; another one moves both sides by about the same factor.

#ifndef WARPCLUST_KERNELS_DEVICE_DEVICE_CHOICE_H_
#define WARPCLUST_KERNELS_DEVICE_DEVICE_CHOICE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "kernels/device/device.h"

namespace warpclust {

// Seconds of computing, without reading and writing. On the GPU with the
// upload, without the start of CUDA.
struct ExpectedSeconds {
  double cpu = 0;
  double cuda = 0;
};

// The cosine graph of documents, and clusters of it.
struct CosineJob {
  int64_t entries = 0;
  // Pairs of entries with the same term: the sum of df (df - 1) / 2 over terms.
  double products = 0;
  double edges = 0;
  // The graph is only clustered, so it need not leave the GPU.
  bool clusters_only = false;
};

// The cosine graph of dense documents, and clusters of it.
struct DenseCosineJob {
  int64_t documents = 0;
  int64_t dimensions = 0;
};

// Dense documents that are in host memory, all compared with some probes.
struct DenseProbeJob {
  int64_t documents = 0;
  int64_t probes = 0;
  int64_t dimensions = 0;
};

// Online clustering of dense documents: the documents, and the sum of
// dimensions times clusters before the document over all of them.
struct DenseStreamJob {
  int64_t documents = 0;
  double products = 0;
};

// Overlapping clusters of a graph.
struct GraphJob {
  int64_t edges = 0;
};

// Density peaks. The cutoff distance is not part of it: the CPU finds it.
struct PointsJob {
  int64_t points = 0;
  int64_t dimensions = 0;
  // Peaks by significance: their saddles are found too.
  bool saddles = false;
};

// Correlation clustering with the method auto.
struct SignedJob {
  int64_t vertices = 0;
  int64_t edges = 0;
  // Rounds of annealing at most, the first one is short; 0: the default.
  int64_t rounds = 0;
};

// Online clustering of documents whose kept terms are `entries` in all.
struct StreamJob {
  int64_t entries = 0;
};

// Expected seconds with this number of threads (0: all cores). Larger jobs take
// longer on both devices.
ExpectedSeconds Expect(const CosineJob& job, int num_threads);
ExpectedSeconds Expect(const DenseCosineJob& job, int num_threads);
ExpectedSeconds Expect(const DenseProbeJob& job, int num_threads);
ExpectedSeconds Expect(const DenseStreamJob& job, int num_threads);
ExpectedSeconds Expect(const GraphJob& job, int num_threads);
ExpectedSeconds Expect(const PointsJob& job, int num_threads);
ExpectedSeconds Expect(const SignedJob& job, int num_threads);
ExpectedSeconds Expect(const StreamJob& job, int num_threads);

// The seconds that CUDA takes to start in a process, and to leave it.
constexpr double kCudaStartSeconds = 0.21;
constexpr double kCudaEndSeconds = 0.10;

// What CUDA costs a job besides its work, if it was started this long ago (0:
// not yet). What it takes to leave a process is spent once it was started.
double CudaOverheadSeconds(double started_ago);

// kCuda if the GPU, which takes `overhead_seconds` more, is expected to end
// first, else kCpu.
Device FasterDevice(const ExpectedSeconds& expected, double overhead_seconds);

// The same with what CUDA costs this process yet: nothing if it runs.
Device FasterDevice(const ExpectedSeconds& expected);

// Like ResolveDevice of device.h, except that kAuto is the GPU only if it is
// expected to be faster. In a process that runs CUDA already it costs nothing
// more; otherwise CUDA is started only for a job that is worth it.
absl::StatusOr<Device> ResolveDevice(Device requested,
                                     const ExpectedSeconds& expected);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_DEVICE_CHOICE_H_
