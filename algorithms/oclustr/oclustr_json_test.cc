// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_json.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/oclustr/oclustr.h"
#include "graph/csr/csr_graph.h"
#include "graph/io/cover_io.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

TEST(OClustRJsonTest, Golden) {
  // The graph of OClustRTest.WorkedLink and an isolated vertex.
  const CsrGraph graph =
      *BuildCsrGraph(8, std::vector<WeightedEdge>{{0, 1, 0.5f},
                                                  {0, 2, 0.5f},
                                                  {0, 3, 0.5f},
                                                  {0, 4, 0.5f},
                                                  {0, 5, 0.5f},
                                                  {5, 4, 0.5f},
                                                  {5, 6, 0.25f}});
  OClustROptions options;
  options.device = Device::kCpu;
  const absl::StatusOr<OClustRResult> result = OClustR(graph, options);
  ASSERT_TRUE(result.ok()) << result.status();
  const std::vector<std::string> ids = {"a", "b", "c", "d",
                                        "e", "f", "g", "\"h\""};
  std::string text;
  const absl::Status status = WriteCoverJson(
      result->cover, ids,
      [&](absl::string_view piece) { absl::StrAppend(&text, piece); },
      [&](int32_t cluster, std::string* json) {
        AppendOClustRFields(*result, ids, cluster, json);
      });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(text,
            "{\"clusters\":[\n"
            "{\"members\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\"],"
            "\"center\":\"a\",\"satellites\":5,\"linked\":[\"g\"]},\n"
            "{\"members\":[\"\\\"h\\\"\"],"
            "\"center\":\"\\\"h\\\"\",\"satellites\":0,\"linked\":[]}]}\n");
}

}  // namespace
}  // namespace warpclust
