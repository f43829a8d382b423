// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/rank_text.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// A rank sends its text once it has this much.
constexpr size_t kPieceBytes = 4 << 20;

}  // namespace

void RankText::Add(absl::string_view text) {
  if (in_parts_ || ranks_.rank() == 0) {
    output_.Write(text);
    return;
  }
  unsent_.append(text.data(), text.size());
  if (unsent_.size() >= kPieceBytes) Send();
}

void RankText::Send() {
  constexpr int kNobody = Communicator::kNobody;
  const auto size = static_cast<int64_t>(unsent_.size());
  if (status_.ok()) {
    status_ = ranks_.SendReceiveValues(absl::MakeConstSpan(&size, 1), 0,
                                       absl::Span<int64_t>(), kNobody);
  }
  if (status_.ok()) {
    status_ = ranks_.SendReceive(unsent_, 0, absl::Span<char>(), kNobody);
  }
  unsent_.clear();
}

absl::Status RankText::WriteTextOf(int rank) {
  constexpr int kNobody = Communicator::kNobody;
  // Used again: fresh memory costs more than what is received there.
  std::vector<char> text;
  do {
    int64_t size = 0;
    RETURN_IF_ERROR(ranks_.SendReceiveValues(
        absl::Span<const int64_t>(), kNobody, absl::MakeSpan(&size, 1), rank));
    text.resize(size);
    RETURN_IF_ERROR(
        ranks_.SendReceive({}, kNobody, absl::MakeSpan(text), rank));
    output_.Write(absl::string_view(text.data(), text.size()));
  } while (!text.empty());
  return absl::OkStatus();
}

absl::Status RankText::End() {
  if (in_parts_) return absl::OkStatus();
  if (ranks_.rank() > 0) {
    if (!unsent_.empty()) Send();
    Send();  // An empty piece is the last.
    return status_;
  }
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    RETURN_IF_ERROR(WriteTextOf(rank));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
