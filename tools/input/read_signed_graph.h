// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPCLUST_TOOLS_INPUT_READ_SIGNED_GRAPH_H_
#define WARPCLUST_TOOLS_INPUT_READ_SIGNED_GRAPH_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/machine/work_share.h"
#include "graph/io/signed_edge_list.h"
#include "tools/input/input_format.h"

namespace warpclust {

// The least I(P) of the bundled network, examples/tribes.txt. The test of this
// file proves it by dynamic programming over all sets of vertices.
inline constexpr int64_t kBundledSignedGraphOptimum = 2;

// Reads the signed network of a tool from a file, gzip'ed or not; "-" is
// standard input. `format` is auto, edges or matrixmarket; auto reads a matrix
// if the input is named .mtx or begins like one, otherwise edges. Errors name
// the file and the line, and --skip_loops where it helps. `work`, unless null,
// follows the reading.
absl::StatusOr<SignedEdgeList> ReadSignedGraph(
    absl::string_view path, absl::string_view format,
    const SignedEdgeListOptions& options, const FormatNote& note = {},
    WorkShare* work = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_SIGNED_GRAPH_H_
