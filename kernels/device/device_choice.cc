// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/device/device_choice.h"

#include <algorithm>
#include <cmath>

#include "base/machine/threads.h"

namespace warpclust {
namespace {

// How many times faster parallel work is. 16 threads: 13.9.
double Speedup(int num_threads) {
  return std::pow(ResolveThreads(num_threads), 0.95);
}

// Launches, allocations and copies of any job, however small.
constexpr double kCudaJob = 0.008;

}  // namespace

// All constants are seconds per unit on the machine H200 of BENCHMARKS.md, 16
// threads. They were fitted by hand to the runs of the grid of
// tools/benchmarks/BENCHMARKS.md on 2026-11-23, and to the tables named below
// for other numbers of threads.

// graph/BENCHMARKS.md (cosine graph on the CPU, 1 and 2 threads; on the H200)
// and algorithms/oclustr/BENCHMARKS.md (16 threads; H200). Reuters, newsgroups
// and aclImdb have 1.0, 1.7 and 8.4 million entries, and 0.68, 0.87 and 32.5
// billion products. Without edges: 0.28, 0.42 and 8.9 s on one thread, 0.05,
// 0.075 and 0.8 s on 16, 0.02, 0.02 and 0.11 s on the GPU. 272 million edges
// of aclImdb add 6 s, 1.3 s and 0.15 s, and 2 s if the graph leaves the GPU.
ExpectedSeconds Expect(const CosineJob& job, int num_threads) {
  const double speedup = Speedup(num_threads);
  const auto entries = static_cast<double>(job.entries);
  ExpectedSeconds expected;
  expected.cpu =
      2.5e-8 * entries + (1.2e-7 * entries + 2.4e-10 * job.products) / speedup;
  expected.cuda = kCudaJob + 7e-9 * entries + 1e-12 * job.products;
  if (job.clusters_only) {
    expected.cpu += (3.5e-9 + 3.5e-8 / speedup) * job.edges;
    expected.cuda += 5e-10 * job.edges;
  } else {
    expected.cpu += (1e-9 + 2.2e-8 / speedup) * job.edges;
    expected.cuda += 7e-9 * job.edges;
  }
  return expected;
}

// graph/BENCHMARKS.md: 50,000 rows of 384 take 2.7 s on one thread; a million
// of 768 takes 1.4 s on the H200, of which the floats' upload is 0.07 s. Edges
// are not known before.
ExpectedSeconds Expect(const DenseCosineJob& job, int num_threads) {
  const auto rows = static_cast<double>(job.documents);
  const double values = rows * static_cast<double>(job.dimensions);
  return {1e-9 * values + 2.8e-12 * rows * values / Speedup(num_threads),
          kCudaJob + 2e-10 * values + 1.8e-15 * rows * values};
}

// graph/BENCHMARKS.md: 1, 10, 100 and 1,000 probes and 50,000 rows of 384 take
// 0.0075, 0.032, 0.049 and 0.127 s on one thread. On the H200 the products of
// the graph above, and an upload of documents, and of probes beside them.
ExpectedSeconds Expect(const DenseProbeJob& job, int num_threads) {
  const auto probes = static_cast<double>(job.probes);
  const double values =
      static_cast<double>(job.documents) * static_cast<double>(job.dimensions);
  const double cpu =
      std::min(3e-10 * probes, 1.7e-9) * values + 6e-12 * probes * values;
  return {cpu / Speedup(num_threads),
          kCudaJob + 3e-10 * values + 3.6e-15 * probes * values};
}

// The products are those of the graph, 2.8e-12 s and 1.8e-15 s for half of
// them. The CPU decides and joins a document in 2 to 4 microseconds on both
// devices (algorithms/online/BENCHMARKS.md).
ExpectedSeconds Expect(const DenseStreamJob& job, int num_threads) {
  const auto documents = static_cast<double>(job.documents);
  return {3e-6 * documents + 5.6e-12 * job.products / Speedup(num_threads),
          kCudaJob + 5e-6 * documents + 3.6e-15 * job.products};
}

// The part of OClustR that follows the cosine graph; it is uploaded first, both
// directions of an edge with 8 bytes.
ExpectedSeconds Expect(const GraphJob& job, int num_threads) {
  const auto edges = static_cast<double>(job.edges);
  return {(2.5e-9 + 1.3e-8 / Speedup(num_threads)) * edges,
          kCudaJob + 3.5e-9 * edges};
}

// algorithms/density_peaks/BENCHMARKS.md. Up to three dimensions a tree makes
// the time linear: a million points take 0.7 s on one thread, 0.17 to 0.24 s on
// 16, 0.06 to 0.11 s on the GPU. In more dimensions the worst case counts, all
// pairs: kin40k (8) takes 0.34 s on one thread and 2 ms on the GPU, facial
// (300) 0.56 s and 5 ms, mnist70k (784) 33 ms on the GPU; and the preparation
// of all coordinates.
ExpectedSeconds Expect(const PointsJob& job, int num_threads) {
  const double speedup = Speedup(num_threads);
  const auto points = static_cast<double>(job.points);
  const auto dimensions = static_cast<double>(job.dimensions);
  double index = 1.1e-7 * points;
  double searches = 5e-8 * points + 5e-7 * points / speedup;
  double device_searches = 5e-8 * points;
  double upload = 0;
  if (job.dimensions > 3) {
    const double coordinates = points * dimensions;
    const double pairs = points * points;
    index += 4e-9 * coordinates + 1.6e-8 * coordinates / speedup;
    searches += 5e-11 * std::pow(dimensions, 0.6) * pairs / speedup;
    upload = 2.5e-9 * coordinates;
    device_searches += (5e-13 + 1e-14 * dimensions) * pairs;
  }
  // Saddles take half as long as densities and dependent points.
  if (job.saddles) {
    searches *= 1.5;
    device_searches *= 1.5;
  }
  return {index + searches, kCudaJob + upload + device_searches};
}

// The first round takes 0.6 to 4 microseconds per vertex and edge on both
// devices. The default ends after about 1.1 s on Bitcoin OTC (5,878 vertices,
// 21,431 edges) and 0.4 s on a random graph of 400 vertices and 40,000 edges on
// 16 threads, after 0.3 s on the GPU.
ExpectedSeconds Expect(const SignedJob& job, int num_threads) {
  constexpr double kDefaultRounds = 5;
  const double most =
      job.rounds > 0 ? static_cast<double>(job.rounds) : kDefaultRounds;
  const auto vertices = static_cast<double>(job.vertices);
  const auto edges = static_cast<double>(job.edges);
  const double first = 1.2e-6 * (vertices + edges);
  const double more = (most - 1) / (kDefaultRounds - 1);
  return {first + more * (2.1e-3 * vertices + 1.2e-4 * edges) /
                      Speedup(num_threads),
          0.01 + first + more * (2.6e-5 * vertices + 7e-6 * edges)};
}

// algorithms/online/BENCHMARKS.md and the grid, thresholds of 0.1 to 0.5.
// Threads hardly matter.
ExpectedSeconds Expect(const StreamJob& job, int) {
  const auto entries = static_cast<double>(job.entries);
  return {2.2e-7 * entries, kCudaJob + 7e-8 * entries};
}

double CudaOverheadSeconds(double started_ago) {
  return started_ago > 0 ? std::max(0.0, kCudaStartSeconds - started_ago)
                         : kCudaStartSeconds + kCudaEndSeconds;
}

Device FasterDevice(const ExpectedSeconds& expected, double overhead_seconds) {
  return expected.cuda + overhead_seconds < expected.cpu ? Device::kCuda
                                                         : Device::kCpu;
}

Device FasterDevice(const ExpectedSeconds& expected) {
  return FasterDevice(expected, CudaIsRunning() ? 0 : CudaOverheadSeconds(0));
}

absl::StatusOr<Device> ResolveDevice(Device requested,
                                     const ExpectedSeconds& expected) {
  if (requested == Device::kAuto && FasterDevice(expected) == Device::kCpu) {
    return Device::kCpu;
  }
  return ResolveDevice(requested);
}

}  // namespace warpclust
