// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The argument checks that all searches share.

#ifndef WARPCLUST_VPTREE_POINTS_SEARCH_ARGUMENTS_H_
#define WARPCLUST_VPTREE_POINTS_SEARCH_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// InvalidArgument, with the array's name, unless it has n elements.
absl::Status CheckLength(absl::string_view what, size_t found, int64_t n);

// InvalidArgument if the key, or the radius, is negative or NaN.
absl::Status CheckRadiusKey(double radius_key);
absl::Status CheckRadius(double radius);

// The same for each of the keys, and unless they ascend.
absl::Status CheckRadiusKeys(absl::Span<const double> radius_keys);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_SEARCH_ARGUMENTS_H_
