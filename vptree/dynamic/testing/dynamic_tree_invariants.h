// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CheckInvariants: whether the arrays of a DynamicTree agree with each other.

#ifndef WARPCLUST_VPTREE_DYNAMIC_TESTING_DYNAMIC_TREE_INVARIANTS_H_
#define WARPCLUST_VPTREE_DYNAMIC_TESTING_DYNAMIC_TREE_INVARIANTS_H_

#include "absl/status/status.h"
#include "vptree/dynamic/dynamic_tree.h"

namespace warpclust {

// Internal, with what is wrong and where, if they do not.
absl::Status CheckInvariants(const DynamicTree& tree);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_DYNAMIC_TESTING_DYNAMIC_TREE_INVARIANTS_H_
