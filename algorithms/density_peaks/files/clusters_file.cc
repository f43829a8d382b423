// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/clusters_file.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/files/text_pieces.h"

namespace warpclust {
namespace {

// The points of each cluster, ascending.
std::vector<std::vector<int32_t>> MembersOf(const Clusters& clusters) {
  std::vector<std::vector<int32_t>> members(clusters.peaks.size());
  for (size_t i = 0; i < clusters.labels.size(); ++i) {
    members[clusters.labels[i]].push_back(static_cast<int32_t>(i));
  }
  return members;
}

// Adds `,"field":[…]` with the points that have a flag, or all if `flags` is
// empty.
void AddPoints(absl::string_view field, absl::Span<const int32_t> points,
               absl::Span<const uint8_t> flags, const PointNames& names,
               TextPieces* text) {
  text->Add(absl::StrCat(",\"", field, "\":["));
  bool first = true;
  for (const int32_t point : points) {
    if (!flags.empty() && flags[point] == 0) continue;
    if (!first) text->Add(",");
    first = false;
    text->AddJsonName(point, names);
  }
  text->Add("]");
}

}  // namespace

void WriteClustersTsv(const Clusters& clusters, const PointNames& names,
                      absl::FunctionRef<void(absl::string_view)> write,
                      int num_threads, bool marks) {
  WritePointLines(
      static_cast<int32_t>(clusters.labels.size()), num_threads,
      [&](int32_t i, TextPieces* text) {
        text->AddName(i, names);
        text->Add("\t");
        text->AddNumber(clusters.labels[i]);
        if (marks) {
          const bool halo = !clusters.halo.empty() && clusters.halo[i] != 0;
          text->Add(clusters.noise[i] != 0 ? "\tnoise"
                    : halo                 ? "\thalo"
                                           : "\tcore");
        }
        text->Add("\n");
      },
      write);
}

void WriteClustersJson(const DecisionGraph& graph, const Clusters& clusters,
                       const Significance& significance,
                       const PointNames& names,
                       absl::FunctionRef<void(absl::string_view)> write) {
  const std::vector<std::vector<int32_t>> members = MembersOf(clusters);
  TextPieces text(write);
  text.Add("{\"clusters\":[");
  for (int32_t c = 0; c < clusters.num_clusters(); ++c) {
    const int32_t peak = clusters.peaks[c];
    text.Add(c == 0 ? "{\"peak\":" : ",{\"peak\":");
    text.AddJsonName(peak, names);
    text.Add(",\"rho\":");
    text.AddNumber(graph.densities[peak]);
    text.Add(",\"delta\":");
    text.AddNumber(graph.dependent_distances[peak]);
    if (!significance.sigmas.empty()) {
      text.Add(",\"saddle\":");
      text.AddNumber(significance.saddles[c]);
      text.Add(",\"sigma\":");
      text.AddNumber(significance.sigmas[c]);
    }
    AddPoints("members", members[c], {}, names, &text);
    AddPoints("noise", members[c], clusters.noise, names, &text);
    if (!clusters.halo.empty()) {
      AddPoints("halo", members[c], clusters.halo, names, &text);
    }
    text.Add("}");
  }
  text.Add("],\"cutoff_distance\":");
  text.AddNumber(graph.cutoff_distance);
  if (!significance.sigmas.empty()) {
    text.Add(",\"least_sigma\":");
    text.AddNumber(significance.least_sigma);
    text.Add(",\"candidates\":");
    text.AddNumber(significance.num_candidates);
  }
  text.Add("}\n");
  text.End();
}

}  // namespace warpclust
