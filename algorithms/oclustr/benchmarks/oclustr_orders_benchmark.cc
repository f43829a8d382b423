// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// Table 4 of the paper (section 4.1): the same collection clustered in its
// given order and in random orders, on the CPU and, if there is one, on the
// GPU; FBCubed and overlapping NMI between the covers. A table of tab-separated
// columns on stdout; what is compared:
//   cpu_vs_cuda        both devices, the same order: 1 and identical, always
//   order_by_position  another order and the given one, documents named alike.
//                      The last tie-breaker of OClustR is a document's
//                      position, so this is how much the order of documents
//                      changes the clusters; the paper's Table 4 is this with
//                      the paper's float arithmetic on top
//   order_by_document  the same with the graph brought back to the given order
//                      before it is clustered, so that ties go by document: 1
//                      and identical, always
//
//   oclustr_orders_benchmark --data=reuters21578_tf.svm.gz --orders=20
//
// Without --data: a small generated collection. Exit codes: 0 ok, 1 usage,
// 2 bad input, 3 a device that is not there, 4 covers differ that must not.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/numbers/decimal.h"
#include "eval/bcubed.h"
#include "eval/overlapping_nmi.h"
#include "graph/benchmarks/zipf_documents.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cover/cover.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/weighting/weighting.h"

ABSL_FLAG(std::vector<std::string>, data, {}, "svmlight files of term counts");
ABSL_FLAG(std::vector<std::string>, beta,
          std::vector<std::string>({"0.25", "0.35"}), "thresholds");
ABSL_FLAG(std::string, weighting, "tf", "tf or tfidf");
ABSL_FLAG(int, orders, 20, "random orders beside the given one");
ABSL_FLAG(uint64_t, seed, 1, "of the random orders");
ABSL_FLAG(std::string, device, "auto",
          "cuda or cpu: with the GPU, or without; auto: if there is one");

namespace warpclust {
namespace {

// Zipf documents, and documents of two terms each in a ring: the ring's
// vertices all tie, so that a cover that depends on their positions shows.
DocumentMatrix GeneratedDocuments() {
  ZipfDocumentsOptions shape;
  shape.num_documents = 600;
  shape.num_terms = 400;
  shape.terms_per_document = 12;
  DocumentMatrix documents = ZipfDocuments(shape);
  constexpr int32_t kRing = 50;
  const int32_t first = documents.num_terms;
  for (int32_t d = 0; d < kRing; ++d) {
    const int32_t next = (d + 1) % kRing;
    documents.terms.push_back(first + std::min(d, next));
    documents.terms.push_back(first + std::max(d, next));
    documents.weights.insert(documents.weights.end(), {1, 1});
    documents.offsets.push_back(documents.num_entries());
  }
  documents.num_terms += kRing;
  return documents;
}

// Row i of the result is row order[i] of `documents`.
DocumentMatrix Permuted(const DocumentMatrix& documents,
                        const std::vector<int32_t>& order) {
  DocumentMatrix permuted;
  permuted.num_terms = documents.num_terms;
  for (const int32_t d : order) {
    AppendRows(documents, d, d + 1, &permuted);
  }
  return permuted;
}

// The graph of documents in `order`, its vertices renamed to documents.
CsrGraph Restored(const CsrGraph& graph, const std::vector<int32_t>& order) {
  std::vector<int32_t> positions(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    positions[order[i]] = static_cast<int32_t>(i);
  }
  CsrGraph restored;
  restored.neighbors.reserve(graph.neighbors.size());
  restored.weights.reserve(graph.weights.size());
  std::vector<std::pair<int32_t, float>> row;
  for (const int32_t position : positions) {
    row.clear();
    for (int64_t k = 0; k < graph.Degree(position); ++k) {
      row.emplace_back(order[graph.NeighborsOf(position)[k]],
                       graph.WeightsOf(position)[k]);
    }
    std::sort(row.begin(), row.end());
    for (const auto& [neighbor, weight] : row) {
      restored.neighbors.push_back(neighbor);
      restored.weights.push_back(weight);
    }
    restored.offsets.push_back(static_cast<int64_t>(restored.neighbors.size()));
  }
  return restored;
}

// The cover of documents in `order` with the documents' own names; clusters in
// an order of their own, so that equal covers compare equal.
Cover Restored(const Cover& cover, const std::vector<int32_t>& order) {
  std::vector<std::vector<int32_t>> clusters(cover.num_clusters());
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    for (const int32_t member : cover.MembersOf(c)) {
      clusters[c].push_back(order[member]);
    }
    std::sort(clusters[c].begin(), clusters[c].end());
  }
  std::sort(clusters.begin(), clusters.end());
  Cover restored;
  for (const std::vector<int32_t>& cluster : clusters) restored.Append(cluster);
  return restored;
}

// Agreement of pairs of covers, over the orders.
class Agreement {
 public:
  absl::Status Add(const Cover& truth, const Cover& cover, int32_t n) {
    ++count_;
    BCubed bcubed;
    OverlappingNmi nmi;
    if (truth == cover) {
      ++identical_;
    } else {
      const absl::StatusOr<BCubed> measured = ComputeBCubed(truth, cover, n);
      if (!measured.ok()) return measured.status();
      bcubed = *measured;
      const absl::StatusOr<OverlappingNmi> information =
          ComputeOverlappingNmi(truth, cover, n);
      if (!information.ok()) return information.status();
      nmi = *information;
    }
    fbcubed_ += bcubed.f;
    worst_fbcubed_ = std::min(worst_fbcubed_, bcubed.f);
    lfk_ += nmi.lfk;
    mgh_max_ += nmi.mgh_max;
    return absl::OkStatus();
  }

  bool AllIdentical() const { return identical_ == count_; }

  void Print(const std::string& set, const std::string& beta,
             const char* comparison) const {
    std::printf("%s\t%s\t%s\t%s\t%d\t%d", set.c_str(),
                absl::GetFlag(FLAGS_weighting).c_str(), beta.c_str(),
                comparison, count_, identical_);
    if (count_ > 0) {
      std::printf("\t%.6f\t%.6f\t%.6f\t%.6f\n", fbcubed_ / count_,
                  worst_fbcubed_, lfk_ / count_, mgh_max_ / count_);
    } else {
      std::printf("\t-\t-\t-\t-\n");
    }
    std::fflush(stdout);
  }

 private:
  int count_ = 0;
  int identical_ = 0;
  double fbcubed_ = 0;
  double worst_fbcubed_ = 1;
  double lfk_ = 0;
  double mgh_max_ = 0;
};

struct Covers {
  // Vertices are positions in the order given.
  Cover by_position;
  // Vertices are documents.
  Cover by_document;
};

absl::StatusOr<Covers> ClusterOnCpu(const DocumentMatrix& documents,
                                    const CosineGraphOptions& options,
                                    const std::vector<int32_t>& order) {
  const absl::StatusOr<CsrGraph> graph =
      CosineGraph(documents, options, Device::kCpu);
  if (!graph.ok()) return graph.status();
  OClustROptions stages;
  stages.device = Device::kCpu;
  absl::StatusOr<OClustRResult> result = OClustR(*graph, stages);
  if (!result.ok()) return result.status();
  Covers covers;
  covers.by_position = std::move(result->cover);
  result = OClustR(Restored(*graph, order), stages);
  if (!result.ok()) return result.status();
  covers.by_document = std::move(result->cover);
  return covers;
}

// Prints the rows of one β. False if covers differ that must not.
absl::StatusOr<bool> CompareOrders(const std::string& set,
                                   const DocumentMatrix& documents,
                                   const Decimal& beta, bool cuda) {
  CosineGraphOptions options;
  options.beta = beta;
  const int32_t n = documents.num_documents();
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int32_t> given = order;
  std::mt19937_64 random(absl::GetFlag(FLAGS_seed));
  Cover first;
  Agreement devices;
  Agreement by_position;
  Agreement by_document;
  for (int k = 0; k <= absl::GetFlag(FLAGS_orders); ++k) {
    if (k > 0) {
      for (int32_t i = n - 1; i > 0; --i) {
        std::swap(order[i], order[random() % (i + uint64_t{1})]);
      }
    }
    const DocumentMatrix permuted = Permuted(documents, order);
    const absl::StatusOr<Covers> cpu = ClusterOnCpu(permuted, options, order);
    if (!cpu.ok()) return cpu.status();
    absl::Status status;
    if (cuda) {
      OClustRDocumentsOptions on_cuda;
      on_cuda.graph = options;
      on_cuda.device = Device::kCuda;
      const absl::StatusOr<OClustRResult> result =
          OClustRDocuments(permuted, on_cuda);
      if (!result.ok()) return result.status();
      status = devices.Add(cpu->by_position, result->cover, n);
    }
    const Cover cover = Restored(cpu->by_position, order);
    if (k == 0) first = cover;
    if (k > 0 && status.ok()) status = by_position.Add(first, cover, n);
    if (k > 0 && status.ok()) {
      status = by_document.Add(first, Restored(cpu->by_document, given), n);
    }
    if (!status.ok()) return status;
  }
  const std::string name = FormatDecimal(beta);
  devices.Print(set, name, "cpu_vs_cuda");
  by_position.Print(set, name, "order_by_position");
  by_document.Print(set, name, "order_by_document");
  std::printf("# %s, beta %s: %d documents, %d clusters, %lld memberships\n",
              set.c_str(), name.c_str(), n, first.num_clusters(),
              static_cast<long long>(first.num_memberships()));
  return devices.AllIdentical() && by_document.AllIdentical();
}

absl::StatusOr<bool> CompareCollection(const std::string& set,
                                       DocumentMatrix counts,
                                       Weighting weighting,
                                       const std::vector<Decimal>& betas,
                                       bool cuda) {
  const absl::StatusOr<DocumentMatrix> documents =
      ApplyWeighting(std::move(counts), weighting);
  if (!documents.ok()) return documents.status();
  bool kept = true;
  for (const Decimal& beta : betas) {
    const auto start = std::chrono::steady_clock::now();
    const absl::StatusOr<bool> ok = CompareOrders(set, *documents, beta, cuda);
    if (!ok.ok()) return ok.status();
    kept = kept && *ok;
    std::printf("# %.1f s\n", std::chrono::duration<double>(
                                  std::chrono::steady_clock::now() - start)
                                  .count());
  }
  return kept;
}

int Main() {
  const auto fail = [](const absl::Status& status, int code) {
    std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    return code;
  };
  const absl::StatusOr<Device> requested =
      ParseDevice(absl::GetFlag(FLAGS_device));
  if (!requested.ok()) return fail(requested.status(), 1);
  const absl::StatusOr<Device> device = ResolveDevice(*requested);
  if (!device.ok()) return fail(device.status(), 3);
  const absl::StatusOr<Weighting> weighting =
      ParseWeighting(absl::GetFlag(FLAGS_weighting));
  if (!weighting.ok()) return fail(weighting.status(), 1);
  std::vector<Decimal> betas;
  for (const std::string& text : absl::GetFlag(FLAGS_beta)) {
    const absl::StatusOr<Decimal> beta = ParseDecimal(text);
    if (!beta.ok()) return fail(beta.status(), 1);
    betas.push_back(*beta);
  }
  const bool cuda = *device == Device::kCuda;
  std::printf(
      "set\tweighting\tbeta\tcomparison\torders\tidentical\tfbcubed\t"
      "fbcubed_least\tnmi_lfk\tnmi_max\n");
  bool kept = true;
  if (absl::GetFlag(FLAGS_data).empty()) {
    const absl::StatusOr<bool> ok = CompareCollection(
        "generated", GeneratedDocuments(), *weighting, betas, cuda);
    if (!ok.ok()) return fail(ok.status(), 2);
    kept = *ok;
  }
  for (const std::string& path : absl::GetFlag(FLAGS_data)) {
    absl::StatusOr<LabelledDocuments> read = ReadSvmLight(path);
    if (!read.ok()) return fail(read.status(), 2);
    const absl::StatusOr<bool> ok =
        CompareCollection(std::filesystem::path(path).filename().string(),
                          std::move(read->documents), *weighting, betas, cuda);
    if (!ok.ok()) return fail(ok.status(), 2);
    kept = kept && *ok;
  }
  return kept ? 0 : 4;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("clusters a collection in many orders");
  absl::ParseCommandLine(argc, argv);
  return warpclust::Main();
}
