// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface with rows that lie in the memory of the GPU already.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "python/c_api/warpclust.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {
namespace {

class CApiCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

struct Graph {
  std::vector<int64_t> offsets;
  std::vector<int32_t> neighbors;
  std::vector<float> weights;

  bool operator==(const Graph& other) const {
    return offsets == other.offsets && neighbors == other.neighbors &&
           weights == other.weights;
  }
};

Graph GraphOf(const warpclust_dense_documents& documents, const char* device) {
  warpclust_run run = {};
  run.device = device;
  warpclust_graph graph = {};
  EXPECT_EQ(warpclust_dense_cosine_graph(&documents, "0.6", &run, &graph),
            WARPCLUST_OK)
      << warpclust_last_error();
  if (graph.storage == nullptr) return {};
  const int64_t entries = graph.offsets[graph.num_vertices];
  Graph copy = {{graph.offsets, graph.offsets + graph.num_vertices + 1},
                {graph.neighbors, graph.neighbors + entries},
                {graph.weights, graph.weights + entries}};
  warpclust_free(graph.storage);
  return copy;
}

std::vector<int32_t> MembersOf(const warpclust_dense_documents& documents,
                               const char* device) {
  warpclust_run run = {};
  run.device = device;
  warpclust_star_cover clusters = {};
  EXPECT_EQ(
      warpclust_dense_oclustr_documents(&documents, "0.6", &run, &clusters),
      WARPCLUST_OK)
      << warpclust_last_error();
  if (clusters.storage == nullptr) return {};
  std::vector<int32_t> members(
      clusters.cover.members,
      clusters.cover.members +
          clusters.cover.offsets[clusters.cover.num_clusters]);
  members.push_back(clusters.cover.num_clusters);
  members.push_back(clusters.num_items);
  warpclust_free(clusters.storage);
  return members;
}

TEST_F(CApiCudaTest, RowsOnTheGpuGiveWhatRowsOnTheHostGive) {
  for (const int32_t n : {1, 2, 700}) {
    SCOPED_TRACE(n);
    RandomEmbeddingsOptions shape;
    shape.dimensions = 33;
    shape.directions = 30;
    const DenseDocuments rows = MakeRandomEmbeddings(shape, n, 0);
    const absl::StatusOr<DeviceBuffer<float>> values =
        DeviceBuffer<float>::FromHost(rows.values);
    ASSERT_TRUE(values.ok()) << values.status();
    const warpclust_dense_documents on_host = {n, 33, rows.values.data(), 0};
    const warpclust_dense_documents on_gpu = {n, 33, values->data(), 1};
    const Graph expected = GraphOf(on_host, "cpu");
    const std::vector<int32_t> members = MembersOf(on_host, "cpu");
    ASSERT_EQ(expected.offsets.size(), n + 1);
    for (const char* device : {"auto", "cuda", "cpu"}) {
      SCOPED_TRACE(device);
      EXPECT_TRUE(GraphOf(on_gpu, device) == expected);
      EXPECT_EQ(MembersOf(on_gpu, device), members);
    }
    // The rows are as they were.
    std::vector<float> after(rows.values.size());
    EXPECT_EQ(warpclust_copy_from_gpu(
                  after.data(), values->data(),
                  static_cast<int64_t>(after.size() * sizeof(float))),
              WARPCLUST_OK);
    EXPECT_EQ(absl::MakeConstSpan(after), rows.values);
  }
}

TEST_F(CApiCudaTest, HostMemoryThatIsSaidToBeOfTheGpuIsRefused) {
  const std::vector<float> rows = {1, 0, 0, 1};
  const warpclust_dense_documents documents = {2, 2, rows.data(), 1};
  warpclust_graph graph = {};
  EXPECT_EQ(warpclust_dense_cosine_graph(&documents, "0.5", nullptr, &graph),
            WARPCLUST_INVALID_ARGUMENT);
  EXPECT_STREQ(warpclust_last_error(),
               "values: expected an array in the memory of GPU 0, found a "
               "pointer to host memory");
}

TEST_F(CApiCudaTest, ValuesThatAreNotFiniteAreNamed) {
  std::vector<float> rows = {1, 0, 0, 1, 1, 1};
  rows[3] = std::numeric_limits<float>::quiet_NaN();
  const absl::StatusOr<DeviceBuffer<float>> values =
      DeviceBuffer<float>::FromHost(rows);
  ASSERT_TRUE(values.ok()) << values.status();
  const warpclust_dense_documents on_host = {3, 2, rows.data(), 0};
  const warpclust_dense_documents on_gpu = {3, 2, values->data(), 1};
  warpclust_star_cover clusters = {};
  EXPECT_EQ(
      warpclust_dense_oclustr_documents(&on_host, "0.5", nullptr, &clusters),
      WARPCLUST_INVALID_ARGUMENT);
  const std::string expected = warpclust_last_error();
  EXPECT_EQ(
      warpclust_dense_oclustr_documents(&on_gpu, "0.5", nullptr, &clusters),
      WARPCLUST_INVALID_ARGUMENT);
  EXPECT_EQ(warpclust_last_error(), expected);
}

}  // namespace
}  // namespace warpclust
