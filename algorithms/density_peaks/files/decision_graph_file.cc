// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/decision_graph_file.h"

#include <cstdint>
#include <vector>

#include "algorithms/density_peaks/files/text_pieces.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"

namespace warpclust {

void WriteDecisionGraph(const DecisionGraph& graph, const Clusters& clusters,
                        const Significance& significance,
                        const PointNames& names,
                        absl::FunctionRef<void(absl::string_view)> write,
                        int num_threads) {
  const bool halo = !clusters.halo.empty();
  const std::vector<double>& sigmas = significance.sigmas;
  const std::vector<double> gammas = Gammas(graph);
  write("# id\trho\tdelta\tgamma\tdependent\tcluster\tpeak\tnoise");
  write(halo ? "\thalo" : "");
  write(sigmas.empty() ? "\n" : "\tsigma\n");
  WritePointLines(
      graph.num_points(), num_threads,
      [&](int32_t i, TextPieces* text) {
        const int32_t cluster = clusters.labels[i];
        text->AddName(i, names);
        text->Add("\t");
        text->AddNumber(graph.densities[i]);
        text->Add("\t");
        text->AddNumber(graph.dependent_distances[i]);
        text->Add("\t");
        text->AddNumber(gammas[i]);
        text->Add("\t");
        if (graph.dependent_points[i] < 0) {
          text->Add("-1");
        } else {
          text->AddName(graph.dependent_points[i], names);
        }
        text->Add("\t");
        text->AddNumber(cluster);
        const bool is_peak = clusters.peaks[cluster] == i;
        text->Add(is_peak ? "\t1" : "\t0");
        text->Add(clusters.noise[i] != 0 ? "\t1" : "\t0");
        if (halo) text->Add(clusters.halo[i] != 0 ? "\t1" : "\t0");
        if (!sigmas.empty()) {
          text->Add("\t");
          text->AddNumber(is_peak ? sigmas[cluster] : 0);
        }
        text->Add("\n");
      },
      write);
}

}  // namespace warpclust
