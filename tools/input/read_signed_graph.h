// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadSignedGraph: what a tool that takes signed networks does between its
// flags and its library call.
//
//   absl::StatusOr<std::string> path = SignedGraphPath(run);
//   if (!path.ok()) return path.status();
//   absl::StatusOr<SignedEdgeList> network =
//       ReadSignedGraph(*path, run.options.input_format, options);
//
// Thread-safety: one thread at a time. Determinism: a function of the bytes
// read.

#ifndef WARPCLUST_TOOLS_INPUT_READ_SIGNED_GRAPH_H_
#define WARPCLUST_TOOLS_INPUT_READ_SIGNED_GRAPH_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/io/signed_edge_list.h"
#include "tools/cli/cli.h"

namespace warpclust {

// The least I(P) of the bundled network; the test of this file proves it by
// dynamic programming over all sets of vertices.
inline constexpr int64_t kBundledSignedGraphOptimum = 2;

// What Tool::AddInputFlags takes: auto, edges, matrixmarket.
absl::Span<const absl::string_view> SignedGraphFormats();

// --input, or the bundled network, which a note on standard error names.
absl::StatusOr<std::string> SignedGraphPath(const ToolRun& run);

// Reads a file, gzip'ed or not, "-" for standard input. `format` is one of
// SignedGraphFormats; auto takes for a matrix what is called .mtx or says that
// it is one. Errors name the file and the line, and --skip_loops where it
// helps.
absl::StatusOr<SignedEdgeList> ReadSignedGraph(
    absl::string_view path, absl::string_view format,
    const SignedEdgeListOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_SIGNED_GRAPH_H_
