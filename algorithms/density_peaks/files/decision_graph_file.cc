// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/decision_graph_file.h"

#include <cstdint>
#include <vector>

#include "algorithms/density_peaks/files/text_pieces.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"

namespace warpclust {

void WriteDecisionGraph(const DecisionGraph& graph, const Clusters& clusters,
                        absl::Span<const int32_t> ids,
                        absl::FunctionRef<void(absl::string_view)> write) {
  const bool halo = !clusters.halo.empty();
  const std::vector<double> gammas = Gammas(graph);
  const auto name = [&](int32_t point) {
    return point < 0 || ids.empty() ? point : ids[point];
  };
  TextPieces text(write);
  text.Add("# id\trho\tdelta\tgamma\tdependent\tcluster\tpeak\tnoise");
  text.Add(halo ? "\thalo\n" : "\n");
  for (int32_t i = 0; i < graph.num_points(); ++i) {
    const int32_t cluster = clusters.labels[i];
    text.AddNumber(name(i));
    text.Add("\t");
    text.AddNumber(graph.densities[i]);
    text.Add("\t");
    text.AddNumber(graph.dependent_distances[i]);
    text.Add("\t");
    text.AddNumber(gammas[i]);
    text.Add("\t");
    text.AddNumber(name(graph.dependent_points[i]));
    text.Add("\t");
    text.AddNumber(cluster);
    text.Add(clusters.peaks[cluster] == i ? "\t1" : "\t0");
    text.Add(clusters.noise[i] != 0 ? "\t1" : "\t0");
    if (halo) text.Add(clusters.halo[i] != 0 ? "\t1" : "\t0");
    text.Add("\n");
  }
  text.End();
}

}  // namespace warpclust
