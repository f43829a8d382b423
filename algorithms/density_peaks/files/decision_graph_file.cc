// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/decision_graph_file.h"

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/density_peaks/files/number_text.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"

namespace warpclust {
namespace {

// Text is handed on in pieces of about this size.
constexpr size_t kPieceBytes = 1 << 16;

}  // namespace

void WriteDecisionGraph(const DecisionGraph& graph, const Clusters& clusters,
                        absl::Span<const int32_t> ids,
                        absl::FunctionRef<void(absl::string_view)> write) {
  const bool halo = !clusters.halo.empty();
  const std::vector<double> gammas = Gammas(graph);
  const auto name = [&](int32_t point) {
    return point < 0 || ids.empty() ? point : ids[point];
  };
  std::string text = "# id\trho\tdelta\tgamma\tdependent\tcluster\tpeak\tnoise";
  text += halo ? "\thalo\n" : "\n";
  for (int32_t i = 0; i < graph.num_points(); ++i) {
    AppendNumber(name(i), &text);
    text += '\t';
    AppendNumber(graph.densities[i], &text);
    text += '\t';
    AppendNumber(graph.dependent_distances[i], &text);
    text += '\t';
    AppendNumber(gammas[i], &text);
    text += '\t';
    AppendNumber(name(graph.dependent_points[i]), &text);
    text += '\t';
    const int32_t cluster = clusters.labels[i];
    AppendNumber(cluster, &text);
    text += clusters.peaks[cluster] == i ? "\t1" : "\t0";
    text += clusters.noise[i] != 0 ? "\t1" : "\t0";
    if (halo) text += clusters.halo[i] != 0 ? "\t1" : "\t0";
    text += '\n';
    if (text.size() >= kPieceBytes) {
      write(text);
      text.clear();
    }
  }
  write(text);
}

}  // namespace warpclust
