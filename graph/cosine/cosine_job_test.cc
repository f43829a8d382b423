// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cosine_job.h"

#include <cstdint>
#include <random>
#include <utility>

#include "graph/cosine/decision/cosine_graph_options.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// Each document has `length` of 1,000 terms, all of weight 1: the terms of one
// of `topics` topics, which share no term.
DocumentMatrix Topics(int32_t documents, int32_t length, int32_t topics) {
  DocumentMatrix matrix;
  matrix.num_terms = length * topics;
  std::mt19937 random(7);
  for (int32_t d = 0; d < documents; ++d) {
    const int32_t first = static_cast<int32_t>(random() % topics) * length;
    for (int32_t i = 0; i < length; ++i) {
      matrix.terms.push_back(first + i);
      matrix.weights.push_back(1);
    }
    matrix.offsets.push_back(static_cast<int64_t>(matrix.terms.size()));
  }
  return matrix;
}

TEST(CosineJobTest, SmallCollectionsHaveTheirProducts) {
  const CosineJob job = MeasureCosineJob(Topics(10, 3, 1), "0.5");
  EXPECT_EQ(job.entries, 30);
  EXPECT_EQ(job.products, 3 * 10 * 9 / 2);
  EXPECT_FALSE(job.clusters_only);
  const CosineJob none = MeasureCosineJob({}, "0.5");
  EXPECT_EQ(none.entries, 0);
  EXPECT_EQ(none.products, 0);
  EXPECT_EQ(none.edges, 0);
}

// The samples are within 20 % of the whole: 5 topics, so that a fifth of the
// pairs have all terms in common and are edges.
TEST(CosineJobTest, LargeCollectionsAreSampled) {
  for (const auto& [n, length] : {std::pair(2000, 3), std::pair(80000, 50)}) {
    const CosineJob job = MeasureCosineJob(Topics(n, length, 5), "0.5");
    EXPECT_EQ(job.entries, int64_t{n} * length);
    const double edges = 0.2 * n * (n - 1.0) / 2;
    EXPECT_NEAR(job.edges, edges, 0.2 * edges) << n;
    EXPECT_NEAR(job.products, edges * length, 0.2 * edges * length) << n;
  }
  // No cosine is above the threshold unless the documents are equal.
  EXPECT_EQ(MeasureCosineJob(Topics(2000, 3, 2000000), "0.5").edges, 0);
}

TEST(CosineJobTest, ChoosesADevice) {
  const DocumentMatrix documents = Topics(10, 3, 1);
  CosineGraphOptions options;
  EXPECT_EQ(*ChooseCosineDevice(Device::kAuto, documents, options, true),
            Device::kCpu);
  EXPECT_EQ(*ChooseCosineDevice(Device::kCpu, documents, options, true),
            Device::kCpu);
  DocumentMatrix invalid = documents;
  invalid.terms[0] = -1;
  EXPECT_EQ(ChooseCosineDevice(Device::kAuto, invalid, options, false).status(),
            ValidateDocuments(invalid));
  options.beta = "2";
  EXPECT_EQ(ChooseCosineDevice(Device::kAuto, invalid, options, false).status(),
            options.Validate());
}

}  // namespace
}  // namespace warpclust
