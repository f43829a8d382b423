// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The output of the oclustr tool: the forms of graph/cover_io.h, in JSON with
// what a star-shaped cluster has beside its members.
//
// Cost: O(memberships). Thread-safety: functions are pure.

#ifndef WARPCLUST_TOOLS_OCLUSTR_OUTPUT_H_
#define WARPCLUST_TOOLS_OCLUSTR_OUTPUT_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/oclustr/oclustr.h"

namespace warpclust {

// As WriteCoverTsv.
absl::Status WriteOClustRTsv(const OClustRResult& result,
                             absl::Span<const std::string> ids,
                             absl::FunctionRef<void(absl::string_view)> write);

// As WriteCoverJson, with for every cluster
//   "center":"a","satellites":["b","c"],"linked":["d"]
// which together are its members.
absl::Status WriteOClustRJson(const OClustRResult& result,
                              absl::Span<const std::string> ids,
                              absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_OCLUSTR_OUTPUT_H_
