// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StarRows: the rows of a graph as the stages of star clustering ask for them,
// wherever they are kept: in a CsrGraph, gathered from a GPU, read from disk.

#ifndef WARPCLUST_GRAPH_STARS_STAR_ROWS_H_
#define WARPCLUST_GRAPH_STARS_STAR_ROWS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

namespace warpclust {

// The neighbors of a vertex, ascending. Functions that take this say from how
// many threads they call it and how long a row must stay.
using StarRows = absl::FunctionRef<absl::Span<const int32_t>(int32_t vertex)>;

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_STAR_ROWS_H_
