// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Table 5 of the paper (section 4.1): the quality of DClustR's rules. The first
// half of a collection is clustered, then a third of it is added, then the
// rest, a sixth (as Reu-30K, Reu-20K and Reu-10K). An iteration is an order of
// the documents within these parts, the given one first; the measured time is
// that of the three updates of a stored collection (CUDA-DClus). After each
// update three pairs of covers are compared, over the orders:
//   devices   the stored collection and DClustR in memory, the same order:
//             identical, or the benchmark fails
//   paper     the stored collection, and DClustR in memory in the given order:
//             the paper's Table 5, without float arithmetic
//   scratch   the stored collection, and OClustR from scratch in the same
//             order: what the rules cost
// Counters end in the number of the update, from 1 to 3.
//
//   dclustr_orders_benchmark --data=reuters21578_tf.svm.gz --orders=20

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/dclustr/dclustr_in_memory.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "eval/cover_agreement.h"
#include "graph/benchmarks/cosine_cases.h"
#include "graph/cover/cover.h"
#include "kernels/device/device.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"

ABSL_FLAG(int, orders, 5, "random orders beside the given one");
ABSL_FLAG(uint64_t, seed, 1, "of the random orders");
ABSL_FLAG(std::string, device, "auto", "of the updates: cpu, cuda or auto");
ABSL_FLAG(int, num_threads, 0, "0: all");

namespace warpclust {
namespace {

constexpr int kUpdates = 3;

// Documents of 10 to 30 words, half of them of one of 40 subjects that share
// words with their neighbors.
DocumentMatrix Generate() {
  DocumentMatrix documents;
  documents.num_terms = 2500;
  Random random(1);
  std::vector<int32_t> words;
  for (int32_t d = 0; d < 900; ++d) {
    const uint64_t subject = random.Below(40);
    words.clear();
    for (uint64_t i = 10 + random.Below(21); i > 0; --i) {
      words.push_back(static_cast<int32_t>(i % 2 == 0
                                               ? subject * 12 + random.Below(20)
                                               : 500 + random.Below(2000)));
    }
    std::sort(words.begin(), words.end());
    for (size_t i = 0; i < words.size(); ++i) {
      if (i > 0 && words[i] == words[i - 1]) {
        documents.weights.back() += 1;
      } else {
        documents.terms.push_back(words[i]);
        documents.weights.push_back(1);
      }
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

struct Case {
  // Of term counts.
  std::shared_ptr<const DocumentMatrix> counts;
  DClustRStoreOptions store;
  DClustRRunOptions run;

  // The documents before and after each update.
  std::array<int32_t, kUpdates + 1> Ends() const {
    const int32_t n = counts->num_documents();
    return {0, n / 2, n / 2 + n / 3, n};
  }
};

// The documents order[begin] to order[end - 1], by their numbers.
DClustRBatch BatchOf(const DocumentMatrix& all,
                     const std::vector<int32_t>& order, int32_t begin,
                     int32_t end) {
  DClustRBatch batch;
  for (int32_t i = begin; i < end; ++i) {
    AppendRows(all, order[i], order[i] + 1, &batch.added);
    batch.added_ids.push_back(absl::StrCat(order[i]));
  }
  // Of all batches, so that the first has factors for all terms.
  batch.added.num_terms = all.num_terms;
  return batch;
}

using Covers = std::array<Cover, kUpdates>;

// The covers, by document, after each update of `collection`.
template <typename Collection>
absl::StatusOr<Covers> CoversOf(const Case& input,
                                const std::vector<int32_t>& order,
                                Collection* collection, double* seconds) {
  Covers covers;
  const std::array<int32_t, kUpdates + 1> ends = input.Ends();
  for (int u = 0; u < kUpdates; ++u) {
    const DClustRBatch batch =
        BatchOf(*input.counts, order, ends[u], ends[u + 1]);
    const double start = BenchmarkClock();
    RETURN_IF_ERROR(collection->Update(batch, input.run).status());
    *seconds += BenchmarkClock() - start;
    ASSIGN_OR_RETURN(const DClustRClusters clusters,
                     collection->Read(input.run.num_threads));
    std::vector<int32_t> names;
    for (const std::string& id : clusters.ids) {
      int32_t name = 0;
      if (!absl::SimpleAtoi(id, &name)) {
        return absl::InternalError("expected a number as id");
      }
      names.push_back(name);
    }
    covers[u] = RenamedCover(clusters.cover, names);
  }
  return covers;
}

absl::StatusOr<Covers> InMemory(const Case& input, DClustRMode mode,
                                const std::vector<int32_t>& order) {
  DClustRStoreOptions options = input.store;
  options.mode = mode;
  ASSIGN_OR_RETURN(DClustRInMemory collection,
                   DClustRInMemory::Create(options));
  double seconds = 0;
  return CoversOf(input, order, &collection, &seconds);
}

absl::StatusOr<Covers> Stored(const Case& input,
                              const std::vector<int32_t>& order,
                              double* seconds) {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path(error) /
      absl::StrCat("dclustr_orders.", BenchmarkClock());
  const auto run = [&]() -> absl::StatusOr<Covers> {
    ASSIGN_OR_RETURN(DClustRCollection collection,
                     DClustRCollection::Create(folder.string(), input.store));
    return CoversOf(input, order, &collection, seconds);
  };
  absl::StatusOr<Covers> covers = run();
  std::filesystem::remove_all(folder, error);
  return covers;
}

absl::Status CompareOrders(benchmark::State& state, const Case& input) {
  const std::array<int32_t, kUpdates + 1> ends = input.Ends();
  std::vector<int32_t> order(ends[kUpdates]);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(absl::GetFlag(FLAGS_seed));
  ASSIGN_OR_RETURN(const Covers given,
                   InMemory(input, DClustRMode::kDClustR, order));
  std::array<CoverAgreement, kUpdates> devices;
  std::array<CoverAgreement, kUpdates> paper;
  std::array<CoverAgreement, kUpdates> scratch;
  std::array<double, kUpdates> clusters = {};
  std::array<double, kUpdates> scratch_clusters = {};
  bool is_first = true;
  for (auto _ : state) {
    for (int u = 0; u < kUpdates && !is_first; ++u) {
      std::shuffle(order.begin() + ends[u], order.begin() + ends[u + 1],
                   random);
    }
    double seconds = 0;
    ASSIGN_OR_RETURN(const Covers stored, Stored(input, order, &seconds));
    state.SetIterationTime(seconds);
    ASSIGN_OR_RETURN(const Covers memory,
                     InMemory(input, DClustRMode::kDClustR, order));
    ASSIGN_OR_RETURN(const Covers exact,
                     InMemory(input, DClustRMode::kExact, order));
    for (int u = 0; u < kUpdates; ++u) {
      const int32_t n = ends[u + 1];
      RETURN_IF_ERROR(devices[u].Add(memory[u], stored[u], n));
      RETURN_IF_ERROR(scratch[u].Add(exact[u], stored[u], n));
      // In the given order they are the same.
      if (!is_first) RETURN_IF_ERROR(paper[u].Add(given[u], stored[u], n));
      clusters[u] += stored[u].num_clusters();
      scratch_clusters[u] += exact[u].num_clusters();
    }
    is_first = false;
  }
  for (int u = 0; u < kUpdates; ++u) {
    const std::string number = absl::StrCat("_", u + 1);
    const auto report = [&](const char* name, const CoverAgreement& agreement) {
      if (agreement.count() == 0) return;
      for (const auto& [counter, value] : agreement.Counters()) {
        state.counters[absl::StrCat(name, counter, number)] = value;
      }
    };
    report("paper", paper[u]);
    report("scratch", scratch[u]);
    const auto count = static_cast<double>(devices[u].count());
    state.counters["documents" + number] = ends[u + 1];
    state.counters["clusters" + number] = clusters[u] / count;
    state.counters["scratch_clusters" + number] = scratch_clusters[u] / count;
    if (!devices[u].AllIdentical()) {
      return absl::InternalError(
          "the covers of the store and of DClustR in memory differ");
    }
  }
  return absl::OkStatus();
}

void RunOrders(benchmark::State& state, const Case& input) {
  const absl::Status status = CompareOrders(state, input);
  if (!status.ok()) SkipBenchmark(state, status);
}

}  // namespace

absl::Status RegisterBenchmarks() {
  Case input;
  input.store.mode = DClustRMode::kDClustR;
  ASSIGN_OR_RETURN(input.run.device, ParseDevice(absl::GetFlag(FLAGS_device)));
  input.run.num_threads = absl::GetFlag(FLAGS_num_threads);
  ASSIGN_OR_RETURN(const std::vector<CosineSetting> settings, CosineSettings());
  ASSIGN_OR_RETURN(
      const std::vector<DocumentCollection> collections,
      DocumentCollections({"reuters21578", "newsgroups20", "tdt2_top30"},
                          Generate));
  for (const DocumentCollection& collection : collections) {
    input.counts = collection.counts;
    for (const CosineSetting& setting : settings) {
      input.store.weighting = setting.weighting;
      input.store.beta = setting.beta;
      benchmark::RegisterBenchmark(
          absl::StrCat("DClustROrders/",
                       CosineCaseName(collection.name, setting))
              .c_str(),
          RunOrders, input)
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime()
          ->Iterations(1 + std::max(0, absl::GetFlag(FLAGS_orders)));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
