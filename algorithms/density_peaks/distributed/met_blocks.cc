// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/met_blocks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Coordinates of a piece of an exchange.
constexpr int64_t kPiece = int64_t{1} << 21;

struct RowsHeader {
  int64_t num_points;
  int64_t are_floats;
};

template <typename T>
absl::Span<const char> AsBytes(absl::Span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(T)};
}

// The piece of rows from coordinate `first` on, as bytes.
class PieceToSend {
 public:
  PieceToSend(absl::Span<const double> values, bool as_floats, int num_threads)
      : values_(values), as_floats_(as_floats), num_threads_(num_threads) {}

  absl::Span<const char> Get(int64_t first) {
    const auto size = static_cast<int64_t>(values_.size());
    const absl::Span<const double> piece =
        values_.subspan(std::min(first, size), kPiece);
    if (!as_floats_) return AsBytes(piece);
    const auto count = static_cast<int64_t>(piece.size());
    floats_.resize(count);
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int64_t i = 0; i < count; ++i) {
      floats_[i] = static_cast<float>(piece[i]);
    }
    return AsBytes(absl::MakeConstSpan(floats_));
  }

 private:
  const absl::Span<const double> values_;
  const bool as_floats_;
  const int num_threads_;
  std::vector<float> floats_;
};

// Makes room for the piece from coordinate `first` on, of `size` in all.
template <typename T>
absl::Span<char> PieceToReceive(int64_t first, int64_t size,
                                std::vector<T>* values) {
  if (first >= size) return {};
  values->reserve(size);
  values->resize(std::min(size, first + kPiece));
  return {reinterpret_cast<char*>(values->data() + first),
          (values->size() - first) * sizeof(T)};
}

}  // namespace

absl::StatusOr<PackedPoints> MetBlocks::Exchange(const BlockMeeting& meeting) {
  if (!are_floats_.has_value()) {
    are_floats_ = AreFloats(points_.values, num_threads_);
  }
  const RowsHeader mine = {meeting.num_sent, *are_floats_ ? 1 : 0};
  RowsHeader others = {};
  RETURN_IF_ERROR(ranks_.SendReceive(
      AsBytes(absl::MakeConstSpan(&mine, 1)), meeting.to,
      absl::MakeSpan(reinterpret_cast<char*>(&others), sizeof(others)),
      meeting.from));
  const int64_t d = points_.num_dimensions;
  const int64_t num_sent = mine.num_points * d;
  const int64_t num_received = others.num_points * d;
  PieceToSend to_send(absl::MakeConstSpan(points_.values).subspan(0, num_sent),
                      *are_floats_, num_threads_);
  PackedPoints result;
  result.num_points = static_cast<int32_t>(others.num_points);
  // Both sides see the same messages: a side that is through sends or receives
  // none.
  for (int64_t first = 0; first < std::max(num_sent, num_received);
       first += kPiece) {
    RETURN_IF_ERROR(ranks_.SendReceive(
        to_send.Get(first),
        first < num_sent ? meeting.to : Communicator::kNobody,
        others.are_floats != 0
            ? PieceToReceive(first, num_received, &result.floats)
            : PieceToReceive(first, num_received, &result.doubles),
        first < num_received ? meeting.from : Communicator::kNobody));
  }
  return result;
}

MetBlocks::~MetBlocks() {
  if (exchange_.joinable()) exchange_.join();
}

void MetBlocks::Start() {
  if (ahead_.has_value() || NumMeetings(ranks_) == 0) return;
  ahead_.emplace(PackedPoints());
  exchange_ = std::thread([this] {
    *ahead_ = Exchange(MakeMeeting(ranks_, points_.num_points, 1));
  });
}

absl::Status MetBlocks::Finish() {
  if (exchange_.joinable()) exchange_.join();
  return ahead_.has_value() ? ahead_->status() : absl::OkStatus();
}

absl::StatusOr<const BlockSearch*> MetBlocks::Search(
    const NeighborIndex& index, const BlockMeeting& meeting) {
  if (search_ != nullptr && step_ == meeting.step) return search_.get();
  Drop();
  absl::StatusOr<PackedPoints> others;
  if (ahead_.has_value() && meeting.step == 1) {
    others = *std::move(ahead_);
    ahead_.reset();
  } else {
    others = Exchange(meeting);
  }
  RETURN_IF_ERROR(others.status());
  absl::StatusOr<std::unique_ptr<BlockSearch>> search =
      index.Meet(meeting.begin, others->rows(), !meeting.mine_are_first);
  if (!absl::IsResourceExhausted(search.status())) {
    RETURN_IF_ERROR(search.status());
    search_ = *std::move(search);
  }
  if (search_ == nullptr) search_ = Join(meeting, others->rows());
  step_ = meeting.step;
  return search_.get();
}

void MetBlocks::Drop() {
  evaluations_ = distance_evaluations();
  search_ = nullptr;
}

absl::StatusOr<std::unique_ptr<BlockPairs>> MetBlocks::SearchOnCpu(
    const BlockMeeting& meeting) {
  ASSIGN_OR_RETURN(const PackedPoints others, Exchange(meeting));
  return Join(meeting, others.rows());
}

std::unique_ptr<BlockPairs> MetBlocks::Join(const BlockMeeting& meeting,
                                            const PackedRows& others) const {
  const int64_t d = points_.num_dimensions;
  const absl::Span<const double> mine =
      absl::MakeConstSpan(points_.values).subspan(meeting.begin * d);
  PointMatrix both;
  both.num_points = meeting.num_rows();
  both.num_dimensions = points_.num_dimensions;
  both.values.reserve(both.num_points * d);
  if (!meeting.mine_are_first) AppendUnpacked(others, &both.values);
  both.values.insert(both.values.end(), mine.begin(), mine.end());
  if (meeting.mine_are_first) AppendUnpacked(others, &both.values);
  return std::make_unique<BlockPairs>(std::move(both), meeting.first_part(),
                                      norm_, num_threads_);
}

int64_t MetBlocks::distance_evaluations() const {
  return evaluations_ +
         (search_ == nullptr ? 0 : search_->distance_evaluations());
}

}  // namespace warpclust
