// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an edge list: what is read is valid, and is read back from what
// the writer makes of it. Blocks read by two threads give the same as one
// thread. The first byte chooses the options.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "graph/csr/csr_graph.h"
#include "graph/io/edge_list_reader.h"
#include "graph/io/edge_list_writer.h"

namespace {

absl::StatusOr<warpclust::EdgeList> Read(
    std::string text, const warpclust::EdgeListOptions& options,
    int64_t block_bytes = 1 << 19) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::move(text));
  lines.SetBlockBytes(block_bytes);
  return warpclust::ReadEdgeList(lines, options);
}

// Names that an edge can bring in and no line of the writer could bring back.
// Those with blanks and commas are no such names: #vertex lines declare them.
bool HasUnreadableName(const warpclust::EdgeList& list) {
  for (const std::string& id : list.ids) {
    if (id[0] == '#' || id[0] == '%') return true;
    for (const char c : id) {
      if ((c >= 0 && c < ' ') || c == '\x7f') return true;
    }
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  warpclust::EdgeListOptions options;
  options.allow_negative_weights = (data[0] & 1) != 0;
  if ((data[0] & 2) != 0) options.min_weight = 0.5f;
  options.num_threads = 1;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const int64_t block_bytes = 1 + data[0] / 4;
  const absl::StatusOr<warpclust::EdgeList> read =
      Read(bytes, options, block_bytes);
  options.num_threads = 2;
  const absl::StatusOr<warpclust::EdgeList> in_blocks =
      Read(bytes, options, block_bytes);
  options.num_threads = 1;
  if (in_blocks.status() != read.status()) std::abort();
  if (!read.ok()) return 0;
  if (in_blocks->ids != read->ids ||
      in_blocks->graph.offsets != read->graph.offsets ||
      in_blocks->graph.neighbors != read->graph.neighbors ||
      in_blocks->graph.weights != read->graph.weights) {
    std::abort();
  }
  if (!warpclust::ValidateGraph(read->graph).ok()) std::abort();
  const std::set<std::string> names(read->ids.begin(), read->ids.end());
  if (static_cast<int64_t>(read->ids.size()) != read->graph.num_vertices() ||
      names.size() != read->ids.size() || names.count("") != 0) {
    std::abort();
  }
  for (float weight : read->graph.weights) {
    if (weight < options.min_weight) std::abort();
    if (weight < 0.0f && !options.allow_negative_weights) std::abort();
  }

  std::string text;
  const absl::Status written = warpclust::WriteEdgeList(
      read->graph, read->ids,
      [&](absl::string_view piece) { text.append(piece.data(), piece.size()); },
      1);
  if (written.ok() == HasUnreadableName(*read)) std::abort();
  if (!written.ok()) return 0;
  const absl::StatusOr<warpclust::EdgeList> again = Read(text, options);
  if (!again.ok()) std::abort();
  if (again->ids != read->ids || again->graph.offsets != read->graph.offsets ||
      again->graph.neighbors != read->graph.neighbors ||
      again->graph.weights != read->graph.weights) {
    std::abort();
  }
  return 0;
}
