// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StarRows: how the stages of star clustering read the rows of a graph,
// wherever it is: in a CsrGraph, gathered from a GPU, on disk.

#ifndef WARPCLUST_GRAPH_STARS_STAR_ROWS_H_
#define WARPCLUST_GRAPH_STARS_STAR_ROWS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

namespace warpclust {

// The neighbors of a vertex, ascending. Each function that takes StarRows says
// from how many threads it calls it, and how long a row must be valid.
using StarRows = absl::FunctionRef<absl::Span<const int32_t>(int32_t vertex)>;

// Called with vertices whose rows are asked for next, so that a reader for
// which each read is expensive can fetch them together. A vertex may be named
// again, and its row may turn out not to be needed.
using StarRowsNotice =
    absl::FunctionRef<void(absl::Span<const int32_t> vertices)>;

// For readers that need no notice.
inline void IgnoreNotice(absl::Span<const int32_t>) {}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_STAR_ROWS_H_
