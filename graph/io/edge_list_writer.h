// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteEdgeList: a graph as lines "u<TAB>v<TAB>weight", each edge once, in
// order of the vertices. The first lines are comments "#vertex<TAB>name", one
// per vertex, in order. Readers of SNAP files skip them; ReadEdgeList uses them
// to restore the same graph with isolated vertices, numbers and names, also
// names with blanks and commas.
//
// Weights are written as printf's %.9g in the C locale, whatever the locale is;
// every float is read back exactly. Memory: 8 MiB per thread.

#ifndef WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_
#define WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

// Takes the text piece by piece and keeps its own errors.
using WriteText = absl::FunctionRef<void(absl::string_view text)>;

// `graph` must be valid. `ids` are the names of the vertices, all different; if
// empty, the names are 0, 1, …. InvalidArgument, before anything is written, if
// the lengths of the graph's arrays do not fit, there are not as many names as
// vertices, or a name could not be read back: it is empty, starts with # or %,
// or contains a control character, such as a tab. `num_threads` 0 means all.
absl::Status WriteEdgeList(const CsrGraph& graph,
                           absl::Span<const std::string> ids, WriteText write,
                           int num_threads = 0);

namespace internal {

// Writes the finite `weight` as %.9g to `out`, which has room for 16
// characters, and returns the end.
char* FormatWeight(float weight, char* out);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_
