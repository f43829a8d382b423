// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AllToAll (communicator.h) of strings.

#ifndef WARPCLUST_BASE_COMMUNICATOR_EXCHANGE_STRINGS_H_
#define WARPCLUST_BASE_COMMUNICATOR_EXCHANGE_STRINGS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// Sends out.Of(r) to each rank r, itself included; returns what each rank sent
// to this one. A collective call.
absl::StatusOr<RankLists<std::string>> ExchangeStrings(
    Communicator& ranks, const RankLists<absl::string_view>& out);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_COMMUNICATOR_EXCHANGE_STRINGS_H_
