// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/testing/cosine_probe_oracle.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

double Dot(const DocumentMatrix& a, int32_t i, const DocumentMatrix& b,
           int32_t j) {
  const absl::Span<const int32_t> terms = a.TermsOf(i);
  const absl::Span<const int32_t> others = b.TermsOf(j);
  double dot = 0;
  for (size_t x = 0, y = 0; x < terms.size() && y < others.size();) {
    if (terms[x] == others[y]) {
      dot += static_cast<double>(a.WeightsOf(i)[x]) * b.WeightsOf(j)[y];
      ++x;
      ++y;
    } else if (terms[x] < others[y]) {
      ++x;
    } else {
      ++y;
    }
  }
  return dot;
}

}  // namespace

std::vector<ProbeEdge> NaiveProbeEdges(const DocumentMatrix& block,
                                       const DocumentMatrix& probes,
                                       const CosineProbeOptions& options) {
  const CosineDecision decision =
      MakeCosineDecision(options.beta, options.integer_arithmetic, 0);
  const std::vector<double> row_norms = SquaredNorms(block);
  const std::vector<double> probe_norms = SquaredNorms(probes);
  std::vector<ProbeEdge> edges;
  for (int32_t row = 0; row < block.num_documents(); ++row) {
    for (int32_t probe = 0; probe < probes.num_documents(); ++probe) {
      const double dot = Dot(block, row, probes, probe);
      const double a = row_norms[row];
      const double b = probe_norms[probe];
      if (dot > 0 && decision.Reaches(dot, a, b)) {
        edges.push_back({row, probe, CosineDecision::Cosine(dot, a, b)});
      }
    }
  }
  return edges;
}

std::string FirstDifference(const std::vector<ProbeEdge>& expected,
                            const std::vector<ProbeEdge>& actual) {
  for (size_t e = 0; e < expected.size() && e < actual.size(); ++e) {
    const ProbeEdge& a = expected[e];
    const ProbeEdge& b = actual[e];
    // Equal as numbers is equal to the bit: no zeros, no NaN.
    if (a.row == b.row && a.probe == b.probe && a.cosine == b.cosine) continue;
    return absl::StrCat("edge ", e, ": expected ", a.row, " ", a.probe, " ",
                        a.cosine, ", found ", b.row, " ", b.probe, " ",
                        b.cosine);
  }
  if (expected.size() == actual.size()) return "";
  return absl::StrCat("expected ", expected.size(), " edges, found ",
                      actual.size());
}

ProbeCase RandomProbeCase(uint64_t seed) {
  const std::vector<Decimal> betas = {{25, 100}, {35, 100}, {6, 10},
                                      {1, 1},    {1, 100},  {1, 1000000000}};
  RandomDocumentsOptions shape;
  shape.seed = seed;
  shape.num_documents = 2 + static_cast<int32_t>(seed * 37 % 600);
  shape.num_terms = 1 + static_cast<int32_t>(seed * 13 % 400);
  shape.mean_terms = 1 + static_cast<double>(seed * 5 % 37);
  shape.integer_weights = seed % 2 != 0;
  // Float rows among quantized ones from 60 on.
  shape.largest_weight = seed % 5 == 0   ? 60000.0f
                         : seed % 5 == 1 ? 60.0f
                                         : 9.0f;
  shape.empty_fraction = seed % 4 == 0 ? 0.2 : 0.0;
  const DocumentMatrix documents = RandomDocuments(shape);
  const int32_t n = documents.num_documents();
  const int32_t stored = seed % 7 == 0 ? n - 1 : n - 1 - n * (seed % 3) / 4;
  ProbeCase random;
  random.stored = DocumentRows(documents, 0, stored);
  random.probes = DocumentRows(documents, stored, n);
  random.beta = betas[seed % betas.size()];
  random.arithmetics = {false};
  // Norms may be too large for so fine a β.
  if (shape.integer_weights && !(seed % 6 == 5 && shape.largest_weight > 60)) {
    random.arithmetics.push_back(true);
  }
  return random;
}

absl::StatusOr<std::vector<ProbeEdge>> JoinInBlocks(
    const DocumentMatrix& stored, int32_t step, CosineProbe* probe) {
  std::vector<ProbeEdge> edges;
  const int64_t n = stored.num_documents();
  for (int64_t begin = 0; begin < n; begin += step) {
    const size_t before = edges.size();
    const int32_t first = static_cast<int32_t>(begin);
    const absl::Status status = probe->Join(
        DocumentRows(stored, first,
                     static_cast<int32_t>(std::min(n, begin + step))),
        &edges);
    if (!status.ok()) return status;
    for (size_t e = before; e < edges.size(); ++e) edges[e].row += first;
  }
  return edges;
}

DocumentMatrix MakeDocuments(int32_t num_terms,
                             const std::vector<DocumentEntries>& rows) {
  DocumentMatrix documents;
  documents.num_terms = num_terms;
  for (const DocumentEntries& row : rows) {
    for (const auto& [term, weight] : row) {
      documents.terms.push_back(term);
      documents.weights.push_back(weight);
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

DocumentMatrix DocumentRows(const DocumentMatrix& documents, int32_t begin,
                            int32_t end) {
  DocumentMatrix rows;
  AppendRows(documents, begin, end, &rows);
  return rows;
}

}  // namespace warpclust
