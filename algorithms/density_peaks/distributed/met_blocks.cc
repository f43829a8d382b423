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

// Coordinates of a piece of an exchange, which has whole rows.
constexpr int64_t kPiece = int64_t{1} << 21;

template <typename T>
absl::Span<const char> AsBytes(const T* values, int64_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

// Rows as they travel: as bytes if there is a grid, as floats, or as they are.
class RowsToSend {
 public:
  RowsToSend(const PointMatrix& points, const ByteGrid* grid, bool as_floats,
             int num_threads)
      : points_(points),
        grid_(grid),
        as_floats_(as_floats),
        num_threads_(num_threads) {}

  // Valid until the next call.
  absl::Span<const char> Get(int32_t first, int32_t num_rows) {
    const int64_t d = points_.num_dimensions;
    const double* const values = points_.values.data() + first * d;
    if (grid_ != nullptr) {
      const int64_t row_bytes = grid_->row_bytes();
      bytes_.resize(num_rows * row_bytes);
#pragma omp parallel for num_threads(num_threads_) schedule(static)
      for (int32_t i = 0; i < num_rows; ++i) {
        grid_->ToBytes(values + i * d, bytes_.data() + i * row_bytes);
      }
      return AsBytes(bytes_.data(), num_rows * row_bytes);
    }
    const int64_t count = num_rows * d;
    if (!as_floats_) return AsBytes(values, count);
    floats_.resize(count);
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int64_t i = 0; i < count; ++i) {
      floats_[i] = static_cast<float>(values[i]);
    }
    return AsBytes(floats_.data(), count);
  }

 private:
  const PointMatrix& points_;
  const ByteGrid* const grid_;
  const bool as_floats_;
  const int num_threads_;
  std::vector<float> floats_;
  std::vector<uint8_t> bytes_;
};

// Makes room for num_rows rows of `length` values from row `first` on, of
// `size` in all.
template <typename Vector>
absl::Span<char> RoomFor(int32_t first, int32_t num_rows, int32_t size,
                         int64_t length, Vector* values) {
  values->reserve(size * length);
  values->resize((int64_t{first} + num_rows) * length);
  return {reinterpret_cast<char*>(values->data() + first * length),
          num_rows * length * sizeof((*values)[0])};
}

}  // namespace

absl::StatusOr<PackedPoints> MetBlocks::Exchange(const BlockMeeting& meeting) {
  PackedPoints result;
  RETURN_IF_ERROR(ranks_.SendReceiveValues(
      absl::MakeConstSpan(&meeting.num_sent, 1), meeting.to,
      absl::MakeSpan(&result.num_points, 1), meeting.from));
  FindKind();
  const uint8_t mine_are_floats = are_floats_ ? 1 : 0;
  uint8_t others_are_floats = 0;
  RETURN_IF_ERROR(ranks_.SendReceiveValues(
      absl::MakeConstSpan(&mine_are_floats, 1), meeting.to,
      absl::MakeSpan(&others_are_floats, 1), meeting.from));
  const std::vector<double> grid =
      grid_.has_value() ? grid_->Parts() : std::vector<double>();
  ASSIGN_OR_RETURN(const std::vector<double> others_grid,
                   ranks_.SendReceiveAll(absl::MakeConstSpan(grid), meeting.to,
                                         meeting.from));
  if (!others_grid.empty()) result.grid = ByteGrid::FromParts(others_grid);

  const int32_t d = points_.num_dimensions;
  const auto piece = static_cast<int32_t>(std::max<int64_t>(1, kPiece / d));
  RowsToSend to_send(points_, grid_.has_value() ? &*grid_ : nullptr,
                     are_floats_, num_threads_);
  const auto room = [&](int32_t first, int32_t count) -> absl::Span<char> {
    const int32_t size = result.num_points;
    if (result.grid.has_value()) {
      return RoomFor(first, count, size, result.grid->row_bytes(),
                     &result.bytes);
    }
    return others_are_floats != 0
               ? RoomFor(first, count, size, d, &result.floats)
               : RoomFor(first, count, size, d, &result.doubles);
  };
  // Both sides see the same messages: a side that is through sends or receives
  // none.
  const int64_t most = std::max(meeting.num_sent, result.num_points);
  for (int64_t begin = 0; begin < most; begin += piece) {
    const auto first = static_cast<int32_t>(begin);
    const int32_t num_sent = std::clamp(meeting.num_sent - first, 0, piece);
    const int32_t num_others = std::clamp(result.num_points - first, 0, piece);
    RETURN_IF_ERROR(ranks_.SendReceive(
        num_sent > 0 ? to_send.Get(first, num_sent) : absl::Span<const char>(),
        num_sent > 0 ? meeting.to : Communicator::kNobody,
        num_others > 0 ? room(first, num_others) : absl::Span<char>(),
        num_others > 0 ? meeting.from : Communicator::kNobody));
  }
  return result;
}

void MetBlocks::FindKind() {
  if (std::exchange(knows_kind_, true)) return;
  if (may_send_bytes_) {
    grid_ = ByteGrid::Find(
        points_.num_points, points_.num_dimensions,
        [this](int32_t point, double*) { return points_.Row(point); },
        num_threads_);
  }
  are_floats_ = !grid_.has_value() && AreFloats(points_.values, num_threads_);
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
  FreeVector(&others_.bytes);
}

int64_t MetBlocks::distance_evaluations() const {
  return evaluations_ +
         (search_ == nullptr ? 0 : search_->distance_evaluations());
}

}  // namespace warpclust
