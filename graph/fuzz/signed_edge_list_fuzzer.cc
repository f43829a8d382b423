// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a signed edge list: what is read is valid, and is read back the
// same from its net weights. Blocks read by two threads give the same as one
// thread. The first byte chooses the options.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/numbers/decimal.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"

namespace {

absl::StatusOr<warpclust::SignedEdgeList> Read(
    std::string text, const warpclust::SignedEdgeListOptions& options,
    int64_t block_bytes = 1 << 19) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::move(text));
  lines.SetBlockBytes(block_bytes);
  return warpclust::ReadSignedEdgeList(lines, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  warpclust::SignedEdgeListOptions options;
  options.sign_only = (data[0] & 1) != 0;
  options.skip_loops = (data[0] & 2) != 0;
  options.num_threads = 1;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const int64_t block_bytes = 1 + data[0] / 4;
  const absl::StatusOr<warpclust::SignedEdgeList> read =
      Read(bytes, options, block_bytes);
  options.num_threads = 2;
  const absl::StatusOr<warpclust::SignedEdgeList> in_blocks =
      Read(bytes, options, block_bytes);
  options.num_threads = 1;
  if (in_blocks.status() != read.status()) std::abort();
  if (!read.ok()) return 0;
  if (in_blocks->ids != read->ids ||
      in_blocks->graph.offsets != read->graph.offsets ||
      in_blocks->graph.neighbors != read->graph.neighbors ||
      in_blocks->graph.weights != read->graph.weights ||
      in_blocks->skipped_loops != read->skipped_loops ||
      in_blocks->vanished_weights != read->vanished_weights ||
      in_blocks->header != read->header) {
    std::abort();
  }
  const warpclust::SignedGraph& graph = read->graph;
  if (!warpclust::ValidateSignedGraph(graph).ok()) std::abort();
  const std::set<std::string> names(read->ids.begin(), read->ids.end());
  if (static_cast<int64_t>(read->ids.size()) != graph.num_vertices() ||
      names.size() != read->ids.size() || names.count("") != 0 ||
      (read->skipped_loops > 0 && !options.skip_loops)) {
    std::abort();
  }
  if (options.sign_only) {
    if (graph.units_per_one != 1) std::abort();
    for (const int64_t weight : graph.weights) {
      if (weight != 1 && weight != -1) std::abort();
    }
  }

  std::string text;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    absl::StrAppend(&text, "#vertex\t", v, "\n");
  }
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      absl::StrAppend(
          &text, v, " ", graph.neighbors[i], " ",
          warpclust::FormatDecimal({graph.weights[i], graph.units_per_one}),
          "\n");
    }
  }
  const absl::StatusOr<warpclust::SignedEdgeList> again = Read(text, options);
  if (!again.ok() || again->graph.offsets != graph.offsets ||
      again->graph.neighbors != graph.neighbors) {
    std::abort();
  }
  // Differences may need fewer places than what they are differences of.
  const int64_t factor = graph.units_per_one / again->graph.units_per_one;
  for (size_t i = 0; i < graph.weights.size(); ++i) {
    if (again->graph.weights[i] * factor != graph.weights[i]) std::abort();
  }
  return 0;
}
