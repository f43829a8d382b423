// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteEdgeList: a graph as lines "u<TAB>v<TAB>weight", each edge once, in
// order of the vertices. Before them stands a comment "#vertex<TAB>name" for
// every vertex, in order: readers of SNAP files skip it, ReadEdgeList keeps
// isolated vertices and the numbering by it, so that reading gives back the
// same graph and the same names, also names with blanks and commas.
//
// Weights are written as printf's %.9g in the C locale, whatever the locale is,
// from which every float is read back exactly. Cost: about 25 ns an edge,
// divided by the threads. Memory: 8 MiB a thread. Determinism: the same bytes
// for any number of threads. Thread-safety: functions are pure.

#ifndef WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_
#define WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

// Takes the text piece by piece, in order; whoever gave it keeps its errors.
using WriteText = absl::FunctionRef<void(absl::string_view text)>;

// `graph` must be valid. `ids` are the names of the vertices, no two alike, or
// empty: then they are 0, 1, …. InvalidArgument, before anything is written, if
// the arrays of the graph do not fit each other, there are not as many names as
// vertices, or a name cannot be read back: it is empty, starts with # or %,
// or contains a control character, such as a tab. `num_threads` 0 means all.
absl::Status WriteEdgeList(const CsrGraph& graph,
                           absl::Span<const std::string> ids, WriteText write,
                           int num_threads = 0);

namespace internal {

// Writes `weight`, finite, as %.9g at `out`, which has room for 16 characters;
// returns the end.
char* FormatWeight(float weight, char* out);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_
