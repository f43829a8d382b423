// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// Density and dependent point of all points by CUDA brute force: a table of
// tab-separated columns on stdout, comments after '#'.
//
//   brute_force_cuda_benchmark --data=mnist70k.csv.gz,shuttle.csv.gz
//   brute_force_cuda_benchmark --sets=mixture --repeat=9 --verify
//
// Without --data and --sets it takes generated sets: `bytes` (70,000 x 784,
// sparse bytes as of images), `mixture` (500,000 x 57, fifty Gaussian
// clusters), `uniform` (40,000 x 8). d_c is the 2 % quantile of sampled pair
// distances.
// --dump=DIR writes NAME.f32 (float32, row-major) and NAME.txt (n, d, d_c) for
// a baseline elsewhere: brute_force_baseline.py. Exit codes: 0 ok, 1 wrong
// results or usage, 2 bad input, 3 no GPU.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/numbers/random.h"
#include "kernels/device.h"
#include "kernels/device_buffer.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::vector<std::string>, data, {}, "CSV files of points");
ABSL_FLAG(std::vector<std::string>, sets, {}, "bytes, mixture, uniform");
ABSL_FLAG(int, repeat, 5, "timed runs; the median counts");
ABSL_FLAG(double, fraction, 0.02, "of pairs within d_c");
ABSL_FLAG(bool, verify, false, "compare with the kernel without filter");
ABSL_FLAG(std::string, dump, "", "folder for the points in float32");

namespace warpclust {
namespace {

PointMatrix Generated(absl::string_view name) {
  PointMatrix points;
  Random random(42);
  const auto fill = [&](int32_t n, int32_t d, const auto& value) {
    points.num_points = n;
    points.num_dimensions = d;
    points.values.resize(static_cast<size_t>(n) * d);
    for (int32_t i = 0; i < n; ++i) {
      for (int32_t k = 0; k < d; ++k) {
        points.values[static_cast<size_t>(i) * d + k] = value(i, k);
      }
    }
  };
  if (name == "bytes") {
    // Ten kinds of images: a pixel in five is set, mostly those of the kind.
    std::vector<double> ink(7840);
    for (double& p : ink) p = random.Below(5) == 0 ? 0.8 : 0.05;
    fill(70000, 784, [&](int32_t i, int32_t k) {
      return random.Unit() < ink[static_cast<size_t>(i % 10) * 784 + k]
                 ? static_cast<double>(1 + random.Below(255))
                 : 0.0;
    });
  } else if (name == "mixture") {
    std::vector<double> centres(50 * 57);
    for (double& c : centres) c = 20 * random.Unit() - 10;
    std::vector<double> spreads(50);
    for (double& s : spreads) s = 0.5 + 1.5 * random.Unit();
    fill(500000, 57, [&](int32_t i, int32_t k) {
      const int32_t cluster = (i * 7 + i / 64) % 50;
      return centres[static_cast<size_t>(cluster) * 57 + k] +
             spreads[cluster] * random.Normal();
    });
  } else {
    fill(40000, 8, [&](int32_t, int32_t) { return 3.46 * random.Unit(); });
  }
  return points;
}

double Quantile(const PointMatrix& points, double fraction) {
  Random random(7);
  const auto row = [&] {
    return points.Row(static_cast<int32_t>(random.Below(points.num_points)));
  };
  std::vector<double> keys(500000);
  for (double& key : keys) {
    key = DistanceKey(Norm::kL2, row(), row(), points.num_dimensions);
  }
  const auto at = keys.begin() + static_cast<int64_t>(keys.size() * fraction);
  std::nth_element(keys.begin(), at, keys.end());
  return std::sqrt(*at);
}

struct Answer {
  std::vector<int32_t> counts;
  std::vector<int32_t> ids;
  std::vector<double> keys;
  double create_seconds = 0;
  double count_seconds = 0;
  double nearest_seconds = 0;
  double estimate = 0;
  CudaBruteForce::Statistics count_statistics;
  CudaBruteForce::Statistics nearest_statistics;
};

double Seconds(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

std::vector<int32_t> RanksByCount(const std::vector<int32_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  std::vector<int32_t> ranks(counts.size());
  for (size_t r = 0; r < order.size(); ++r) {
    ranks[order[r]] = static_cast<int32_t>(r);
  }
  return ranks;
}

// One run, points on the device. Reading the statistics waits for the work.
absl::StatusOr<Answer> RunOnce(const DevicePoints& points, double radius_key,
                               const CudaBruteForceOptions& options,
                               bool estimate) {
  Answer answer;
  auto start = std::chrono::steady_clock::now();
  absl::StatusOr<CudaBruteForce> index =
      CudaBruteForce::Create(points, options);
  if (!index.ok()) return index.status();
  absl::StatusOr<CudaBruteForce::Statistics> wait = index->LastStatistics();
  if (!wait.ok()) return wait.status();
  answer.create_seconds = Seconds(start);

  start = std::chrono::steady_clock::now();
  DeviceBuffer<int32_t> counts;
  absl::Status status = index->CountWithin(radius_key, counts);
  if (!status.ok()) return status;
  wait = index->LastStatistics();
  if (!wait.ok()) return wait.status();
  answer.count_seconds = Seconds(start);
  answer.count_statistics = *wait;

  absl::StatusOr<std::vector<int32_t>> host = counts.ToHost();
  if (!host.ok()) return host.status();
  answer.counts = *std::move(host);
  const absl::StatusOr<DeviceBuffer<int32_t>> ranks =
      DeviceBuffer<int32_t>::FromHost(RanksByCount(answer.counts));
  if (!ranks.ok()) return ranks.status();
  start = std::chrono::steady_clock::now();
  DeviceBuffer<int32_t> ids;
  DeviceBuffer<double> keys;
  status = index->NearestOfHigherRank(*ranks, ids, keys);
  if (!status.ok()) return status;
  wait = index->LastStatistics();
  if (!wait.ok()) return wait.status();
  answer.nearest_seconds = Seconds(start);
  answer.nearest_statistics = *wait;
  host = ids.ToHost();
  if (!host.ok()) return host.status();
  answer.ids = *std::move(host);
  absl::StatusOr<std::vector<double>> host_keys = keys.ToHost();
  if (!host_keys.ok()) return host_keys.status();
  answer.keys = *std::move(host_keys);
  if (estimate) {
    const absl::StatusOr<double> seconds = index->EstimateSeconds(radius_key);
    if (!seconds.ok()) return seconds.status();
    answer.estimate = *seconds;
  }
  return answer;
}

void Dump(const std::string& name, const PointMatrix& points, double d_c) {
  const std::string folder = absl::GetFlag(FLAGS_dump);
  if (folder.empty()) return;
  const std::vector<float> values(points.values.begin(), points.values.end());
  std::FILE* file =
      std::fopen(absl::StrCat(folder, "/", name, ".f32").c_str(), "wb");
  if (file != nullptr) {
    std::fwrite(values.data(), sizeof(float), values.size(), file);
    std::fclose(file);
  }
  file = std::fopen(absl::StrCat(folder, "/", name, ".txt").c_str(), "w");
  if (file != nullptr) {
    std::fprintf(file, "%d %d %.17g\n", points.num_points,
                 points.num_dimensions, d_c);
    std::fclose(file);
  }
}

absl::Status Measure(const std::string& name, const PointMatrix& points) {
  const double d_c = Quantile(points, absl::GetFlag(FLAGS_fraction));
  Dump(name, points, d_c);
  const absl::StatusOr<DevicePoints> device =
      DevicePoints::FromHost(points, Norm::kL2);
  if (!device.ok()) return device.status();
  const int repeat = std::max(absl::GetFlag(FLAGS_repeat), 1);
  std::vector<double> create;
  std::vector<double> count;
  std::vector<double> nearest;
  Answer answer;
  for (int i = 0; i <= repeat; ++i) {  // the first one warms up
    absl::StatusOr<Answer> once =
        RunOnce(*device, d_c * d_c, CudaBruteForceOptions(), i == repeat);
    if (!once.ok()) return once.status();
    if (i > 0) {
      create.push_back(once->create_seconds);
      count.push_back(once->count_seconds);
      nearest.push_back(once->nearest_seconds);
    }
    answer = *std::move(once);
  }
  const auto median = [](std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  };
  const int64_t total =
      std::accumulate(answer.counts.begin(), answer.counts.end(), int64_t{0});
  const double all_pairs = 0.5 * points.num_points * points.num_points;
  const double create_median = median(create);
  const double count_median = median(count);
  const double nearest_median = median(nearest);
  std::printf(
      "%s\t%d\t%d\t%.6g\t%lld\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%s\t%.4f\t%.3g\t"
      "%s\t%.4f\t%.3g\n",
      name.c_str(), points.num_points, points.num_dimensions, d_c,
      static_cast<long long>(total), create_median, count_median,
      nearest_median, count_median + nearest_median, answer.estimate,
      answer.count_statistics.tensor_cores ? "tensor" : "plain",
      static_cast<double>(answer.count_statistics.pairs) / all_pairs,
      static_cast<double>(answer.count_statistics.exact_keys) / all_pairs,
      answer.nearest_statistics.tensor_cores ? "tensor" : "plain",
      static_cast<double>(answer.nearest_statistics.pairs) / all_pairs,
      static_cast<double>(answer.nearest_statistics.exact_keys) / all_pairs);
  std::fflush(stdout);
  if (!absl::GetFlag(FLAGS_verify)) return absl::OkStatus();
  CudaBruteForceOptions plain;
  plain.filter = CudaBruteForceOptions::Filter::kNone;
  const absl::StatusOr<Answer> expected =
      RunOnce(*device, d_c * d_c, plain, false);
  if (!expected.ok()) return expected.status();
  const bool same = expected->counts == answer.counts &&
                    expected->ids == answer.ids &&
                    expected->keys == answer.keys;
  std::printf("# %s: without filter %.4f + %.4f s, results %s\n", name.c_str(),
              expected->count_seconds, expected->nearest_seconds,
              same ? "equal" : "DIFFER");
  std::fflush(stdout);
  return same ? absl::OkStatus() : absl::InternalError("results differ");
}

int Main() {
  if (!ResolveDevice(Device::kCuda).ok()) {
    std::fprintf(stderr, "no GPU here\n");
    return 3;
  }
  std::printf(
      "set\tn\td\td_c\tsum_of_counts\tcreate_s\tcount_s\tnearest_s\tboth_s\t"
      "estimate_s\tcount_kernel\tcount_pairs\tcount_exact\tnearest_kernel\t"
      "nearest_pairs\tnearest_exact\n# pairs, exact: of n^2 / 2\n");
  std::vector<std::string> sets = absl::GetFlag(FLAGS_sets);
  if (sets.empty() && absl::GetFlag(FLAGS_data).empty()) {
    sets = {"uniform", "bytes", "mixture"};
  }
  for (const std::string& name : sets) {
    const absl::Status status = Measure(name, Generated(name));
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.ToString().c_str());
      return 1;
    }
  }
  for (const std::string& path : absl::GetFlag(FLAGS_data)) {
    const absl::StatusOr<PointMatrix> points = ReadCsvPoints(path);
    if (!points.ok()) {
      std::fprintf(stderr, "%s\n", points.status().ToString().c_str());
      return 2;
    }
    std::string name = path.substr(path.rfind('/') + 1);
    name = name.substr(0, name.find('.'));
    const absl::Status status = Measure(name, *points);
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.ToString().c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return warpclust::Main();
}
