// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine_probe_oracle.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "graph/cosine_decision.h"
#include "sparse/append_rows.h"

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
