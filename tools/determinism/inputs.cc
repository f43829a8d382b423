// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/determinism/inputs.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status/status_macros.h"
#include "graph/io/id_map.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/dense/random_embeddings.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/compact_terms.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/weighting/weighting.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/input/input_format.h"
#include "tools/input/read_dense.h"
#include "tools/input/read_documents.h"
#include "tools/input/read_points.h"
#include "tools/input/read_signed_graph.h"
#include "tools/input/stream/document_stream.h"
#include "tools/input/stream/stream_vectorizer.h"
#include "tools/input/text_flags.h"

namespace warpclust {
namespace {

constexpr int32_t kRandomEmbeddings = 1000;

// "news.jsonl (1000)".
std::string NameOf(absl::string_view path, int64_t size) {
  const size_t slash = path.find_last_of('/');
  if (slash != absl::string_view::npos && slash + 1 < path.size()) {
    path.remove_prefix(slash + 1);
  }
  return absl::StrCat(path, " (", size, ")");
}

int32_t Kept(int32_t size, int64_t limit) {
  return limit > 0 ? static_cast<int32_t>(std::min<int64_t>(size, limit))
                   : size;
}

Cover CoverOfLabels(const std::vector<std::vector<std::string>>& labels) {
  IdMap names;
  std::vector<std::vector<int32_t>> members;
  for (size_t d = 0; d < labels.size(); ++d) {
    for (const std::string& label : labels[d]) {
      const auto cluster = static_cast<size_t>(names.Add(label));
      members.resize(std::max(members.size(), cluster + 1));
      const auto item = static_cast<int32_t>(d);
      // A label may be repeated.
      if (members[cluster].empty() || members[cluster].back() != item) {
        members[cluster].push_back(item);
      }
    }
  }
  Cover cover;
  for (const std::vector<int32_t>& cluster : members) cover.Append(cluster);
  return cover;
}

absl::StatusOr<SignedGraph> FirstVertices(const SignedGraph& graph, int32_t n) {
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < n; ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      // Each pair is in two rows.
      if (graph.neighbors[i] < v) {
        edges.push_back({graph.neighbors[i], v, graph.weights[i]});
      }
    }
  }
  return BuildSignedGraph(n, edges, graph.units_per_one);
}

}  // namespace

DocumentMatrix SelectRows(const DocumentMatrix& documents,
                          absl::Span<const int32_t> rows) {
  DocumentMatrix selected;
  selected.num_terms = documents.num_terms;
  for (const int32_t row : rows) {
    AppendRows(documents, row, row + 1, &selected);
  }
  return selected;
}

DenseDocuments SelectRows(const DenseDocuments& documents,
                          absl::Span<const int32_t> rows) {
  OwnedDenseRows selected;
  for (const int32_t row : rows) {
    AppendRows(documents, row, row + 1, &selected);
  }
  return MakeDenseDocuments(std::move(selected));
}

PointMatrix SelectRows(const PointMatrix& points,
                       absl::Span<const int32_t> rows) {
  PointMatrix selected;
  selected.num_points = static_cast<int32_t>(rows.size());
  selected.num_dimensions = points.num_dimensions;
  for (const int32_t row : rows) {
    selected.values.insert(selected.values.end(), points.Row(row),
                           points.Row(row) + points.num_dimensions);
  }
  return selected;
}

std::vector<int32_t> RowRange(int32_t begin, int32_t end) {
  std::vector<int32_t> rows(static_cast<size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

absl::StatusOr<DocumentsInput> ReadDocumentsInput(absl::string_view path,
                                                  int64_t limit,
                                                  const ToolRun& run) {
  ASSIGN_OR_RETURN(const std::string found,
                   PathOrExample(path, "documents", "encyclopedia.jsonl", run));
  ASSIGN_OR_RETURN(const InputFormat format,
                   DetectInputFormat(found, /*edges_allowed=*/false));
  DocumentOptions options;
  options.labels = true;
  ASSIGN_OR_RETURN(InputDocuments read,
                   ReadDocuments({found, format}, options));
  const int32_t n = Kept(read.documents.num_documents(), limit);
  DocumentsInput input;
  input.name = NameOf(found, n);
  input.counts = SelectRows(read.documents, RowRange(0, n));
  CompactTerms(&input.counts);
  input.ids = std::move(read.ids);
  input.ids.resize(static_cast<size_t>(n));
  read.labels.resize(static_cast<size_t>(n));
  input.labels = CoverOfLabels(read.labels);
  return input;
}

absl::StatusOr<EmbeddingsInput> ReadEmbeddingsInput(absl::string_view path,
                                                    int64_t limit,
                                                    const ToolRun& run) {
  EmbeddingsInput input;
  if (path.empty()) {
    const int32_t n = Kept(kRandomEmbeddings, limit);
    run.Note(absl::StrCat("no --embeddings: using ", n, " random ones"));
    input.rows = MakeRandomEmbeddings(
        {.dimensions = 64, .directions = 20, .near_duplicates = "0.1"}, n,
        run.threads);
    input.name = NameOf("random", n);
    for (int32_t d = 0; d < n; ++d) input.ids.push_back(absl::StrCat(d));
    return input;
  }
  ASSIGN_OR_RETURN(const absl::optional<InputFormat> format,
                   DetectDenseFormat(path, DenseFlags().vector_field));
  if (!format.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected embeddings, found another format"));
  }
  Input file;
  file.path = std::string(path);
  file.format = *format;
  ASSIGN_OR_RETURN(DenseInput read,
                   ReadDense(file, DocumentOptions(), DenseFlags(), FlagSet()));
  const int32_t n = Kept(read.documents.num_documents(), limit);
  input.rows = read.documents.Rows(0, n);
  input.name = NameOf(path, n);
  input.ids = std::move(read.ids);
  input.ids.resize(static_cast<size_t>(n));
  return input;
}

absl::StatusOr<StreamInput> ReadStreamInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run) {
  ASSIGN_OR_RETURN(const std::string found,
                   PathOrExample(path, "stream", "headlines.jsonl", run));
  ASSIGN_OR_RETURN(const InputFormat format,
                   DetectInputFormat(found, /*edges_allowed=*/false));
  ASSIGN_OR_RETURN(DocumentStream stream,
                   DocumentStream::Open(found, format, {.keep_lines = false}));
  ASSIGN_OR_RETURN(const AnalyzerOptions analyzer, TextAnalyzer(TextOptions()));
  ASSIGN_OR_RETURN(
      StreamVectorizer vectorizer,
      StreamVectorizer::Create(Weighting::kTf, analyzer, absl::nullopt,
                               StreamVectorizer::Knowledge()));
  StreamInput input;
  DocumentStream::Limits limits;
  for (;;) {
    if (limit > 0) {
      limits.documents = std::min<int64_t>(
          limits.documents, limit - input.counts.num_documents());
    }
    if (limits.documents == 0) break;
    ASSIGN_OR_RETURN(DocumentBlock block,
                     stream.Read(limits, [] { return false; }));
    if (block.size() == 0) break;
    input.times.insert(input.times.end(), block.times.begin(),
                       block.times.end());
    ASSIGN_OR_RETURN(const DocumentMatrix rows, vectorizer.Vectorize(&block));
    AppendRows(rows, 0, rows.num_documents(), &input.counts);
  }
  input.name = NameOf(found, input.counts.num_documents());
  return input;
}

absl::StatusOr<PointsInput> ReadPointsInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run) {
  ASSIGN_OR_RETURN(const std::string found,
                   PathOrExample(path, "points", "points.csv", run));
  ASSIGN_OR_RETURN(const PointMatrix points, ReadPoints(found, "auto"));
  const int32_t n = Kept(points.num_points, limit);
  return PointsInput{NameOf(found, n), SelectRows(points, RowRange(0, n))};
}

absl::StatusOr<SignedInput> ReadSignedInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run) {
  ASSIGN_OR_RETURN(const std::string found,
                   PathOrExample(path, "signed", "tribes.txt", run));
  SignedEdgeListOptions options;
  options.skip_loops = true;
  ASSIGN_OR_RETURN(SignedEdgeList read,
                   ReadSignedGraph(found, "auto", options));
  const int32_t n = Kept(read.graph.num_vertices(), limit);
  SignedInput input;
  input.name = NameOf(found, n);
  if (n == read.graph.num_vertices()) {
    input.graph = std::move(read.graph);
    return input;
  }
  ASSIGN_OR_RETURN(input.graph, FirstVertices(read.graph, n));
  return input;
}

}  // namespace warpclust
