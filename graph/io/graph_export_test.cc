// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/graph_export.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "graph/cover/cover.h"
#include "graph/csr/csr_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Example {
  std::vector<std::string> ids = {"a,\"b\"", "<script>", "c"};
  std::vector<std::string> titles = {"A & B", "\u2028\u202Ex\n", ""};
  Cover cover;
  CsrGraph graph;
  ExportedNodes nodes;

  Example() {
    cover.Append({1, 2});
    cover.Append({});
    cover.Append({0, 1});
    graph.offsets = {0, 1, 3, 4};
    graph.neighbors = {1, 0, 2, 1};
    graph.weights = {0.5f, 0.5f, 0.7f, 0.7f};
    nodes.ids = ids;
    nodes.titles = titles;
    nodes.cover = &cover;
  }

  template <class Write>
  std::string Text(Write write_to) const {
    std::string text;
    const auto write = [&text](absl::string_view piece) {
      absl::StrAppend(&text, piece);
    };
    const absl::Status status = write_to(
        nodes, [this](UseExportedEdge use) { ForEachEdge(graph, use); }, write);
    EXPECT_TRUE(status.ok()) << status;
    return text;
  }
};

TEST(GraphExportTest, GraphMl) {
  const std::string text = Example().Text(WriteGraphMl);
  // Clusters are numbered by their first member: {0, 1} is 0.
  for (const absl::string_view part :
       {"<node id=\"n0\"><data key=\"label\">a,&quot;b&quot;</data>"
        "<data key=\"title\">A &amp; B</data><data key=\"cluster\">0</data>"
        "<data key=\"clusters\">0</data></node>\n",
        "<node id=\"n1\"><data key=\"label\">&lt;script&gt;</data>"
        "<data key=\"title\">\u2028\u202Ex&#10;</data>"
        "<data key=\"cluster\">0</data><data key=\"clusters\">0 1</data>",
        "<edge source=\"n0\" target=\"n1\"><data key=\"weight\">0.5</data>",
        "<edge source=\"n1\" target=\"n2\"><data key=\"weight\">0.699999988"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << "\n" << text;
  }
  EXPECT_FALSE(absl::StrContains(text, "<script"));
}

TEST(GraphExportTest, Gexf) {
  const std::string text = Example().Text(WriteGexf);
  for (const absl::string_view part :
       {"<node id=\"n1\" label=\"&lt;script&gt;\"><attvalues>"
        "<attvalue for=\"title\" value=\"\u2028\u202Ex&#10;\"/>"
        "<attvalue for=\"cluster\" value=\"0\"/>"
        "<attvalue for=\"clusters\" value=\"0 1\"/></attvalues></node>",
        "<edge id=\"e0\" source=\"n0\" target=\"n1\" weight=\"0.5\"/>"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << "\n" << text;
  }
  EXPECT_FALSE(absl::StrContains(text, "<script"));
}

TEST(GraphExportTest, Csv) {
  Example example;
  EXPECT_EQ(
      example.Text([](const ExportedNodes& nodes, ExportedEdges,
                      WriteText write) { return WriteCoverCsv(nodes, write); }),
      "id,cluster,title\n\"a,\"\"b\"\"\",0,A & B\n"
      "<script>,0,\"\u2028\u202Ex\n\"\n<script>,1,\"\u2028\u202Ex\n\"\n"
      "c,1,\n");
  EXPECT_EQ(example.Text(WriteEdgesCsv),
            "source,target,weight\n\"a,\"\"b\"\"\",<script>,0.5\n"
            "<script>,c,0.699999988\n");
}

TEST(GraphExportTest, ExactWeights) {
  const Example example;
  std::string text;
  ForEachEdge(
      example.graph,
      [](int32_t u, absl::Span<const int32_t>, std::vector<double>*,
         absl::Span<double> weights) { weights[0] = u == 0 ? 0.5 : 0.7; },
      9,
      [&text](int32_t u, int32_t v, absl::string_view weight) {
        absl::StrAppend(&text, u, " ", v, " ", weight, "\n");
      });
  EXPECT_EQ(text, "0 1 0.5\n1 2 0.7\n");
}

TEST(GraphExportTest, RefusesWhatDoesNotFit) {
  Example example;
  const auto code = [&] {
    return WriteCoverCsv(example.nodes, [](absl::string_view) {}).code();
  };
  example.cover.members[0] = 7;
  EXPECT_EQ(code(), absl::StatusCode::kInvalidArgument);
  example.nodes.cover = nullptr;
  EXPECT_EQ(code(), absl::StatusCode::kOk);
  example.nodes.titles = absl::MakeConstSpan(example.titles).subspan(1);
  EXPECT_EQ(code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
