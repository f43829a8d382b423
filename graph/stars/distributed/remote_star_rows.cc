// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/distributed/remote_star_rows.h"

#include <algorithm>
#include <utility>

#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int kNobody = Communicator::kNobody;

}  // namespace

RemoteStarRows::RemoteStarRows(Communicator& ranks, OwnStarRows own_rows,
                               const std::vector<int32_t>& begins,
                               const std::vector<int32_t>& degrees)
    : ranks_(ranks),
      own_rows_(own_rows),
      begins_(begins),
      degrees_(degrees),
      rows_(degrees.size()) {}

void RemoteStarRows::Fetch(absl::Span<const int32_t> vertices) {
  if (status_.ok()) status_ = FetchRows(vertices);
}

absl::Span<const int32_t> RemoteStarRows::RowOf(int32_t vertex) {
  if (degrees_[vertex] == 0) return {};
  if (rows_[vertex] == nullptr) Fetch({vertex});
  if (rows_[vertex] == nullptr) return {};
  return {rows_[vertex], static_cast<size_t>(degrees_[vertex])};
}

absl::Status RemoteStarRows::FetchRows(absl::Span<const int32_t> vertices) {
  // Ascending, so by owner.
  std::vector<int32_t> missing;
  for (const int32_t v : vertices) {
    if (rows_[v] == nullptr && degrees_[v] > 0) missing.push_back(v);
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  const auto owned_by = [&](int r) {
    const auto begin =
        std::lower_bound(missing.begin(), missing.end(), begins_[r]);
    return absl::MakeConstSpan(missing).subspan(
        begin - missing.begin(),
        std::lower_bound(begin, missing.end(), begins_[r + 1]) - begin);
  };
  // All owners first get to know what is asked of them.
  for (int r = 1; r < ranks_.size(); ++r) {
    if (owned_by(r).empty()) continue;
    RETURN_IF_ERROR(ranks_.SendReceiveAll(owned_by(r), r, kNobody).status());
  }
  for (int r = 0; r < ranks_.size(); ++r) {
    if (owned_by(r).empty()) continue;
    std::vector<int32_t> entries;
    if (r == 0) {
      ASSIGN_OR_RETURN(entries, own_rows_(owned_by(0)));
    } else {
      ASSIGN_OR_RETURN(entries, ranks_.SendReceiveAll<int32_t>({}, kNobody, r));
    }
    chunks_.push_back(std::move(entries));
    const int32_t* row = chunks_.back().data();
    for (const int32_t v : owned_by(r)) {
      rows_[v] = row;
      row += degrees_[v];
    }
  }
  return absl::OkStatus();
}

absl::Status RemoteStarRows::Finish() {
  for (int r = 1; r < ranks_.size(); ++r) {
    RETURN_IF_ERROR(status_);
    status_ = ranks_.SendReceiveAll<int32_t>({}, r, kNobody).status();
  }
  return status_;
}

absl::Status ServeStarRows(Communicator& ranks, OwnStarRows own_rows) {
  while (true) {
    ASSIGN_OR_RETURN(const std::vector<int32_t> vertices,
                     ranks.SendReceiveAll<int32_t>({}, kNobody, 0));
    if (vertices.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::vector<int32_t> entries, own_rows(vertices));
    RETURN_IF_ERROR(
        ranks.SendReceiveAll<int32_t>(entries, 0, kNobody).status());
  }
}

}  // namespace warpclust
