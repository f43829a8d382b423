// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares two covers of 100,000 items with 500,000 memberships, for several
// distributions of cluster sizes and two kinds of truth: the cover with 20 % of
// its memberships moved, and classes that partition the items.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "eval/compare_covers.h"
#include "eval/labels.h"
#include "eval/overlapping_nmi.h"
#include "eval/testing/random_covers.h"

namespace warpclust {
namespace {

constexpr int32_t kItems = 100000;
constexpr int64_t kMemberships = 500000;

enum SizeKind {
  kEqual10,
  kEqual100,
  kEqual1000,
  kEqual10000,
  kEqual50000,
  // Size of the r-th cluster proportional to 1 / r, the largest 30,000 items.
  kZipf,
  // From 2 to 20,000 items, log-uniform.
  kLogUniform,
};

const char* const kSizeNames[] = {"equal_10",    "equal_100",   "equal_1000",
                                  "equal_10000", "equal_50000", "zipf",
                                  "log_uniform"};

std::vector<int32_t> Sizes(int64_t kind, std::mt19937_64& random) {
  std::vector<int32_t> sizes;
  int64_t sum = 0;
  while (sum < kMemberships) {
    int64_t size = 0;
    switch (kind) {
      case kEqual10:
        size = 10;
        break;
      case kEqual100:
        size = 100;
        break;
      case kEqual1000:
        size = 1000;
        break;
      case kEqual10000:
        size = 10000;
        break;
      case kEqual50000:
        size = 50000;
        break;
      case kZipf:
        size = std::max<int64_t>(2, 30000 / (sizes.size() + 1));
        break;
      default:
        size = int64_t{2} << UniformBelow(14, random);
        size += UniformBelow(size / 2, random);
    }
    size = std::min(size, kMemberships - sum);
    sizes.push_back(static_cast<int32_t>(size));
    sum += size;
  }
  return sizes;
}

struct CoverPair {
  Cover truth;
  Cover clusters;
};

// Arguments: SizeKind, number of classes (0: perturbed clusters are the truth).
CoverPair MakePair(const benchmark::State& state) {
  std::mt19937_64 random(1);
  CoverPair pair;
  pair.clusters = CoverWithSizes(kItems, Sizes(state.range(0), random), random);
  if (state.range(1) == 0) {
    pair.truth = Perturbed(pair.clusters, kItems, 0.2, random);
  } else {
    std::vector<int32_t> labels;
    for (int32_t item = 0; item < kItems; ++item) {
      labels.push_back(
          static_cast<int32_t>(UniformBelow(state.range(1), random)));
    }
    pair.truth = CoverFromLabels(labels).value();
  }
  return pair;
}

void Describe(benchmark::State& state) {
  state.SetLabel(std::string(kSizeNames[state.range(0)]) +
                 (state.range(1) == 0
                      ? ", 20% moved"
                      : ", " + std::to_string(state.range(1)) + " classes"));
}

void AddArguments(benchmark::internal::Benchmark* benchmark) {
  for (int64_t kind = kEqual10; kind <= kLogUniform; ++kind) {
    for (const int64_t classes : {0, 10}) benchmark->Args({kind, classes});
  }
  benchmark->Unit(benchmark::kSecond)->UseRealTime()->MeasureProcessCPUTime();
}

void BM_CompareCovers(benchmark::State& state) {
  const CoverPair pair = MakePair(state);
  Describe(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        CompareCovers(pair.truth, pair.clusters, kItems).value());
  }
}
BENCHMARK(BM_CompareCovers)->Apply(AddArguments);

void BM_OverlappingNmi(benchmark::State& state) {
  const CoverPair pair = MakePair(state);
  Describe(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        ComputeOverlappingNmi(pair.truth, pair.clusters, kItems).value());
  }
}
BENCHMARK(BM_OverlappingNmi)->Apply(AddArguments);

}  // namespace
}  // namespace warpclust
