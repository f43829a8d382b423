// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances, initial centers and clusters on the GPU against the CPU, integer
// by integer.

#include "algorithms/oclustr/oclustr_cuda.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/numbers/decimal.h"
#include "base/testing/case_share.h"
#include "graph/benchmarks/zipf_documents.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/covering.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/device_relevances.h"
#include "graph/stars/cuda/device_star_rows.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/useful_clusters_from_rows.h"
#include "graph/testing/random_star_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/early_upload.h"
#include "kernels/testing/little_memory.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

class OClustRCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

void ExpectSameOnBoth(const CsrGraph& graph) {
  const absl::StatusOr<DeviceGraph> device_graph = UploadGraph(graph);
  ASSERT_TRUE(device_graph.ok()) << device_graph.status();
  const absl::StatusOr<CsrGraph> back = DownloadGraph(*device_graph);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->offsets, graph.offsets);
  EXPECT_EQ(back->neighbors, graph.neighbors);
  EXPECT_EQ(back->weights, graph.weights);

  const absl::StatusOr<RelevanceTable> cpu = RelevancesCpu(graph);
  ASSERT_TRUE(cpu.ok()) << cpu.status();
  const absl::StatusOr<DeviceRelevances> on_device =
      RelevancesOnDevice(*device_graph);
  ASSERT_TRUE(on_device.ok()) << on_device.status();
  const absl::StatusOr<RelevanceTable> cuda = DownloadRelevances(*on_device);
  ASSERT_TRUE(cuda.ok()) << cuda.status();
  EXPECT_EQ(cpu->scale.factor, cuda->scale.factor);
  EXPECT_EQ(cpu->degrees, cuda->degrees);
  EXPECT_EQ(cpu->weight_sums, cuda->weight_sums);
  EXPECT_EQ(cpu->counts, cuda->counts);

  const std::vector<int32_t> centers = InitialCenters(graph, *cpu);
  const absl::StatusOr<std::vector<int32_t>> cuda_centers =
      InitialCentersCuda(*device_graph, *on_device);
  ASSERT_TRUE(cuda_centers.ok()) << cuda_centers.status();
  EXPECT_EQ(centers, *cuda_centers);

  DeviceStarRows reader(*device_graph, cpu->degrees);
  reader.Fetch(centers);
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    // Fetched at once, or a center with others and the rest one by one.
    ASSERT_EQ(reader.RowOf(v), graph.NeighborsOf(v)) << "vertex " << v;
    if (v >= 5000) break;
  }
  ASSERT_TRUE(reader.status().ok()) << reader.status();

  OClustROptions options;
  options.device = Device::kCpu;
  const absl::StatusOr<OClustRResult> expected = OClustR(graph, options);
  ASSERT_TRUE(expected.ok()) << expected.status();
  options.device = Device::kCuda;
  const absl::StatusOr<OClustRResult> uploaded = OClustR(graph, options);
  ASSERT_TRUE(uploaded.ok()) << uploaded.status();
  const absl::StatusOr<OClustRResult> resident = OClustRCuda(*device_graph);
  ASSERT_TRUE(resident.ok()) << resident.status();
  for (const OClustRResult& result : {*uploaded, *resident}) {
    EXPECT_EQ(expected->cover, result.cover);
    EXPECT_EQ(expected->centers, result.centers);
    EXPECT_EQ(expected->num_satellites, result.num_satellites);
    EXPECT_EQ(expected->linked_offsets, result.linked_offsets);
    EXPECT_EQ(expected->linked, result.linked);
    EXPECT_EQ(expected->num_initial_centers, result.num_initial_centers);
  }
}

TEST_F(OClustRCudaTest, SmallGraphs) {
  ExpectSameOnBoth(CsrGraph());
  ExpectSameOnBoth(*BuildCsrGraph(1, {}));
  ExpectSameOnBoth(*BuildCsrGraph(100, {}));
  for (uint32_t seed = 0; seed < 300; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ExpectSameOnBoth(RandomGraph(seed));
  }
}

TEST_F(OClustRCudaTest, ScalesOfWeights) {
  for (const int exponent : {-120, -20, -9, 3, 126}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(testing::Message() << "weights times 2^" << exponent);
    CsrGraph graph = RandomNeighborhoodGraph(3000, 20000, 5);
    for (float& weight : graph.weights) weight = std::ldexp(weight, exponent);
    ExpectSameOnBoth(graph);
  }
  // Weights far below the largest are rounded.
  CsrGraph graph = RandomNeighborhoodGraph(3000, 20000, 6);
  for (float& weight : graph.weights) {
    weight = std::ldexp(weight, -static_cast<int>(weight * 40));
  }
  ExpectSameOnBoth(graph);
}

// Degrees on both sides of the limit between a warp and a block, and more hubs
// than blocks.
TEST_F(OClustRCudaTest, Hubs) {
  for (const int32_t leaves : {1022, 1023, 1024, 1025, 100000}) {
    SCOPED_TRACE(testing::Message() << leaves << " leaves");
    std::vector<WeightedEdge> edges;
    for (int32_t v = 2; v < leaves + 2; ++v) {
      edges.push_back({0, v, 0.25f + 0.75f / v});
      if (v % 3 == 0) edges.push_back({1, v, 0.5f});
    }
    ExpectSameOnBoth(*BuildCsrGraph(leaves + 2, edges));
  }
  std::vector<WeightedEdge> dense;
  for (int32_t u = 0; u < 2500; ++u) {
    for (int32_t v = u % 2; v < u; v += 2) {
      dense.push_back({u, v, 0.25f + 0.75f * ((u * 31 + v * 17) % 97) / 97});
    }
  }
  ExpectSameOnBoth(*BuildCsrGraph(2500, dense));
  ExpectSameOnBoth(RandomNeighborhoodGraph(
      static_cast<int32_t>(ShareOf(200000, 2000)), ShareOf(3000000, 30000), 9));
}

// Few rows suffice here: most stars of centers stay on the GPU. Rows are
// fetched in several batches.
TEST_F(OClustRCudaTest, OverlappingStars) {
  for (const int32_t hubs : {100, 400}) {
    SCOPED_TRACE(testing::Message() << hubs << " hubs");
    const CsrGraph graph = OverlappingStarsGraph(hubs, 10 * hubs, 3);
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph);
    ASSERT_TRUE(table.ok()) << table.status();
    ASSERT_TRUE(FewRowsSuffice(*table, InitialCenters(graph, *table)));
    ExpectSameOnBoth(graph);
  }
}

// More entries than a batch holds, rows that are copied alone, and vertices
// that are named twice.
TEST_F(OClustRCudaTest, RowsInManyBatches) {
  std::vector<WeightedEdge> edges;
  for (int32_t v = 2; v < 70002; ++v) edges.push_back({0, v, 0.5f});
  for (int32_t v = 2; v < 4002; ++v) {
    for (int32_t u = 2; u < v; ++u) {
      if ((u * 31 + v) % 16 < 15) edges.push_back({u, v, 0.5f});
    }
  }
  const CsrGraph graph = *BuildCsrGraph(70002, edges);
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph);
  ASSERT_TRUE(table.ok()) << table.status();
  const absl::StatusOr<DeviceGraph> device_graph = UploadGraph(graph);
  ASSERT_TRUE(device_graph.ok()) << device_graph.status();
  DeviceStarRows reader(*device_graph, table->degrees);
  std::vector<int32_t> vertices;
  for (int32_t v = 0; v < graph.num_vertices(); v += 2) vertices.push_back(v);
  vertices.insert(vertices.end(), {4, 4, 70001, 1});
  reader.Fetch({});
  reader.Fetch(vertices);
  reader.Fetch(vertices);
  ASSERT_TRUE(reader.status().ok()) << reader.status();
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    ASSERT_EQ(reader.RowOf(v), graph.NeighborsOf(v)) << "vertex " << v;
  }
}

TEST_F(OClustRCudaTest, RefusesWeightsThatAreNoSimilarities) {
  CsrGraph graph =
      *BuildCsrGraph(3, std::vector<WeightedEdge>{{0, 1, 0.5f}, {1, 2, 0.5f}});
  for (const float weight : {-0.5f, std::nanf(""), -std::nanf(""),
                             std::numeric_limits<float>::infinity()}) {
    graph.weights = {weight, weight, 0.5f, 0.5f};
    EXPECT_EQ(RelevancesCuda(graph).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  graph.weights = {-0.0f, -0.0f, 0.0f, 0.0f};
  ExpectSameOnBoth(graph);
}

TEST_F(OClustRCudaTest, LittleMemory) {
  const CsrGraph graph = RandomNeighborhoodGraph(20000, 200000, 7);
  ExpectLittleMemoryHolds(
      "20000 vertices", 1, [&] { return OClustRCuda(graph, 2); },
      [](const OClustRResult& a, const OClustRResult& b) {
        return a.cover == b.cover && a.centers == b.centers &&
               a.linked == b.linked;
      });
  ExpectLittleMemoryHolds(
      "20000 vertices", 1, [&] { return RelevancesCuda(graph); },
      [](const RelevanceTable& a, const RelevanceTable& b) { return a == b; });
}

TEST_F(OClustRCudaTest, DocumentsWithLittleMemory) {
  ZipfDocumentsOptions shape;
  shape.num_documents = 3000;
  shape.num_terms = 2000;
  shape.terms_per_document = 20;
  const DocumentMatrix documents = ZipfDocuments(shape);
  OClustRDocumentsOptions options;
  options.graph.beta = Decimal("0.4");
  options.device = Device::kCuda;
  ExpectLittleMemoryHolds(
      "on the GPU", 1, [&] { return OClustRDocuments(documents, options); },
      [](const OClustRResult& a, const OClustRResult& b) {
        return a.cover == b.cover && a.centers == b.centers &&
               a.linked == b.linked;
      });
}

DenseDocuments Embeddings(int32_t rows) {
  RandomEmbeddingsOptions shape;
  shape.dimensions = 40;
  shape.directions = 1 + rows / 20;
  shape.near_duplicates = Decimal("0.1");
  return MakeRandomEmbeddings(shape, rows, 0);
}

// Of which the second half of the rows was written.
std::unique_ptr<EarlyUpload<float>> HalfUploaded(
    const DenseDocuments& documents) {
  std::unique_ptr<EarlyUpload<float>> upload = EarlyUpload<float>::New();
  const auto first = static_cast<int64_t>(documents.values.size() / 2);
  upload->Write(first, documents.values.subspan(first), 0);
  return upload;
}

TEST_F(OClustRCudaTest, DenseDocumentsWithLittleMemory) {
  const DenseDocuments documents = Embeddings(3000);
  OClustRDocumentsOptions options;
  options.graph.beta = Decimal("0.7");
  options.device = Device::kCuda;
  ExpectLittleMemoryHolds(
      "on the GPU", 1,
      [&] {
        const auto upload = HalfUploaded(documents);
        options.upload = upload.get();
        return OClustRDocuments(documents, options);
      },
      [](const OClustRResult& a, const OClustRResult& b) {
        return a.cover == b.cover && a.centers == b.centers &&
               a.linked == b.linked;
      });
}

// From rows on the device, on the host, and on their way, as on the CPU.
TEST_F(OClustRCudaTest, DenseDocuments) {
  for (const int32_t rows : {0, 1, 700, 3000}) {
    const DenseDocuments documents = Embeddings(rows);
    OClustRDocumentsOptions options;
    options.graph.beta = Decimal("0.7");
    options.device = Device::kCpu;
    const absl::StatusOr<OClustRResult> expected =
        OClustRDocuments(documents, options);
    ASSERT_TRUE(expected.ok()) << expected.status();
    options.device = Device::kCuda;
    const absl::StatusOr<OClustRResult> uploaded =
        OClustRDocuments(documents, options);
    ASSERT_TRUE(uploaded.ok()) << uploaded.status();
    const absl::StatusOr<DeviceDenseDocuments> on_device =
        UploadDenseDocuments(documents);
    ASSERT_TRUE(on_device.ok()) << on_device.status();
    const absl::StatusOr<OClustRResult> resident =
        OClustRDocuments(*on_device, options.graph);
    ASSERT_TRUE(resident.ok()) << resident.status();
    const auto upload = HalfUploaded(documents);
    options.upload = upload.get();
    const absl::StatusOr<OClustRResult> begun =
        OClustRDocuments(documents, options);
    ASSERT_TRUE(begun.ok()) << begun.status();
    for (const OClustRResult& result : {*uploaded, *resident, *begun}) {
      EXPECT_EQ(expected->cover, result.cover);
      EXPECT_EQ(expected->centers, result.centers);
      EXPECT_EQ(expected->linked, result.linked);
      EXPECT_EQ(expected->num_edges, result.num_edges);
    }
  }
}

}  // namespace
}  // namespace warpclust
