// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ComputeInOrder: computes some items at the same time and takes them one after
// the other. For items whose parallel loops leave threads idle in between: what
// one thread computes for an item is hidden by the other items.
//
//   RETURN_IF_ERROR(ComputeInOrder(
//       num_items, /*num_workers=*/4,
//       [&](int worker, int item) { return Compute(item, &results[item]); },
//       [&](int item) { return Write(results[item]); }));

#ifndef WARPCLUST_BASE_MACHINE_COMPUTE_IN_ORDER_H_
#define WARPCLUST_BASE_MACHINE_COMPUTE_IN_ORDER_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace warpclust {

// Calls compute(worker, item) for each item, in order, by whichever of the
// workers is free. Each worker is a thread, whose parallel loops have threads
// of their own; a single worker is the calling thread. Calls take(item) in
// order, on the calling thread. At most 2 * `num_workers` items are begun and
// not yet taken. `num_workers` is positive.
//
// Returns the first error in the order of items. No item is taken after it.
absl::Status ComputeInOrder(
    int num_items, int num_workers,
    absl::FunctionRef<absl::Status(int worker, int item)> compute,
    absl::FunctionRef<absl::Status(int item)> take);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_COMPUTE_IN_ORDER_H_
