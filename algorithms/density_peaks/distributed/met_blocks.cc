// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/met_blocks.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "vptree/brute_force/block_pairs.h"

namespace warpclust {
namespace {

// Coordinates of a piece of an exchange.
constexpr int64_t kPiece = int64_t{1} << 21;

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
  int32_t num_others = 0;
  RETURN_IF_ERROR(ranks_.SendReceiveValues(
      absl::MakeConstSpan(&meeting.num_sent, 1), meeting.to,
      absl::MakeSpan(&num_others, 1), meeting.from));
  if (!are_floats_.has_value()) {
    are_floats_ = AreFloats(points_.values, num_threads_);
  }
  const uint8_t mine_are_floats = *are_floats_ ? 1 : 0;
  uint8_t others_are_floats = 0;
  RETURN_IF_ERROR(ranks_.SendReceiveValues(
      absl::MakeConstSpan(&mine_are_floats, 1), meeting.to,
      absl::MakeSpan(&others_are_floats, 1), meeting.from));
  const int64_t d = points_.num_dimensions;
  const int64_t num_sent = meeting.num_sent * d;
  const int64_t num_received = num_others * d;
  PackedPoints result;
  result.num_points = num_others;
  PieceToSend to_send(absl::MakeConstSpan(points_.values).subspan(0, num_sent),
                      mine_are_floats != 0, num_threads_);
  // Both sides see the same messages: a side that is through sends or receives
  // none.
  for (int64_t first = 0; first < std::max(num_sent, num_received);
       first += kPiece) {
    RETURN_IF_ERROR(ranks_.SendReceive(
        to_send.Get(first),
        first < num_sent ? meeting.to : Communicator::kNobody,
        others_are_floats != 0
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
    Stopwatch stopwatch;
    *ahead_ = Exchange(MakeMeeting(ranks_, points_.num_points, 1));
    stopwatch.Lap("exchange of blocks ahead");
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
  Stopwatch stopwatch;
  absl::StatusOr<PackedPoints> others;
  if (ahead_.has_value() && meeting.step == 1) {
    others = *std::move(ahead_);
    ahead_.reset();
  } else {
    others = Exchange(meeting);
  }
  RETURN_IF_ERROR(others.status());
  others_ = *std::move(others);
  step_ = meeting.step;
  stopwatch.Lap("exchange of blocks");
  absl::StatusOr<std::unique_ptr<BlockSearch>> search =
      index.Meet(meeting.begin, others_.rows(), !meeting.mine_are_first);
  if (!absl::IsResourceExhausted(search.status())) {
    RETURN_IF_ERROR(search.status());
    search_ = *std::move(search);
  }
  if (search_ == nullptr) {
    search_ = MeetOnCpu(points_, meeting.begin, others_.rows(),
                        !meeting.mine_are_first, norm_, num_threads_);
  }
  if (!search_->reads_rows()) FreeOthers();
  stopwatch.Lap("search of both blocks");
  return search_.get();
}

void MetBlocks::Drop() {
  evaluations_ = distance_evaluations();
  search_ = nullptr;
  FreeOthers();
}

void MetBlocks::FreeOthers() {
  FreeVector(&others_.floats);
  FreeVector(&others_.doubles);
}

int64_t MetBlocks::distance_evaluations() const {
  return evaluations_ +
         (search_ == nullptr ? 0 : search_->distance_evaluations());
}

}  // namespace warpclust
