// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cosine_probe.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "graph/testing/cosine_probe_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// cosine_probe_cuda_test.cc is for the GPU.
absl::StatusOr<CosineProbe> CreateOnCpu(const DocumentMatrix& probes,
                                        const CosineProbeOptions& options) {
  return CosineProbe::Create(probes, options, Device::kCpu);
}

// The edges of `graph` between `stored` first vertices and the others.
std::vector<ProbeEdge> EdgesAcross(const CsrGraph& graph, int32_t stored) {
  std::vector<ProbeEdge> edges;
  for (int32_t row = 0; row < stored; ++row) {
    for (int64_t e = graph.offsets[row]; e < graph.offsets[row + 1]; ++e) {
      if (graph.neighbors[e] >= stored) {
        edges.push_back({row, graph.neighbors[e] - stored, graph.weights[e]});
      }
    }
  }
  return edges;
}

void ExpectSame(const std::vector<ProbeEdge>& expected,
                const std::vector<ProbeEdge>& actual, const std::string& what) {
  ASSERT_EQ(FirstDifference(expected, actual), "") << what;
}

// The probe join of `stored` with `probes`, with several numbers of threads and
// cuts into blocks, against the graph of both; returns the number of edges.
int64_t ExpectEdgesOfTheGraph(const DocumentMatrix& stored,
                              const DocumentMatrix& probes, const Decimal& beta,
                              bool integer, const std::string& what) {
  CosineGraphOptions graph_options;
  graph_options.beta = beta;
  graph_options.integer_decisions = integer;
  DocumentMatrix both = stored;
  AppendRows(probes, 0, probes.num_documents(), &both);
  const absl::StatusOr<CsrGraph> graph = CosineGraphCpu(both, graph_options);
  EXPECT_TRUE(graph.ok()) << what << ": " << graph.status();
  if (!graph.ok()) return 0;
  const int32_t n = stored.num_documents();
  const std::vector<ProbeEdge> expected = EdgesAcross(*graph, n);
  for (int threads : {1, 3}) {
    // One batch is for one thread.
    if (threads > 1 && n < 257) continue;
    CosineProbeOptions options;
    options.beta = beta;
    options.integer_arithmetic = integer;
    options.num_threads = threads;
    absl::StatusOr<CosineProbe> probe = CreateOnCpu(probes, options);
    EXPECT_TRUE(probe.ok()) << what << ": " << probe.status();
    if (!probe.ok()) return 0;
    for (int32_t step : {1 << 20, 500, 7}) {
      // Threads of small blocks wait for each other most of the time.
      if (n > 100 * step || (threads > 1 && step < 10)) continue;
      const std::string how =
          absl::StrCat(what, ", threads ", threads, ", blocks of ", step);
      const absl::StatusOr<std::vector<ProbeEdge>> edges =
          JoinInBlocks(stored, step, &*probe);
      EXPECT_TRUE(edges.ok()) << how << ": " << edges.status();
      if (!edges.ok()) return 0;
      ExpectSame(expected, *edges, how);
      if (testing::Test::HasFatalFailure()) return 0;
    }
  }
  return static_cast<int64_t>(expected.size());
}

TEST(CosineProbeTest, EqualsTheGraphOnRandomDocuments) {
  int64_t edges = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    const ProbeCase random = RandomProbeCase(seed);
    for (bool integer : random.arithmetics) {
      edges += ExpectEdgesOfTheGraph(
          random.stored, random.probes, random.beta, integer,
          absl::StrCat("seed ", seed, ", integer ", integer));
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(edges, 100000);
}

TEST(CosineProbeTest, ManyProbesOverSeveralTiles) {
  for (bool integer : {false, true}) {
    RandomDocumentsOptions shape;
    shape.seed = 17;
    shape.num_documents = 6300;
    shape.num_terms = 3000;
    shape.mean_terms = 20;
    shape.integer_weights = integer;
    shape.largest_weight = 90;
    shape.empty_fraction = 0.01;
    const DocumentMatrix documents = RandomDocuments(shape);
    for (const Decimal& beta : {Decimal("0.25"), Decimal("0.55")}) {
      EXPECT_GT(ExpectEdgesOfTheGraph(DocumentRows(documents, 0, 1200),
                                      DocumentRows(documents, 1200, 6300), beta,
                                      integer, absl::StrCat(integer)),
                0);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CosineProbeTest, FewProbesAndManyStored) {
  for (bool integer : {false, true}) {
    RandomDocumentsOptions shape;
    shape.seed = 18;
    shape.num_documents = 9000;
    shape.num_terms = 2000;
    shape.mean_terms = 30;
    shape.integer_weights = integer;
    const DocumentMatrix documents = RandomDocuments(shape);
    for (int32_t probes : {1, 40, 600}) {
      ExpectEdgesOfTheGraph(DocumentRows(documents, 0, 9000 - probes),
                            DocumentRows(documents, 9000 - probes, 9000),
                            {25, 100}, integer,
                            absl::StrCat(integer, ", ", probes));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CosineProbeTest, LongDocuments) {
  for (bool integer : {true, false}) {
    RandomDocumentsOptions shape;
    shape.seed = 77;
    shape.num_documents = 90;
    shape.num_terms = 9000;
    shape.mean_terms = 2500;
    shape.integer_weights = integer;
    shape.largest_weight = 5000;
    const DocumentMatrix documents = RandomDocuments(shape);
    for (const Decimal& beta : {Decimal("0.05"), Decimal("0.45")}) {
      ExpectEdgesOfTheGraph(DocumentRows(documents, 0, 60),
                            DocumentRows(documents, 60, 90), beta, integer,
                            absl::StrCat("integer ", integer));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CosineProbeTest, PairsExactlyAtTheThreshold) {
  // One term against sixteen equal ones: cosine 1/4.
  DocumentEntries sixteen;
  for (int32_t t = 0; t < 16; ++t) sixteen.push_back({t, 1});
  for (float scale : {1.0f, 0.5f, 3.0f, 4096.0f}) {
    DocumentEntries scaled = sixteen;
    for (auto& [term, weight] : scaled) weight *= scale;
    const DocumentMatrix stored =
        MakeDocuments(16, {scaled, {{3, scale}}, {}, {{5, scale}}});
    const DocumentMatrix probes = MakeDocuments(16, {{{7, scale}}, {}, scaled});
    for (bool integer : {false, true}) {
      if (integer && scale == 0.5f) continue;
      EXPECT_EQ(ExpectEdgesOfTheGraph(stored, probes, {25, 100}, integer,
                                      absl::StrCat(scale)),
                4);
      EXPECT_EQ(
          ExpectEdgesOfTheGraph(stored, probes, {250000001, 1000000000},
                                integer && scale < 4096, absl::StrCat(scale)),
          1);
    }
  }
}

TEST(CosineProbeTest, AThirdIsAnExactThreshold) {
  for (float weight : {1.0f, 3.0f, 0.7f}) {
    const DocumentMatrix documents = NineTermDocuments(180, weight);
    const DocumentMatrix stored = DocumentRows(documents, 0, 150);
    const DocumentMatrix probes = DocumentRows(documents, 150, 180);
    for (bool integer : {false, true}) {
      if (integer && weight < 1) continue;
      CosineProbeOptions options;
      options.beta = {1, 3};
      options.integer_arithmetic = integer;
      absl::StatusOr<CosineProbe> probe = CreateOnCpu(probes, options);
      ASSERT_TRUE(probe.ok()) << probe.status();
      const absl::StatusOr<std::vector<ProbeEdge>> edges =
          JoinInBlocks(stored, 100, &*probe);
      ASSERT_TRUE(edges.ok()) << edges.status();
      ExpectSame(NaiveProbeEdges(stored, probes, options), *edges,
                 absl::StrCat("weight ", weight, ", integer ", integer));
    }
  }
}

TEST(CosineProbeTest, IntegersAndDoublesDifferAtATie) {
  // 7 of 25 terms shared: 7/25 = 0.28, but the double 0.28 * 25 is above 7.
  DocumentEntries first;
  DocumentEntries second;
  for (int32_t t = 0; t < 25; ++t) {
    first.push_back({t, 1});
    second.push_back({t + 18, 1});
  }
  for (bool integer : {false, true}) {
    EXPECT_EQ(ExpectEdgesOfTheGraph(MakeDocuments(43, {first}),
                                    MakeDocuments(43, {second}), {28, 100},
                                    integer, absl::StrCat(integer)),
              integer ? 1 : 0);
  }
}

TEST(CosineProbeTest, IdenticalDocuments) {
  const DocumentEntries row = {{0, 0.3f}, {2, 0.7f}, {9, 1e-3f}};
  EXPECT_EQ(ExpectEdgesOfTheGraph(
                MakeDocuments(10, std::vector<DocumentEntries>(130, row)),
                MakeDocuments(10, std::vector<DocumentEntries>(20, row)),
                {1, 1}, false, "identical"),
            130 * 20);
}

TEST(CosineProbeTest, ExtremeScales) {
  for (float scale : {1e-30f, 1e-3f, 1e30f}) {
    RandomDocumentsOptions shape;
    shape.seed = 11;
    shape.num_documents = 300;
    shape.num_terms = 70;
    shape.integer_weights = false;
    DocumentMatrix documents = RandomDocuments(shape);
    for (float& weight : documents.weights) weight *= scale;
    EXPECT_GT(
        ExpectEdgesOfTheGraph(DocumentRows(documents, 0, 200),
                              DocumentRows(documents, 200, 300), {25, 100},
                              false, absl::StrCat("scale ", scale)),
        0);
  }
}

TEST(CosineProbeTest, TermsOfBlocksOnlyCountForNorms) {
  // Terms 3, 2^30 and 2^31 - 2 belong to no probe.
  const DocumentMatrix probes = MakeDocuments(3, {{{1, 3}, {2, 4}}});
  const DocumentMatrix block = MakeDocuments(
      2147483647,
      {{{2, 3}, {3, 4}}, {{2, 3}, {1 << 30, 1}}, {{2147483646, 1}}, {{0, 1}}});
  for (bool integer : {false, true}) {
    CosineProbeOptions options;
    options.beta = {48, 100};
    options.integer_arithmetic = integer;
    absl::StatusOr<CosineProbe> probe = CreateOnCpu(probes, options);
    ASSERT_TRUE(probe.ok());
    std::vector<ProbeEdge> edges = {{9, 9, 9.0f}};
    ASSERT_TRUE(probe->Join(block, &edges).ok());
    ASSERT_EQ(edges.size(), 3u);
    EXPECT_EQ(edges[0].row, 9);
    EXPECT_EQ(edges[1].row, 0);
    EXPECT_EQ(edges[1].cosine, 0.48f);
    EXPECT_EQ(edges[2].row, 1);
  }
}

TEST(CosineProbeTest, NothingToMeet) {
  const DocumentMatrix some = MakeDocuments(3, {{{1, 3}}, {}});
  for (const DocumentMatrix& probes :
       {DocumentMatrix(), MakeDocuments(0, {{}, {}}), some}) {
    absl::StatusOr<CosineProbe> probe =
        CreateOnCpu(probes, CosineProbeOptions());
    ASSERT_TRUE(probe.ok());
    CosineProbe moved = *std::move(probe);
    std::vector<ProbeEdge> edges;
    EXPECT_TRUE(moved.Join(DocumentMatrix(), &edges).ok());
    EXPECT_TRUE(moved.Join(MakeDocuments(5, {{}, {{4, 1}}}), &edges).ok());
    EXPECT_TRUE(edges.empty());
  }
}

TEST(CosineProbeTest, RefusesWhatItMust) {
  CosineProbeOptions options;
  options.beta = {0, 1};
  EXPECT_EQ(CreateOnCpu({}, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options.beta = {1, 1000000000};
  options.num_threads = -1;
  EXPECT_EQ(CreateOnCpu({}, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options.num_threads = 0;
  EXPECT_EQ(CreateOnCpu(MakeDocuments(2, {{{1, 1}, {0, 1}}}), options)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  options.integer_arithmetic = true;
  EXPECT_EQ(
      CreateOnCpu(MakeDocuments(2, {{{1, 0.5f}}}), options).status().code(),
      absl::StatusCode::kInvalidArgument);
  // 2^17 squared, times 10^9, is above 2^63.
  const DocumentMatrix large = MakeDocuments(2, {{{1, 131072}}});
  EXPECT_EQ(CreateOnCpu(large, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  for (int threads : {1, 2}) {
    options.num_threads = threads;
    absl::StatusOr<CosineProbe> probe =
        CreateOnCpu(MakeDocuments(2, {{{1, 5}}}), options);
    ASSERT_TRUE(probe.ok());
    std::vector<DocumentEntries> rows(200, DocumentEntries{{1, 7}});
    std::vector<ProbeEdge> edges = {{9, 9, 9.0f}};
    rows[150] = {{1, 131072}};
    EXPECT_EQ(probe->Join(MakeDocuments(2, rows), &edges).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(edges.size(), 1u);
    rows[150] = {{1, 2}};
    EXPECT_TRUE(probe->Join(MakeDocuments(2, rows), &edges).ok());
    EXPECT_EQ(edges.size(), 201u);
  }
}

}  // namespace
}  // namespace warpclust
