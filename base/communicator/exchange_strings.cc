// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/communicator/exchange_strings.h"

#include <cstdint>
#include <utility>

#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<RankLists<std::string>> ExchangeStrings(
    Communicator& ranks, const RankLists<absl::string_view>& out) {
  RankLists<int64_t> lengths;
  RankLists<char> bytes;
  for (int r = 0; r < out.size(); ++r) {
    for (const absl::string_view text : out.Of(r)) {
      lengths.values.push_back(static_cast<int64_t>(text.size()));
      bytes.values.insert(bytes.values.end(), text.begin(), text.end());
    }
    lengths.Append({});
    bytes.Append({});
  }
  ASSIGN_OR_RETURN(lengths, ranks.AllToAll(lengths));
  ASSIGN_OR_RETURN(bytes, ranks.AllToAll(bytes));
  RankLists<std::string> in;
  in.offsets = std::move(lengths.offsets);
  const char* next = bytes.values.data();
  for (const int64_t length : lengths.values) {
    in.values.emplace_back(next, length);
    next += length;
  }
  return in;
}

}  // namespace warpclust
