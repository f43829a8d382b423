// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages of words between two ranks, whose lengths the receiver does not
// know.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_WORDS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"

namespace warpclust {

using Words = std::vector<int64_t>;

inline absl::Status SendWords(absl::Span<const int64_t> words, int to,
                              Communicator& ranks) {
  return ranks.SendReceiveAll(words, to, Communicator::kNobody).status();
}

inline absl::StatusOr<Words> ReceiveWords(int from, Communicator& ranks) {
  return ranks.SendReceiveAll(absl::Span<const int64_t>(),
                              Communicator::kNobody, from);
}

// Appends a list with its length.
template <typename Number>
void AppendList(const std::vector<Number>& list, Words* words) {
  words->push_back(static_cast<int64_t>(list.size()));
  words->insert(words->end(), list.begin(), list.end());
}

// The list that begins at *at, which moves behind it.
inline absl::Span<const int64_t> ReadList(absl::Span<const int64_t> words,
                                          size_t* at) {
  const absl::Span<const int64_t> list = words.subspan(*at + 1, words[*at]);
  *at += 1 + list.size();
  return list;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_WORDS_H_
