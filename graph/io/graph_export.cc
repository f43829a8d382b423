// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/graph_export.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "base/text/xml_text.h"
#include "graph/io/edge_list_writer.h"
#include "graph/io/item_clusters.h"

namespace warpclust {
namespace {

// The size at which a piece of text is passed on.
constexpr size_t kPieceBytes = 1 << 18;

// Collects text into pieces.
class Pieces {
 public:
  explicit Pieces(WriteText write) : write_(write) {}
  ~Pieces() { write_(text_); }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  template <class... Parts>
  void Add(const Parts&... parts) {
    absl::StrAppend(&text_, parts...);
    if (text_.size() < kPieceBytes) return;
    write_(text_);
    text_.clear();
  }

 private:
  WriteText write_;
  std::string text_;
};

absl::Status Check(const ExportedNodes& nodes) {
  const auto n = static_cast<int32_t>(nodes.ids.size());
  if (!nodes.titles.empty() && nodes.titles.size() != nodes.ids.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "export: expected ", n, " titles, found ", nodes.titles.size()));
  }
  return nodes.cover == nullptr ? absl::OkStatus()
                                : ValidateCover(*nodes.cover, n);
}

ItemClusters ClustersOf(const ExportedNodes& nodes) {
  return FindItemClusters(nodes.cover == nullptr ? Cover() : *nodes.cover,
                          nodes.ids.size());
}

std::string Joined(absl::Span<const int32_t> numbers) {
  std::string text;
  for (const int32_t number : numbers) {
    absl::StrAppend(&text, text.empty() ? "" : " ", number);
  }
  return text;
}

// A field of CSV: in quotes if it has to be.
std::string CsvField(absl::string_view text) {
  if (text.find_first_of("\",\r\n") == absl::string_view::npos &&
      (text.empty() || (text.front() != ' ' && text.back() != ' '))) {
    return std::string(text);
  }
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field.push_back('"');
    field.push_back(c);
  }
  field.push_back('"');
  return field;
}

}  // namespace

absl::Status WriteGraphMl(const ExportedNodes& nodes, ExportedEdges edges,
                          WriteText write) {
  RETURN_IF_ERROR(Check(nodes));
  const ItemClusters clusters = ClustersOf(nodes);
  Pieces pieces(write);
  pieces.Add(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
      "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n"
      "<key id=\"label\" for=\"node\" attr.name=\"label\" "
      "attr.type=\"string\"/>\n");
  if (!nodes.titles.empty()) {
    pieces.Add(
        "<key id=\"title\" for=\"node\" attr.name=\"title\" "
        "attr.type=\"string\"/>\n");
  }
  if (nodes.cover != nullptr) {
    pieces.Add(
        "<key id=\"cluster\" for=\"node\" attr.name=\"cluster\" "
        "attr.type=\"int\"/>\n"
        "<key id=\"clusters\" for=\"node\" attr.name=\"clusters\" "
        "attr.type=\"string\"/>\n");
  }
  pieces.Add(
      "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" "
      "attr.type=\"double\"/>\n"
      "<graph edgedefault=\"undirected\">\n");
  for (size_t v = 0; v < nodes.ids.size(); ++v) {
    pieces.Add("<node id=\"n", v, "\"><data key=\"label\">",
               XmlText(nodes.ids[v]), "</data>");
    if (!nodes.titles.empty()) {
      pieces.Add("<data key=\"title\">", XmlText(nodes.titles[v]), "</data>");
    }
    const absl::Span<const int32_t> own = clusters.Of(v);
    if (!own.empty()) {
      pieces.Add("<data key=\"cluster\">", own[0],
                 "</data><data key=\"clusters\">", Joined(own), "</data>");
    }
    pieces.Add("</node>\n");
  }
  edges([&pieces](int32_t u, int32_t v, absl::string_view weight) {
    pieces.Add("<edge source=\"n", u, "\" target=\"n", v,
               "\"><data key=\"weight\">", weight, "</data></edge>\n");
  });
  pieces.Add("</graph>\n</graphml>\n");
  return absl::OkStatus();
}

absl::Status WriteGexf(const ExportedNodes& nodes, ExportedEdges edges,
                       WriteText write) {
  RETURN_IF_ERROR(Check(nodes));
  const ItemClusters clusters = ClustersOf(nodes);
  Pieces pieces(write);
  pieces.Add(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<gexf xmlns=\"http://www.gexf.net/1.2draft\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://www.gexf.net/1.2draft "
      "http://www.gexf.net/1.2draft/gexf.xsd\" version=\"1.2\">\n"
      "<graph mode=\"static\" defaultedgetype=\"undirected\">\n"
      "<attributes class=\"node\">\n");
  if (!nodes.titles.empty()) {
    pieces.Add("<attribute id=\"title\" title=\"title\" type=\"string\"/>\n");
  }
  if (nodes.cover != nullptr) {
    pieces.Add(
        "<attribute id=\"cluster\" title=\"cluster\" type=\"integer\"/>\n"
        "<attribute id=\"clusters\" title=\"clusters\" type=\"string\"/>\n");
  }
  pieces.Add("</attributes>\n<nodes>\n");
  for (size_t v = 0; v < nodes.ids.size(); ++v) {
    pieces.Add("<node id=\"n", v, "\" label=\"", XmlText(nodes.ids[v]),
               "\"><attvalues>");
    if (!nodes.titles.empty()) {
      pieces.Add("<attvalue for=\"title\" value=\"", XmlText(nodes.titles[v]),
                 "\"/>");
    }
    const absl::Span<const int32_t> own = clusters.Of(v);
    if (!own.empty()) {
      pieces.Add("<attvalue for=\"cluster\" value=\"", own[0],
                 "\"/><attvalue for=\"clusters\" value=\"", Joined(own),
                 "\"/>");
    }
    pieces.Add("</attvalues></node>\n");
  }
  pieces.Add("</nodes>\n<edges>\n");
  int64_t edge = 0;
  edges([&](int32_t u, int32_t v, absl::string_view weight) {
    pieces.Add("<edge id=\"e", edge++, "\" source=\"n", u, "\" target=\"n", v,
               "\" weight=\"", weight, "\"/>\n");
  });
  pieces.Add("</edges>\n</graph>\n</gexf>\n");
  return absl::OkStatus();
}

absl::Status WriteCoverCsv(const ExportedNodes& nodes, WriteText write) {
  RETURN_IF_ERROR(Check(nodes));
  const ItemClusters clusters = ClustersOf(nodes);
  Pieces pieces(write);
  pieces.Add("id,cluster", nodes.titles.empty() ? "\n" : ",title\n");
  for (size_t v = 0; v < nodes.ids.size(); ++v) {
    for (const int32_t cluster : clusters.Of(v)) {
      pieces.Add(CsvField(nodes.ids[v]), ",", cluster);
      if (!nodes.titles.empty()) pieces.Add(",", CsvField(nodes.titles[v]));
      pieces.Add("\n");
    }
  }
  return absl::OkStatus();
}

absl::Status WriteEdgesCsv(const ExportedNodes& nodes, ExportedEdges edges,
                           WriteText write) {
  RETURN_IF_ERROR(Check(nodes));
  Pieces pieces(write);
  pieces.Add("source,target,weight\n");
  edges([&](int32_t u, int32_t v, absl::string_view weight) {
    pieces.Add(CsvField(nodes.ids[u]), ",", CsvField(nodes.ids[v]), ",", weight,
               "\n");
  });
  return absl::OkStatus();
}

void ForEachEdge(const CsrGraph& graph, UseExportedEdge use) {
  char text[32];
  for (int32_t u = 0; u < graph.num_vertices(); ++u) {
    const absl::Span<const int32_t> neighbors = graph.NeighborsOf(u);
    for (size_t k = 0; k < neighbors.size(); ++k) {
      if (neighbors[k] < u) continue;
      const char* const end =
          internal::FormatWeight(graph.WeightsOf(u)[k], text);
      use(u, neighbors[k], absl::string_view(text, end - text));
    }
  }
}

void ForEachEdge(const CsrGraph& graph, ExactWeights exact, int digits,
                 UseExportedEdge use) {
  char text[32];
  std::vector<double> scratch;
  std::vector<double> weights;
  for (int32_t u = 0; u < graph.num_vertices(); ++u) {
    absl::Span<const int32_t> neighbors = graph.NeighborsOf(u);
    neighbors.remove_prefix(
        std::upper_bound(neighbors.begin(), neighbors.end(), u) -
        neighbors.begin());
    if (neighbors.empty()) continue;
    weights.resize(neighbors.size());
    exact(u, neighbors, &scratch, absl::MakeSpan(weights));
    for (size_t k = 0; k < neighbors.size(); ++k) {
      const char* const end =
          internal::FormatExactWeight(weights[k], digits, text);
      use(u, neighbors[k], absl::string_view(text, end - text));
    }
  }
}

}  // namespace warpclust
