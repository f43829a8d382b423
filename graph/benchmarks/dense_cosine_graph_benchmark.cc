// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph of random embeddings on the CPU, and a product of float
// matrices tile by tile with a scan for the threshold, which is not exact.
//
//   dense_cosine_graph_benchmark --n=50000 --dimensions=384 --threads=1,2
//       --blas=libopenblas.so.0
//
// `sgemm` runs first and uses the library that --blas names, if it can be
// opened; `plain` is a tiled loop of this file in its place otherwise. One
// thread of the library per tile: tiles are shared by the threads.
// times_baseline is the wall-clock time of the baseline with as many threads
// divided by ours.

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/call_with_simd.h"
#include "base/machine/cpu_features.h"
#include "base/machine/peak_memory.h"
#include "base/machine/threads.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/dense/dense_cosine_graph_cpu.h"
#include "graph/csr/csr_graph.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

ABSL_FLAG(int, n, 2000, "documents");
ABSL_FLAG(int, dimensions, 384, "dimensions of a document");
ABSL_FLAG(int, directions, 0, "of the mixture; 0: one per 20 documents");
ABSL_FLAG(std::string, beta, "0.7", "smallest cosine of an edge");
ABSL_FLAG(std::vector<std::string>, threads,
          std::vector<std::string>({"1", "2"}), "thread counts");
ABSL_FLAG(std::string, simd, "best", "baseline, avx2 or best");
ABSL_FLAG(std::string, blas, "",
          "a library with cblas_sgemm; a loop of our own without it");

namespace warpclust {
namespace {

constexpr int32_t kTile = 1024;

// sums[i * kTile + j] = rows[i] · columns[j], all in float32.
using MultiplyTile = void (*)(int32_t num_rows, int32_t num_columns,
                              int32_t dimensions, const float* rows,
                              const float* columns, float* sums);

using Sgemm = void(int order, int transpose_a, int transpose_b, int m, int n,
                   int k, float alpha, const float* a, int lda, const float* b,
                   int ldb, float beta, float* c, int ldc);
Sgemm* g_sgemm = nullptr;

void MultiplyByBlas(int32_t num_rows, int32_t num_columns, int32_t dimensions,
                    const float* rows, const float* columns, float* sums) {
  constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;
  g_sgemm(kRowMajor, kNoTranspose, kTranspose, num_rows, num_columns,
          dimensions, 1, rows, dimensions, columns, dimensions, 0, sums, kTile);
}

// Panels of 32 columns, transposed, times four rows at a time.
void MultiplyPlainly(int32_t num_rows, int32_t num_columns, int32_t dimensions,
                     const float* rows, const float* columns, float* sums) {
  constexpr int kPanel = 32;
  AlignedVector<float> panel(int64_t{kPanel} * dimensions);
  std::vector<float> no_row(dimensions);
  for (int32_t c = 0; c < num_columns; c += kPanel) {
    const int width = std::min(kPanel, num_columns - c);
    for (int j = 0; j < width; ++j) {
      for (int32_t k = 0; k < dimensions; ++k) {
        panel[int64_t{k} * kPanel + j] =
            columns[int64_t{c + j} * dimensions + k];
      }
    }
    for (int32_t i = 0; i < num_rows; i += 4) {
      const float* four[4];
      for (int r = 0; r < 4; ++r) {
        four[r] = i + r < num_rows ? rows + int64_t{i + r} * dimensions
                                   : no_row.data();
      }
      float block[4][kPanel];
      const float* values = panel.data();
      CallWithSimd([=, &block]() WARPCLUST_ALWAYS_INLINE {
        typedef float Vector __attribute__((vector_size(64)));
        Vector sum[4][kPanel / 16] = {};
        for (int32_t k = 0; k < dimensions; ++k) {
          for (int v = 0; v < kPanel / 16; ++v) {
            Vector column;
            __builtin_memcpy(&column, values + k * kPanel + 16 * v,
                             sizeof(column));
            for (int r = 0; r < 4; ++r) sum[r][v] += column * four[r][k];
          }
        }
        __builtin_memcpy(block, sum, sizeof(block));
      });
      for (int r = 0; r < 4 && i + r < num_rows; ++r) {
        std::copy_n(block[r], width, sums + int64_t{i + r} * kTile + c);
      }
    }
  }
}

// The number of pairs whose product of unit vectors in float32 reaches `beta`.
int64_t CountEdges(const DenseDocuments& documents, float beta,
                   MultiplyTile multiply, int num_threads) {
  const int32_t n = documents.num_documents();
  const int32_t d = documents.num_dimensions;
  std::vector<float> units(documents.values.begin(), documents.values.end());
  const std::vector<double> norms = SquaredNorms(documents, num_threads);
  for (int32_t i = 0; i < n; ++i) {
    const double factor = norms[i] > 0 ? 1 / std::sqrt(norms[i]) : 0;
    for (int32_t k = 0; k < d; ++k) {
      units[int64_t{i} * d + k] =
          static_cast<float>(units[int64_t{i} * d + k] * factor);
    }
  }
  struct Tile {
    int32_t row, column;
  };
  std::vector<Tile> tiles;
  for (int32_t column = 0; column < n; column += kTile) {
    for (int32_t row = column; row < n; row += kTile) {
      tiles.push_back({row, column});
    }
  }
  const int64_t num_tiles = static_cast<int64_t>(tiles.size());
  int64_t edges = 0;
#pragma omp parallel num_threads(num_threads) reduction(+ : edges)
  {
    AlignedVector<float> sums(int64_t{kTile} * kTile);
    std::vector<Tile> found;
#pragma omp for schedule(dynamic, 1)
    for (int64_t t = 0; t < num_tiles; ++t) {
      const auto [row, column] = tiles[t];
      const int32_t num_rows = std::min(kTile, n - row);
      const int32_t num_columns = std::min(kTile, n - column);
      multiply(num_rows, num_columns, d, units.data() + int64_t{row} * d,
               units.data() + int64_t{column} * d, sums.data());
      for (int32_t i = 0; i < num_rows; ++i) {
        const float* values = sums.data() + int64_t{i} * kTile;
        const int32_t count = std::min(num_columns, row + i - column);
        for (int32_t first = 0; first < count; first += 16) {
          const int32_t end = std::min(first + 16, count);
          bool any = false;
          for (int32_t j = first; j < end; ++j) any |= values[j] >= beta;
          if (!any) continue;
          for (int32_t j = first; j < end; ++j) {
            if (values[j] >= beta) found.push_back({row + i, column + j});
          }
        }
      }
    }
    edges += static_cast<int64_t>(found.size());
  }
  return edges;
}

struct Case {
  DenseDocuments documents;
  CosineGraphOptions options;
};

// Wall-clock seconds by number of threads.
std::map<int, double>& BaselineSeconds() {
  static auto& seconds = *new std::map<int, double>();
  return seconds;
}

void RunBaseline(benchmark::State& state, const Case& input) {
  const int threads = input.options.num_threads;
  BaselineSeconds()[threads] = TimeIterations(
      state,
      [&]() -> absl::StatusOr<int64_t> {
        return CountEdges(input.documents,
                          static_cast<float>(input.options.beta.ToDouble()),
                          g_sgemm != nullptr ? MultiplyByBlas : MultiplyPlainly,
                          ResolveThreads(threads));
      },
      [&](int64_t edges) {
        state.counters["edges"] = static_cast<double>(edges);
        return absl::OkStatus();
      });
}

void RunOurs(benchmark::State& state, const Case& input) {
  const double seconds = TimeIterations(
      state,
      [&] { return DenseCosineGraphCpu(input.documents, input.options); },
      [&](const CsrGraph& graph) {
        state.counters["edges"] = static_cast<double>(graph.num_edges());
        return absl::OkStatus();
      });
  if (seconds > 0) {
    state.counters["times_baseline"] =
        BaselineSeconds()[input.options.num_threads] / seconds;
  }
  state.counters["peak_bytes"] = static_cast<double>(PeakResidentBytes());
}

void Register(const std::string& name,
              void (*function)(benchmark::State&, const Case&),
              const Case& input) {
  benchmark::RegisterBenchmark(
      absl::StrCat("DenseCosineGraphCpu/", input.documents.num_documents(), "x",
                   input.documents.num_dimensions, "/", name,
                   "/threads=", input.options.num_threads)
          .c_str(),
      function, input)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

}  // namespace

absl::Status RegisterBenchmarks() {
  ASSIGN_OR_RETURN(const std::vector<int> thread_counts,
                   ParseThreadCounts(absl::GetFlag(FLAGS_threads)));
  const std::string simd = absl::GetFlag(FLAGS_simd);
  if (simd == "baseline" || simd == "avx2") {
    SetSimdLevelLimitForTesting(simd == "avx2" ? SimdLevel::kAvx2
                                               : SimdLevel::kBaseline);
  } else if (simd != "best") {
    return absl::InvalidArgumentError(
        absl::StrCat("--simd: expected baseline, avx2 or best, found ", simd));
  }
  const std::string blas = absl::GetFlag(FLAGS_blas);
  if (!blas.empty()) {
    void* const library = dlopen(blas.c_str(), RTLD_NOW);
    if (library == nullptr) {
      return absl::UnavailableError(absl::StrCat("--blas: ", dlerror()));
    }
    g_sgemm = reinterpret_cast<Sgemm*>(dlsym(library, "cblas_sgemm"));
    if (g_sgemm == nullptr) {
      return absl::UnavailableError(
          absl::StrCat("--blas: no cblas_sgemm in ", blas));
    }
    // The tiles are shared by our threads.
    if (void* const set = dlsym(library, "openblas_set_num_threads")) {
      reinterpret_cast<void (*)(int)>(set)(1);
    }
  }
  Case input;
  RandomEmbeddingsOptions options;
  options.dimensions = absl::GetFlag(FLAGS_dimensions);
  options.directions = absl::GetFlag(FLAGS_directions) > 0
                           ? absl::GetFlag(FLAGS_directions)
                           : std::max(1, absl::GetFlag(FLAGS_n) / 20);
  input.documents =
      MakeRandomEmbeddings(options, absl::GetFlag(FLAGS_n), /*num_threads=*/0);
  ASSIGN_OR_RETURN(input.options.beta, ParseDecimal(absl::GetFlag(FLAGS_beta)));
  for (const int threads : thread_counts) {
    input.options.num_threads = threads;
    Register(blas.empty() ? "plain" : "sgemm", RunBaseline, input);
    Register("ours", RunOurs, input);
  }
  return absl::OkStatus();
}

}  // namespace warpclust
