// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that runs out anywhere in a call is a Status.

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/testing/failing_allocations.h"
#include "graph/csr/csr_graph.h"
#include "gtest/gtest.h"
#include "kernels/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

constexpr int32_t kDocuments = 300;

TEST(LittleMemoryTest, OfAGraph) {
  std::vector<WeightedEdge> edges;
  for (int32_t v = 1; v < kDocuments; ++v) {
    edges.push_back({v / 3, v, 0.5f + 0.001f * static_cast<float>(v)});
  }
  const absl::StatusOr<CsrGraph> graph = BuildCsrGraph(kDocuments, edges);
  ASSERT_TRUE(graph.ok()) << graph.status();
  OClustROptions options;
  options.device = Device::kCpu;
  options.num_threads = 1;
  ExpectStatusWhereverMemoryEnds(
      5, [&] { return OClustR(*graph, options).status(); });
}

TEST(LittleMemoryTest, OfDocuments) {
  DocumentMatrix documents;
  documents.num_terms = 40;
  for (int32_t d = 0; d < kDocuments; ++d) {
    for (int32_t term = 0; term < 40; ++term) {
      if ((d * 7 + term * term) % 13 > 2) continue;
      documents.terms.push_back(term);
      documents.weights.push_back(static_cast<float>(1 + (d + term) % 3));
    }
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  }
  OClustRDocumentsOptions options;
  options.device = Device::kCpu;
  options.graph.num_threads = 1;
  ExpectStatusWhereverMemoryEnds(
      10, [&] { return OClustRDocuments(documents, options).status(); });
}

}  // namespace
}  // namespace warpclust
