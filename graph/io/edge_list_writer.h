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
// every float is read back exactly. A graph whose weights were computed in
// double can be written with these: the float next to 0.7 is 0.699999988, the
// cosine is 0.7. Memory: 4 MiB per thread.

#ifndef WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_
#define WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

// Takes the text piece by piece and keeps its own errors. Called on several
// threads, one at a time.
using WriteText = absl::FunctionRef<void(absl::string_view text)>;

// `graph` must be valid. `ids` are the names of the vertices, all different; if
// empty, the names are 0, 1, …. InvalidArgument, before anything is written, if
// the lengths of the graph's arrays do not fit, there are not as many names as
// vertices, or a name could not be read back: it is empty, starts with # or %,
// or contains a control character, such as a tab. `num_threads` 0 means all.
absl::Status WriteEdgeList(const CsrGraph& graph,
                           absl::Span<const std::string> ids, WriteText write,
                           int num_threads = 0);

// Sets weights[k] to the weight of the edge of u and neighbors[k] in double.
// Several threads call it at once, each with a `scratch` of its own, which is
// empty at first and then as the last call left it. ExactCosines (graph/cosine)
// is one.
using ExactWeights = absl::FunctionRef<void(
    int32_t u, absl::Span<const int32_t> neighbors,
    std::vector<double>* scratch, absl::Span<double> weights)>;

struct ExactWeightOptions {
  // Least significant digits, from 9 to 17; 17 tell all doubles apart.
  int digits = 9;
  // 0: all cores.
  int num_threads = 0;
};

// The same with the weights of `exact`, correctly rounded to options.digits
// significant digits, or to the least larger number of digits that reads back
// as the float weight of the graph. Exception: if a weight is halfway between
// two floats and 17 digits do not read back, the double next to it is written.
// Larger weights are never written as smaller numbers. With nine digits, a
// weight that is at least a threshold t in (0, 1] of at most nine decimal
// places, up to 10^-15 of it, is written as at least t. A weight below 1 is not
// rounded up to a decimal of at most four places, beyond 10^-13 of it, but has
// more digits: it stays below a threshold t of four places.
// FailedPrecondition, after a part of the text, if a weight as float is not
// that of the graph; InvalidArgument also if the options are out of range.
absl::Status WriteEdgeList(const CsrGraph& graph,
                           absl::Span<const std::string> ids,
                           ExactWeights exact, WriteText write,
                           const ExactWeightOptions& options = {});

namespace internal {

// Writes the finite `weight` as %.9g to `out`, which has room for 32
// characters, and returns the end.
char* FormatWeight(float weight, char* out);

// Writes the finite `weight` as %.*g to `out`, which has room for 32
// characters, and returns the end: with `digits` digits, or with as many more
// as WriteEdgeList says.
char* FormatExactWeight(double weight, int digits, char* out);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_LIST_WRITER_H_
