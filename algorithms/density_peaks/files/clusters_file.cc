// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/clusters_file.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/density_peaks/files/number_text.h"

namespace warpclust {
namespace {

// Text is handed on in pieces of about this size.
class Pieces {
 public:
  explicit Pieces(absl::FunctionRef<void(absl::string_view)> write)
      : write_(write) {}
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  // For appending a little.
  std::string* Text() {
    if (text_.size() >= size_t{1} << 16) {
      write_(text_);
      text_.clear();
    }
    return &text_;
  }

  // Once, at last. Not in a destructor, where `write` may throw nothing.
  void End() { write_(text_); }

 private:
  const absl::FunctionRef<void(absl::string_view)> write_;
  std::string text_;
};

// The points of each cluster back to back, ascending, and where each starts.
struct Members {
  std::vector<int64_t> offsets;
  std::vector<int32_t> points;
};

Members MembersOf(const Clusters& clusters) {
  Members members;
  members.offsets.assign(clusters.peaks.size() + 1, 0);
  for (const int32_t label : clusters.labels) ++members.offsets[label + 1];
  for (size_t c = 1; c < members.offsets.size(); ++c) {
    members.offsets[c] += members.offsets[c - 1];
  }
  std::vector<int64_t> next(members.offsets.begin(), members.offsets.end() - 1);
  members.points.resize(clusters.labels.size());
  for (size_t i = 0; i < clusters.labels.size(); ++i) {
    members.points[next[clusters.labels[i]]++] = static_cast<int32_t>(i);
  }
  return members;
}

int32_t NameOf(int32_t point, absl::Span<const int32_t> ids) {
  return ids.empty() ? point : ids[point];
}

// `"name":[…]` of the points that `flags` has, or of all if it is empty.
void AppendPoints(absl::string_view name, absl::Span<const int32_t> points,
                  absl::Span<const uint8_t> flags,
                  absl::Span<const int32_t> ids, Pieces* pieces) {
  std::string* text = pieces->Text();
  text->append(",\"");
  text->append(name.data(), name.size());
  text->append("\":[");
  bool first = true;
  for (const int32_t point : points) {
    if (!flags.empty() && flags[point] == 0) continue;
    text = pieces->Text();
    if (!first) *text += ',';
    first = false;
    AppendNumber(NameOf(point, ids), text);
  }
  *pieces->Text() += ']';
}

}  // namespace

void WriteClustersTsv(const Clusters& clusters, absl::Span<const int32_t> ids,
                      absl::FunctionRef<void(absl::string_view)> write) {
  Pieces pieces(write);
  for (size_t i = 0; i < clusters.labels.size(); ++i) {
    std::string* text = pieces.Text();
    AppendNumber(NameOf(static_cast<int32_t>(i), ids), text);
    *text += '\t';
    AppendNumber(clusters.labels[i], text);
    *text += '\n';
  }
  pieces.End();
}

void WriteClustersJson(const DecisionGraph& graph, const Clusters& clusters,
                       absl::Span<const int32_t> ids,
                       absl::FunctionRef<void(absl::string_view)> write) {
  const Members members = MembersOf(clusters);
  Pieces pieces(write);
  *pieces.Text() += "{\"clusters\":[";
  for (int32_t c = 0; c < clusters.num_clusters(); ++c) {
    const int32_t peak = clusters.peaks[c];
    std::string* text = pieces.Text();
    *text += c == 0 ? "{\"peak\":" : ",{\"peak\":";
    AppendNumber(NameOf(peak, ids), text);
    *text += ",\"rho\":";
    AppendNumber(graph.densities[peak], text);
    *text += ",\"delta\":";
    AppendNumber(graph.dependent_distances[peak], text);
    const auto points =
        absl::MakeConstSpan(members.points)
            .subspan(members.offsets[c],
                     members.offsets[c + 1] - members.offsets[c]);
    AppendPoints("members", points, {}, ids, &pieces);
    AppendPoints("noise", points, clusters.noise, ids, &pieces);
    if (!clusters.halo.empty()) {
      AppendPoints("halo", points, clusters.halo, ids, &pieces);
    }
    *pieces.Text() += '}';
  }
  std::string* text = pieces.Text();
  *text += "],\"cutoff_distance\":";
  AppendNumber(graph.cutoff_distance, text);
  *text += "}\n";
  pieces.End();
}

}  // namespace warpclust
