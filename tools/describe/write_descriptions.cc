// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/describe/write_descriptions.h"

#include "absl/strings/str_cat.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "graph/io/item_clusters.h"
#include "sparse/text/first_words.h"
#include "tools/cli/cli.h"

namespace warpclust {
namespace {

// The size at which a piece of text is passed on.
constexpr size_t kPieceBytes = 1 << 18;

// A field of a table: without tabs and line ends, whatever a file holds.
std::string Field(absl::string_view text) {
  return FirstWords(text, text.size());
}

std::string TitleOf(const ClusterDescription& description,
                    absl::Span<const std::string> ids) {
  return description.title.empty() && description.center >= 0
             ? ids[description.center]
             : description.title;
}

}  // namespace

void AppendDescription(const ClusterDescription& description,
                       absl::Span<const std::string> ids, std::string* json) {
  absl::StrAppend(json, ",\"title\":", JsonQuote(TitleOf(description, ids)),
                  ",\"terms\":[");
  for (size_t i = 0; i < description.terms.size(); ++i) {
    if (i > 0) json->push_back(',');
    AppendJsonString(description.terms[i].word, json);
  }
  absl::StrAppend(json,
                  "],\"inner_cosine\":", JsonDouble(description.inner_cosine),
                  ",\"exemplars\":[");
  for (size_t i = 0; i < description.exemplars.size(); ++i) {
    const ClusterExemplar& exemplar = description.exemplars[i];
    absl::StrAppend(json, i > 0 ? "," : "",
                    "{\"id\":", JsonQuote(ids[exemplar.document]),
                    ",\"cosine\":", JsonDouble(exemplar.cosine), "}");
  }
  json->push_back(']');
}

void AppendNeighbors(const ClusterDescription& description, std::string* json) {
  json->append(",\"neighbors\":[");
  for (size_t i = 0; i < description.neighbors.size(); ++i) {
    const ClusterNeighbor& neighbor = description.neighbors[i];
    absl::StrAppend(json, i > 0 ? "," : "", "{\"cluster\":", neighbor.cluster,
                    ",\"shared\":", neighbor.shared, "}");
  }
  json->push_back(']');
}

absl::Status WriteTitles(const std::string& path,
                         const std::vector<ClusterDescription>& clusters,
                         absl::Span<const std::string> ids) {
  ASSIGN_OR_RETURN(TextWriter writer, ToolRun::OpenOutput(path));
  writer.Write("cluster\tsize\ttitle\tterms\n");
  std::string line;
  for (size_t c = 0; c < clusters.size(); ++c) {
    if (clusters[c].size == 0) continue;
    line.clear();
    absl::StrAppend(&line, c, "\t", clusters[c].size, "\t",
                    Field(TitleOf(clusters[c], ids)), "\t");
    for (size_t i = 0; i < clusters[c].terms.size(); ++i) {
      absl::StrAppend(&line, i > 0 ? " " : "",
                      Field(clusters[c].terms[i].word));
    }
    line.push_back('\n');
    writer.Write(line);
  }
  return writer.Close();
}

void AppendExplanationTsv(absl::string_view prefix,
                          const CosineExplanation& explanation,
                          const NamedDocuments& named, std::string* text) {
  for (const CosineShare& share : explanation.shares) {
    absl::StrAppend(text, prefix, "\t", explanation.text, "\t",
                    Field(named.ColumnName(share.column)), "\t", share.text,
                    "\n");
  }
  if (explanation.shares.empty()) {
    absl::StrAppend(text, prefix, "\t", explanation.text, "\t\t0\n");
  }
}

void AppendExplanationJson(const CosineExplanation& explanation,
                           const NamedDocuments& named, std::string* json) {
  absl::StrAppend(json, ",\"cosine\":", explanation.text, ",\"terms\":[");
  for (size_t i = 0; i < explanation.shares.size(); ++i) {
    const CosineShare& share = explanation.shares[i];
    absl::StrAppend(json, i > 0 ? "," : "",
                    "{\"term\":", JsonQuote(named.ColumnName(share.column)),
                    ",\"adds\":", share.text, "}");
  }
  json->push_back(']');
}

void WriteExplanations(const Cover& cover, absl::Span<const int32_t> centers,
                       const NamedDocuments& named,
                       absl::optional<int32_t> document, bool as_json,
                       absl::FunctionRef<void(absl::string_view)> write) {
  const int32_t n = named.documents.num_documents();
  const ItemClusters clusters = FindItemClusters(cover, n);
  const std::vector<int32_t> order = OutputOrder(cover);
  const CosineExplainer explain(named.documents);
  std::string text = as_json ? "{\"memberships\":[" : "";
  bool is_first = true;
  const int32_t first = document.value_or(0);
  const int32_t last = document.has_value() ? *document + 1 : n;
  for (int32_t d = first; d < last; ++d) {
    for (const int32_t cluster : clusters.Of(d)) {
      const int32_t center = centers[order[cluster]];
      const CosineExplanation explanation = explain(d, center);
      if (as_json) {
        absl::StrAppend(&text, is_first ? "\n" : ",\n",
                        "{\"id\":", JsonQuote(named.ids[d]),
                        ",\"cluster\":", cluster,
                        ",\"center\":", JsonQuote(named.ids[center]));
        AppendExplanationJson(explanation, named, &text);
        text.push_back('}');
      } else {
        AppendExplanationTsv(
            absl::StrCat(named.ids[d], "\t", cluster, "\t", named.ids[center]),
            explanation, named, &text);
      }
      is_first = false;
      if (text.size() >= kPieceBytes) {
        write(text);
        text.clear();
      }
    }
  }
  if (as_json) text += "\n]}\n";
  write(text);
}

}  // namespace warpclust
