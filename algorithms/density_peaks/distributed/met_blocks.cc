// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/met_blocks.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/lent_memory.h"

namespace warpclust {
namespace {

// Coordinates of a piece of an exchange.
constexpr int64_t kPiece = int64_t{1} << 21;

struct RowsHeader {
  int64_t num_points = 0;
  int64_t are_floats = 0;
  LentMemory lent;
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

absl::StatusOr<PackedPoints> MetBlocks::Exchange(const BlockMeeting& meeting,
                                                 const NeighborIndex* index) {
  const std::shared_ptr<const LentMemory> lent =
      index == nullptr ? nullptr : index->Lend(meeting.num_sent);
  if (lent == nullptr && !are_floats_.has_value()) {
    are_floats_ = AreFloats(points_.values, num_threads_);
  }
  RowsHeader mine = {meeting.num_sent, are_floats_.value_or(false) ? 1 : 0, {}};
  if (lent != nullptr) mine.lent = *lent;
  RowsHeader others;
  RETURN_IF_ERROR(
      ranks_.SendReceiveValues(absl::MakeConstSpan(&mine, 1), meeting.to,
                               absl::MakeSpan(&others, 1), meeting.from));
  PackedPoints result;
  result.num_points = static_cast<int32_t>(others.num_points);
  uint8_t is_borrowed = 0;
  if (index != nullptr && others.lent.is_lent()) {
    absl::StatusOr<std::unique_ptr<BlockSearch>> search = index->MeetLent(
        meeting.begin, others.lent, result.num_points, !meeting.mine_are_first);
    if (search.ok()) search_ = *std::move(search);
    is_borrowed = search_ == nullptr ? 0 : 1;
  }
  // Until then, what is lent stays.
  uint8_t mine_are_borrowed = 0;
  RETURN_IF_ERROR(ranks_.SendReceiveValues(
      absl::MakeConstSpan(&is_borrowed, 1), meeting.from,
      absl::MakeSpan(&mine_are_borrowed, 1), meeting.to));
  const int64_t d = points_.num_dimensions;
  const int64_t num_sent = mine_are_borrowed != 0 ? 0 : mine.num_points * d;
  const int64_t num_received = is_borrowed != 0 ? 0 : others.num_points * d;
  PieceToSend to_send(absl::MakeConstSpan(points_.values).subspan(0, num_sent),
                      mine.are_floats != 0, num_threads_);
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

absl::Status MetBlocks::ExpectLoans(bool has_gpu) {
  const HostMark mark = has_gpu ? MarkOfHost() : HostMark();
  ASSIGN_OR_RETURN(const RankLists<HostMark> all,
                   ranks_.AllGather(absl::MakeConstSpan(&mark, 1)));
  expects_loans_ =
      mark != HostMark() &&
      std::all_of(all.values.begin(), all.values.end(),
                  [&](const HostMark& other) { return other == mark; });
  return absl::OkStatus();
}

void MetBlocks::Start() {
  if (expects_loans_ || ahead_.has_value() || NumMeetings(ranks_) == 0) return;
  ahead_.emplace(PackedPoints());
  exchange_ = std::thread([this] {
    *ahead_ = Exchange(MakeMeeting(ranks_, points_.num_points, 1), nullptr);
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
    others = Exchange(meeting, expects_loans_ ? &index : nullptr);
  }
  RETURN_IF_ERROR(others.status());
  step_ = meeting.step;
  stopwatch.Lap("exchange of blocks");
  if (search_ != nullptr) return search_.get();
  absl::StatusOr<std::unique_ptr<BlockSearch>> search =
      index.Meet(meeting.begin, others->rows(), !meeting.mine_are_first);
  if (!absl::IsResourceExhausted(search.status())) {
    RETURN_IF_ERROR(search.status());
    search_ = *std::move(search);
  }
  if (search_ == nullptr) search_ = Join(meeting, others->rows());
  return search_.get();
}

void MetBlocks::Drop() {
  evaluations_ = distance_evaluations();
  search_ = nullptr;
}

absl::StatusOr<std::unique_ptr<BlockPairs>> MetBlocks::SearchOnCpu(
    const BlockMeeting& meeting) {
  ASSIGN_OR_RETURN(const PackedPoints others, Exchange(meeting, nullptr));
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
