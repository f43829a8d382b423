// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a signed network in MatrixMarket: what is read is valid, and the
// same comes from an edge list of its net weights. Blocks read by two threads
// give the same as one thread. The first byte chooses the options.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "base/numbers/decimal.h"
#include "graph/io/signed_edge_list.h"
#include "graph/io/signed_matrix_market.h"
#include "graph/signed/signed_graph.h"

namespace {

// The input starts after the words of the header that all files share, which
// chance would not find.
constexpr absl::string_view kHeader = "%%MatrixMarket matrix coordinate ";

absl::StatusOr<warpclust::SignedEdgeList> Read(
    absl::string_view bytes, warpclust::SignedEdgeListOptions options,
    int threads, int64_t block_bytes) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(absl::StrCat(kHeader, bytes));
  lines.SetBlockBytes(block_bytes);
  options.num_threads = threads;
  return warpclust::ReadSignedMatrixMarket(lines, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  warpclust::SignedEdgeListOptions options;
  options.sign_only = (data[0] & 1) != 0;
  options.skip_loops = (data[0] & 2) != 0;
  const absl::string_view bytes(reinterpret_cast<const char*>(data + 1),
                                size - 1);
  const int64_t block_bytes = 1 + data[0] / 4;
  const absl::StatusOr<warpclust::SignedEdgeList> read =
      Read(bytes, options, 1, block_bytes);
  const absl::StatusOr<warpclust::SignedEdgeList> in_blocks =
      Read(bytes, options, 2, block_bytes);
  if (in_blocks.status() != read.status()) std::abort();
  if (!read.ok()) return 0;
  if (in_blocks->ids != read->ids ||
      in_blocks->graph.neighbors != read->graph.neighbors ||
      in_blocks->graph.weights != read->graph.weights) {
    std::abort();
  }
  const warpclust::SignedGraph& graph = read->graph;
  if (!warpclust::ValidateSignedGraph(graph).ok()) std::abort();
  if (static_cast<int64_t>(read->ids.size()) != graph.num_vertices()) {
    std::abort();
  }

  // Few entries may stand for a million vertices.
  if (graph.num_vertices() > 1000) return 0;
  std::string text;
  for (const std::string& id : read->ids) {
    absl::StrAppend(&text, "#vertex\t", id, "\n");
  }
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      absl::StrAppend(
          &text, read->ids[v], " ", read->ids[graph.neighbors[i]], " ",
          warpclust::FormatDecimal({graph.weights[i], graph.units_per_one}),
          "\n");
    }
  }
  warpclust::LineReader list =
      warpclust::LineReader::FromString(std::move(text));
  const absl::StatusOr<warpclust::SignedEdgeList> again =
      warpclust::ReadSignedEdgeList(list, options);
  if (!again.ok() || again->ids != read->ids ||
      again->graph.offsets != graph.offsets ||
      again->graph.neighbors != graph.neighbors) {
    std::abort();
  }
  const int64_t factor = graph.units_per_one / again->graph.units_per_one;
  for (size_t i = 0; i < graph.weights.size(); ++i) {
    if (again->graph.weights[i] * factor != graph.weights[i]) std::abort();
  }
  return 0;
}
