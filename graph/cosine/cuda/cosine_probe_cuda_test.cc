// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The CUDA cosine probe against the naive definition on random documents of
// many shapes, and against the CPU's, bit for bit: many numbers of probes, cuts
// into blocks, and sizes of the device's memory.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/decimal.h"
#include "base/testing/case_share.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "graph/testing/cosine_probe_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

class CosineProbeCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
  void TearDown() override { SetDeviceMemoryLimit(-1); }
};

// Without the terms from `num_terms` on.
DocumentMatrix FirstTerms(const DocumentMatrix& documents, int32_t num_terms) {
  DocumentMatrix kept;
  kept.num_terms = num_terms;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1]; ++e) {
      if (documents.terms[e] >= num_terms) continue;
      kept.terms.push_back(documents.terms[e]);
      kept.weights.push_back(documents.weights[e]);
    }
    kept.offsets.push_back(kept.num_entries());
  }
  return kept;
}

CosineProbeOptions Options(const Decimal& beta, bool integer) {
  CosineProbeOptions options;
  options.beta = beta;
  options.integer_arithmetic = integer;
  return options;
}

// The edges of `stored` with the probes, joined in blocks of `step`.
std::vector<ProbeEdge> EdgesOn(Device device, const DocumentMatrix& stored,
                               const DocumentMatrix& probes,
                               const CosineProbeOptions& options,
                               int32_t step) {
  absl::StatusOr<CosineProbe> probe =
      CosineProbe::Create(probes, options, device);
  EXPECT_TRUE(probe.ok()) << probe.status();
  if (!probe.ok()) return {};
  const absl::StatusOr<std::vector<ProbeEdge>> edges =
      JoinInBlocks(stored, step, &*probe);
  EXPECT_TRUE(edges.ok()) << edges.status();
  return edges.ok() ? *edges : std::vector<ProbeEdge>();
}

void ExpectSame(const std::vector<ProbeEdge>& expected,
                const std::vector<ProbeEdge>& actual, const std::string& what) {
  ASSERT_EQ(FirstDifference(expected, actual), "") << what;
}

constexpr int32_t kAll = 1 << 30;

// Returns the number of edges.
int64_t ExpectCpu(const DocumentMatrix& stored, const DocumentMatrix& probes,
                  const CosineProbeOptions& options,
                  const std::vector<int32_t>& steps, const std::string& what) {
  const std::vector<ProbeEdge> expected =
      EdgesOn(Device::kCpu, stored, probes, options, kAll);
  for (const int32_t step : steps) {
    ExpectSame(expected, EdgesOn(Device::kCuda, stored, probes, options, step),
               absl::StrCat(what, ", blocks of ", step));
  }
  return static_cast<int64_t>(expected.size());
}

int64_t ExpectDefinition(const DocumentMatrix& stored,
                         const DocumentMatrix& probes,
                         const CosineProbeOptions& options,
                         const std::vector<int32_t>& steps,
                         const std::string& what) {
  ExpectSame(NaiveProbeEdges(stored, probes, options),
             EdgesOn(Device::kCuda, stored, probes, options, kAll), what);
  return ExpectCpu(stored, probes, options, steps, what);
}

TEST_F(CosineProbeCudaTest, EqualsTheDefinitionOnRandomDocuments) {
  int64_t edges = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    if (!TakesCase()) continue;
    const ProbeCase random = RandomProbeCase(seed);
    const int32_t stored = random.stored.num_documents();
    // Blocks of one document, or of some.
    const int32_t step = stored < 60 ? 1 : stored / 5;
    for (const bool integer : random.arithmetics) {
      edges += ExpectDefinition(
          random.stored, random.probes, Options(random.beta, integer), {step},
          absl::StrCat("seed ", seed, ", integer ", integer));
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(edges, CaseShare() == 1 ? 100000 : 0);
}

// From a thousand probes on, enough pairs for the dense block, whose panels
// then begin before the first row or at it.
TEST_F(CosineProbeCudaTest, ManyNumbersOfProbes) {
  for (const bool integer : {false, true}) {
    RandomDocumentsOptions shape;
    shape.seed = 21;
    shape.num_documents = 12500;
    shape.num_terms = 500;
    shape.mean_terms = 25;
    shape.integer_weights = integer;
    shape.empty_fraction = 0.01;
    const DocumentMatrix documents = RandomDocuments(shape);
    for (const int32_t probes :
         {1, 127, 128, 129, 300, 1000, 1023, 1024, 1025, 3000}) {
      if (!TakesCase()) continue;
      EXPECT_GT(ExpectCpu(DocumentRows(documents, 0, 9500),
                          DocumentRows(documents, 9500, 9500 + probes),
                          Options({45, 100}, integer), {kAll, 1000},
                          absl::StrCat(integer, ", ", probes, " probes")),
                0);
      if (HasFatalFailure()) return;
    }
  }
}

// Some weights too large for the dense block, some rows too heavy for narrow
// accumulators.
TEST_F(CosineProbeCudaTest, DenseBlockAndListsTogether) {
  for (const float largest_weight : {1.0f, 9.0f, 300.0f, 20000.0f}) {
    for (const bool integer : {true, false}) {
      if (!TakesCase()) continue;
      RandomDocumentsOptions shape;
      shape.seed = static_cast<uint64_t>(largest_weight);
      shape.num_documents = 12000;
      shape.num_terms = 500;
      shape.mean_terms = 25;
      shape.integer_weights = integer;
      shape.largest_weight = largest_weight;
      const DocumentMatrix documents = RandomDocuments(shape);
      ExpectCpu(DocumentRows(documents, 0, 10900),
                DocumentRows(documents, 10900, 12000),
                Options({45, 100}, integer), {kAll},
                absl::StrCat("integer ", integer, ", largest weight ",
                             largest_weight));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(CosineProbeCudaTest, MoreProbesThanATileAndThanDocuments) {
  for (const bool integer : {true, false}) {
    if (!TakesCase()) continue;
    RandomDocumentsOptions shape;
    shape.seed = 3;
    shape.num_documents = 53100;
    shape.num_terms = 30000;
    shape.mean_terms = 8;
    shape.integer_weights = integer;
    const DocumentMatrix documents = RandomDocuments(shape);
    EXPECT_GT(ExpectCpu(DocumentRows(documents, 0, 3100),
                        DocumentRows(documents, 3100, 53100),
                        Options({5, 10}, integer), {kAll, 2000},
                        absl::StrCat("integer ", integer)),
              0);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CosineProbeCudaTest, LongDocumentsTakeTheWideAccumulators) {
  for (const bool integer : {true, false}) {
    RandomDocumentsOptions shape;
    shape.seed = 77;
    shape.num_documents = 90;
    shape.num_terms = 9000;
    shape.mean_terms = 2500;
    shape.integer_weights = integer;
    shape.largest_weight = 5000;
    const DocumentMatrix documents = RandomDocuments(shape);
    for (const Decimal& beta : {Decimal("0.05"), Decimal("0.45")}) {
      ExpectDefinition(DocumentRows(documents, 0, 60),
                       DocumentRows(documents, 60, 90), Options(beta, integer),
                       {7}, absl::StrCat("integer ", integer));
    }
  }
}

TEST_F(CosineProbeCudaTest, IntegersTooLargeForAccumulatorsAreVerified) {
  RandomDocumentsOptions shape;
  shape.seed = 5;
  shape.num_documents = 240;
  shape.num_terms = 50;
  shape.mean_terms = 12;
  shape.largest_weight = 9000000;
  const DocumentMatrix documents = RandomDocuments(shape);
  ExpectDefinition(DocumentRows(documents, 0, 140),
                   DocumentRows(documents, 140, 240), Options({1, 4}, true),
                   {50}, "large integers");
}

TEST_F(CosineProbeCudaTest, AThirdIsAnExactThreshold) {
  for (float weight : {1.0f, 3.0f, 0.7f}) {
    const DocumentMatrix documents = NineTermDocuments(180, weight);
    for (const bool integer : {false, true}) {
      if (integer && weight < 1) continue;
      EXPECT_GT(ExpectDefinition(DocumentRows(documents, 0, 150),
                                 DocumentRows(documents, 150, 180),
                                 Options({1, 3}, integer), {60},
                                 absl::StrCat(weight, ", ", integer)),
                0);
    }
  }
}

TEST_F(CosineProbeCudaTest, IntegersAndDoublesDifferAtATie) {
  // 7 of 25 terms shared: 7/25 = 0.28, but the double 0.28 * 25 is above 7.
  DocumentEntries first;
  DocumentEntries second;
  for (int32_t t = 0; t < 25; ++t) {
    first.push_back({t, 1});
    second.push_back({t + 18, 1});
  }
  for (const bool integer : {false, true}) {
    EXPECT_EQ(ExpectDefinition(MakeDocuments(43, {first}),
                               MakeDocuments(43, {second}),
                               Options({28, 100}, integer), {1}, "tie"),
              integer ? 1 : 0);
  }
}

TEST_F(CosineProbeCudaTest, ExtremeScales) {
  for (const float scale : {1e-30f, 1e-3f, 1e30f}) {
    RandomDocumentsOptions shape;
    shape.seed = 11;
    shape.num_documents = 300;
    shape.num_terms = 70;
    shape.integer_weights = false;
    DocumentMatrix documents = RandomDocuments(shape);
    for (float& weight : documents.weights) weight *= scale;
    EXPECT_GT(ExpectDefinition(DocumentRows(documents, 0, 200),
                               DocumentRows(documents, 200, 300),
                               Options({25, 100}, false), {33},
                               absl::StrCat("scale ", scale)),
              0);
  }
}

TEST_F(CosineProbeCudaTest, TermsThatNoProbeHasOnlyCountForNorms) {
  for (const bool integer : {false, true}) {
    RandomDocumentsOptions shape;
    shape.seed = 8;
    shape.num_documents = 700;
    shape.num_terms = 300;
    shape.mean_terms = 20;
    shape.integer_weights = integer;
    const DocumentMatrix documents = RandomDocuments(shape);
    for (const int32_t known : {100, 0, 1, 299}) {
      if (!TakesCase()) continue;
      const int64_t edges = ExpectDefinition(
          DocumentRows(documents, 0, 500),
          FirstTerms(DocumentRows(documents, 500, 700), known),
          Options({2, 10}, integer), {64},
          absl::StrCat("integer ", integer, ", ", known, " terms"));
      EXPECT_EQ(edges > 0, known > 0);
    }
    // The largest numbers that terms can have.
    const DocumentMatrix probes = MakeDocuments(3, {{{1, 3}, {2, 4}}});
    const DocumentMatrix block = MakeDocuments(
        2147483647,
        {{{2, 3}, {3, 4}},
         {{2, 3}, {1 << 30, 1}, {(1 << 30) + 1, 1}, {2147483646, 1}},
         {{2147483646, 1}},
         {{0, 1}}});
    EXPECT_EQ(ExpectDefinition(block, probes, Options({48, 100}, integer), {1},
                               "large terms"),
              2);
  }
}

TEST_F(CosineProbeCudaTest, NothingToMeet) {
  const DocumentMatrix some = MakeDocuments(3, {{{1, 3}}, {}});
  for (const DocumentMatrix& probes :
       {DocumentMatrix(), MakeDocuments(0, {{}, {}}), some}) {
    absl::StatusOr<CosineProbe> probe =
        CosineProbe::Create(probes, CosineProbeOptions(), Device::kCuda);
    ASSERT_TRUE(probe.ok());
    CosineProbe moved = *std::move(probe);
    std::vector<ProbeEdge> edges;
    EXPECT_TRUE(moved.Join(DocumentMatrix(), &edges).ok());
    EXPECT_TRUE(moved.Join(MakeDocuments(5, {{}, {}}), &edges).ok());
    EXPECT_TRUE(moved.Join(MakeDocuments(5, {{}, {{4, 1}}}), &edges).ok());
    EXPECT_TRUE(edges.empty());
  }
}

TEST_F(CosineProbeCudaTest, IdenticalDocuments) {
  const DocumentEntries row = {{0, 0.3f}, {2, 0.7f}, {9, 1e-3f}};
  EXPECT_EQ(ExpectDefinition(
                MakeDocuments(10, std::vector<DocumentEntries>(130, row)),
                MakeDocuments(10, std::vector<DocumentEntries>(140, row)),
                Options({1, 1}, false), {kAll}, "identical"),
            130 * 140);
}

TEST_F(CosineProbeCudaTest, RefusesNormsThatIntegersDoNotHold) {
  CosineProbeOptions options = Options({1, 1000000000}, true);
  // 2^17 squared, times 10^9, is above 2^63.
  const DocumentMatrix large = MakeDocuments(2, {{{1, 131072}}});
  EXPECT_EQ(CosineProbe::Create(large, options, Device::kCuda).status().code(),
            absl::StatusCode::kInvalidArgument);
  for (const DocumentMatrix& probes :
       {MakeDocuments(2, {{{1, 5}}}), MakeDocuments(0, {{}})}) {
    absl::StatusOr<CosineProbe> probe =
        CosineProbe::Create(probes, options, Device::kCuda);
    ASSERT_TRUE(probe.ok());
    std::vector<DocumentEntries> rows(200, DocumentEntries{{1, 7}});
    std::vector<ProbeEdge> edges = {{9, 9, 9.0f}};
    rows[150] = {{1, 131072}};
    EXPECT_EQ(probe->Join(MakeDocuments(2, rows), &edges).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(edges.size(), 1u);
    rows[150] = {{1, 2}};
    EXPECT_TRUE(probe->Join(MakeDocuments(2, rows), &edges).ok());
    EXPECT_EQ(edges.size(), probes.num_entries() > 0 ? 201u : 1u);
  }
}

// What does not fit is halved, blocks and probes alike, and gives the same.
TEST_F(CosineProbeCudaTest, LittleMemory) {
  for (const bool integer : {false, true}) {
    for (const int32_t num_probes : {300, 3000}) {
      if (!TakesCase()) continue;
      RandomDocumentsOptions shape;
      shape.seed = 31;
      shape.num_documents = 6000;
      shape.num_terms = 300;
      shape.mean_terms = 20;
      shape.integer_weights = integer;
      const DocumentMatrix documents = RandomDocuments(shape);
      const DocumentMatrix stored =
          DocumentRows(documents, 0, 6000 - num_probes);
      const CosineProbeOptions options = Options({35, 100}, integer);
      absl::StatusOr<CosineProbe> probe =
          CosineProbe::Create(DocumentRows(documents, 6000 - num_probes, 6000),
                              options, Device::kCuda);
      ASSERT_TRUE(probe.ok());
      std::vector<ProbeEdge> expected = {{9, 9, 9.0f}};
      ResetDeviceMemoryPeak();
      const int64_t in_use = DeviceMemoryInUseBytes();
      ASSERT_TRUE(probe->Join(stored, &expected).ok());
      const int64_t peak = DeviceMemoryPeakBytes() - in_use;
      for (int64_t part = 2; part <= 64; part *= 2) {
        SetDeviceMemoryLimit(in_use + peak / part);
        std::vector<ProbeEdge> edges = {{9, 9, 9.0f}};
        const absl::Status status = probe->Join(stored, &edges);
        if (status.ok()) {
          ExpectSame(expected, edges, absl::StrCat("1/", part, " of memory"));
        } else {
          EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted)
              << status;
          EXPECT_EQ(edges.size(), 1u);
          EXPECT_GT(part, 8) << status;
        }
      }
      SetDeviceMemoryLimit(in_use + 100);
      std::vector<ProbeEdge> edges = {{9, 9, 9.0f}};
      EXPECT_EQ(probe->Join(stored, &edges).code(),
                absl::StatusCode::kResourceExhausted);
      EXPECT_EQ(edges.size(), 1u);
      SetDeviceMemoryLimit(-1);
      EXPECT_TRUE(probe->Join(stored, &edges).ok());
      ExpectSame(expected, edges, "all of memory again");
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace warpclust
