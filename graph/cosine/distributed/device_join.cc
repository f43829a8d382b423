// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/device_join.h"

#include <algorithm>
#include <cstddef>
#include <future>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/distributed/cuda/device_rows_cuda.h"
#include "graph/csr/device_graph.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_exchange.h"

namespace warpclust {
namespace {

// Of the free memory, a piece may be this part: it is there up to three times,
// and once more as documents, whose arrays may have to grow by copying them.
constexpr int64_t kPieceOfMemory = 16;

// Larger blocks travel in parts, which wait for kernels of the join.
constexpr int64_t kLargestWindow = int64_t{2} << 30;
// However little memory is free.
constexpr int64_t kLeastWindow = int64_t{1} << 20;

// The most ranks for whose edges host memory is prepared.
constexpr int kMostPreparedFor = 4;
// A wrong guess costs at most kMostSpare more entries than own ones.
constexpr int64_t kMostSpare = int64_t{1} << 28;  // entries: 2 GiB

// Bytes of a piece for which all GPUs have room now. A collective call.
absl::StatusOr<int64_t> BytesOfPiece(Communicator& ranks) {
  ASSIGN_OR_RETURN(const int64_t free, DeviceMemoryFreeBytes());
  return ranks.AllReduce(Reduction::kMin, free / kPieceOfMemory);
}

// OK, or the error of a rank that has too little memory, on all ranks. Another
// error is of this rank alone, which ends the job.
absl::Status AgreeOnMemory(Communicator& ranks, const absl::Status& status) {
  if (!status.ok() && !absl::IsResourceExhausted(status)) return status;
  return ranks.Agree(status);
}

// Waits for the default stream.
class Fence {
 public:
  absl::Status Wait() {
    if (buffer_.empty()) {
      RETURN_IF_ERROR(AllocateInto(1, buffer_));
      RETURN_IF_ERROR(buffer_.FillBytes(0));
    }
    char byte;
    return buffer_.CopyToHost(absl::MakeSpan(&byte, 1));
  }

 private:
  DeviceBuffer<char> buffer_;
};

// The work of one rank.
class Work final : public ExchangeWork {
 public:
  Work(Communicator& ranks, DeviceExchange& exchange, CosineDeviceBlock& block,
       const std::vector<int32_t>& begins, bool leaves_on_gpu, int num_threads)
      : ranks_(ranks),
        exchange_(exchange),
        block_(block),
        begins_(begins),
        leaves_on_gpu_(leaves_on_gpu),
        num_threads_(num_threads),
        parts_(ranks.size()) {}

  // For all pieces: none is allocated while another travels.
  absl::Status MakeRoom(const std::vector<ExchangeStep>& steps) {
    int64_t most_out = 0, most_in = 0;
    int32_t most_rows = 0;
    size_t num_in = 0;
    for (const ExchangeStep& step : steps) {
      for (const Piece& p : step.sent) {
        most_out = std::max(most_out, p.num_words);
      }
      for (const Piece& p : step.received) {
        most_in = std::max(most_in, p.num_words);
        most_rows = std::max(most_rows, p.num_rows);
      }
      num_in += step.received.size();
    }
    outbox_ = static_cast<uint32_t*>(
        exchange_.Outbox(most_out * int64_t{sizeof(uint32_t)}));
    if (outbox_ == nullptr) {
      RETURN_IF_ERROR(AllocateInto(most_out, out_));
      outbox_ = out_.data();
    }
    RETURN_IF_ERROR(block_.Reserve(most_rows));
    // With more pieces, one is joined there while the next one comes.
    inbox_ = num_in > 1 ? nullptr : block_.RoomForWords(most_rows);
    if (inbox_ == nullptr) {
      RETURN_IF_ERROR(AllocateInto(most_in, in_));
      inbox_ = in_.data();
    }
    if (num_in > 1) RETURN_IF_ERROR(AllocateInto(most_in, received_));
    came_ = received_.data();
    return fence_.Wait();
  }

  absl::Status Prepare(const PieceExchange& next) override {
    if (next.sent == nullptr) return absl::OkStatus();
    const int32_t begin = next.sent->begin;
    RETURN_IF_ERROR(block_.Pack(begin, begin + next.sent->num_rows, outbox_));
    return fence_.Wait();
  }
  absl::Status Exchange(const PieceExchange& next) override {
    if (!is_open_) {
      // The small copies to the host before would wait for this long one.
      own_launched_.get_future().wait();
      RETURN_IF_ERROR(exchange_.Open());
    }
    is_open_ = true;
    return exchange_.SendReceive(
        outbox_, next.sent == nullptr ? 0 : next.sent->num_words, next.to(),
        inbox_, next.received == nullptr ? 0 : next.received->num_words,
        next.from());
  }
  void Receive(const PieceExchange& exchange) override {
    if (exchange.received != nullptr) std::swap(inbox_, came_);
  }

  absl::Status JoinOwn() override {
    DeviceRowPart part;
    part.shift = first_vertex();
    bool is_launched = false;
    const auto launched = [&] {
      if (!is_launched) own_launched_.set_value();
      is_launched = true;
    };
    const absl::Status status = block_.GraphOnDevice(&part.rows, launched);
    launched();
    if (status.ok() && !leaves_on_gpu_) PrepareRows(part.rows.num_entries);
    return Keep(status, std::move(part), &parts_[ranks_.rank()]);
  }

  absl::Status Join(const PieceExchange& exchange) override {
    if (exchange.received == nullptr) return absl::OkStatus();
    const Piece& piece = *exchange.received;
    const int from = exchange.step->from;
    const int32_t own_begin = piece.own_begin;
    DeviceRowPart own, mirrored;
    own.first_row = own_begin;
    own.shift = begins_[from] + piece.begin - num_own();
    mirrored.first_row = piece.begin;
    const absl::Status status =
        JoinPiece(piece, own_begin, &own.rows, &mirrored.rows);
    RETURN_IF_ERROR(Keep(status, std::move(own), &parts_[from]));
    return Keep(status, std::move(mirrored), &mirrored_);
  }

  // Edges go back to the rank that the pieces came from.
  absl::Status Finish(const ExchangeStep& step) override {
    std::vector<int64_t> counts;
    for (const DeviceRowPart& part : mirrored_) {
      counts.push_back(part.rows.num_entries);
    }
    counts.resize(step.received.size());
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(
        const std::vector<int64_t> returning,
        ranks_.SendReceiveAll<int64_t>(counts, step.from, step.to));
    stopwatch.Lap("wait for joins");
    std::vector<DeviceRowPart> returned(step.sent.size());
    for (size_t k = 0; memory_.ok() && k < returned.size(); ++k) {
      memory_ = MakeRoomFor(step.sent[k], returning[k], begins_[step.to],
                            &returned[k]);
    }
    if (memory_.ok()) memory_ = fence_.Wait();
    RETURN_IF_ERROR(AgreeOnMemory(ranks_, memory_));
    stopwatch.Lap("room for edges");
    for (size_t k = 0; k < std::max(returned.size(), mirrored_.size()); ++k) {
      RETURN_IF_ERROR(SwapRows(
          k < mirrored_.size() ? &mirrored_[k].rows : nullptr, step.from,
          k < returned.size() ? &returned[k].rows : nullptr, step.to));
    }
    mirrored_.clear();
    // After the own parts: their neighbors come later in the block.
    for (DeviceRowPart& part : returned) {
      parts_[step.to].push_back(std::move(part));
    }
    return absl::OkStatus();
  }

  // Sets the rows of the share: by rank of the neighbors, then in their order.
  absl::Status TakeRowsOfAll(GraphShare* share) {
    for (DeviceBuffer<uint32_t>* const words : {&out_, &in_, &received_}) {
      *words = DeviceBuffer<uint32_t>();
    }
    std::vector<DeviceRowPart> all;
    for (std::vector<DeviceRowPart>& parts : parts_) {
      for (DeviceRowPart& part : parts) all.push_back(std::move(part));
    }
    parts_.clear();
    if (rows_prepared_.valid()) rows_prepared_.wait();
    absl::StatusOr<DeviceGraph> rows =
        ConcatenateRows(std::move(all), num_own());
    RETURN_IF_ERROR(AgreeOnMemory(ranks_, rows.status()));
    if (leaves_on_gpu_) {
      RETURN_IF_ERROR(fence_.Wait());
      share->on_gpu = std::make_shared<const DeviceGraph>(*std::move(rows));
      return absl::OkStatus();
    }
    RETURN_IF_ERROR(DownloadRows(*rows, num_threads_, &rows_));
    share->rows = std::move(rows_);
    return absl::OkStatus();
  }

 private:
  int32_t first_vertex() const { return begins_[ranks_.rank()]; }
  int32_t num_own() const {
    return begins_[ranks_.rank() + 1] - first_vertex();
  }

  // Fresh memory of the host costs more than what is copied there, so it is
  // touched while the GPU works: a little more than the rows take if each rank
  // has as many edges to others as in its block.
  void PrepareRows(int64_t own_entries) {
    const int64_t num_entries = std::min(
        own_entries * std::min(ranks_.size(), kMostPreparedFor) * 17 / 16,
        own_entries + kMostSpare);
    rows_prepared_ = std::async(std::launch::async, [this, num_entries] {
      ResizeVector(num_entries, num_threads_, &rows_.neighbors);
      ResizeVector(num_entries, num_threads_, &rows_.weights);
    });
  }

  // Adds a part to `parts` unless `status` is an error. One of memory is kept
  // until the end of the step, since other ranks do not know of it.
  absl::Status Keep(const absl::Status& status, DeviceRowPart part,
                    std::vector<DeviceRowPart>* parts) {
    if (status.ok()) {
      parts->push_back(std::move(part));
      return absl::OkStatus();
    }
    if (memory_.ok()) memory_ = status;
    return absl::IsResourceExhausted(status) ? absl::OkStatus() : status;
  }

  absl::Status JoinPiece(const Piece& piece, int32_t own_begin,
                         DeviceGraph* own, DeviceGraph* mirrored) {
    RETURN_IF_ERROR(memory_);
    Stopwatch stopwatch;
    DeviceGraph joined;
    const int32_t end = num_own() + piece.num_rows;
    if (own_begin < num_own()) {
      RETURN_IF_ERROR(block_.JoinPacked(came_, piece.num_words, piece.num_rows,
                                        own_begin, &joined));
    } else {
      RETURN_IF_ERROR(AllocateInto(int64_t{end} + 1, joined.offsets));
      RETURN_IF_ERROR(joined.offsets.FillBytes(0));
    }
    stopwatch.Lap("join piece");
    ASSIGN_OR_RETURN(*own,
                     TakeRows(joined, own_begin, num_own(), num_own(), end));
    ASSIGN_OR_RETURN(*mirrored,
                     TakeRows(joined, num_own(), end, own_begin, num_own()));
    return absl::OkStatus();
  }

  static absl::Status MakeRoomFor(const Piece& sent, int64_t num_entries,
                                  int32_t shift, DeviceRowPart* part) {
    part->first_row = sent.begin;
    part->shift = shift;
    part->rows.num_vertices = sent.num_rows;
    part->rows.num_entries = num_entries;
    RETURN_IF_ERROR(
        AllocateInto(int64_t{sent.num_rows} + 1, part->rows.offsets));
    RETURN_IF_ERROR(AllocateInto(num_entries, part->rows.neighbors));
    return AllocateInto(num_entries, part->rows.weights);
  }

  // Null: none.
  absl::Status SwapRows(const DeviceGraph* out, int to, DeviceGraph* in,
                        int from) {
    static const DeviceGraph& none = *new DeviceGraph;
    DeviceGraph nothing;
    if (out == nullptr) {
      out = &none;
      to = Communicator::kNobody;
    }
    if (in == nullptr) {
      in = &nothing;
      from = Communicator::kNobody;
    }
    const auto swap = [&](const auto& mine, auto* theirs) {
      return exchange_.SendReceive(mine, mine.size(), to, theirs,
                                   theirs->size(), from);
    };
    RETURN_IF_ERROR(swap(out->offsets, &in->offsets));
    RETURN_IF_ERROR(swap(out->neighbors, &in->neighbors));
    return swap(out->weights, &in->weights);
  }

  Communicator& ranks_;
  DeviceExchange& exchange_;
  CosineDeviceBlock& block_;
  const std::vector<int32_t>& begins_;
  const bool leaves_on_gpu_;
  const int num_threads_;
  // The first exchange of all ranks opens it, beside JoinOwn, once the GPU has
  // work for the time in which it gets no more.
  bool is_open_ = false;
  std::promise<void> own_launched_;
  // Where pieces are packed: in the exchange, or out_.
  uint32_t* outbox_ = nullptr;
  // Where the next one comes, and where the last one did: in_ and received_, or
  // the only one where it is joined.
  uint32_t* inbox_ = nullptr;
  uint32_t* came_ = nullptr;
  DeviceBuffer<uint32_t> out_, in_, received_;
  Fence fence_;
  // The first error of this rank.
  absl::Status memory_;
  // By rank of the neighbors, in ascending order of the neighbors.
  std::vector<std::vector<DeviceRowPart>> parts_;
  // Of this step, by row of each piece received.
  std::vector<DeviceRowPart> mirrored_;
  // Of the result.
  CsrGraph rows_;
  std::future<void> rows_prepared_;
};

class Join final : public DeviceJoin {
 public:
  Join(Communicator& ranks, std::unique_ptr<DeviceExchange> exchange)
      : ranks_(ranks), exchange_(std::move(exchange)) {}

  const std::string& way() const override { return exchange_->way(); }
  bool is_direct() const override { return exchange_->is_direct(); }

  absl::StatusOr<int64_t> MostWords() override {
    ASSIGN_OR_RETURN(const int64_t bytes, BytesOfPiece(ranks_));
    return bytes / static_cast<int64_t>(sizeof(uint32_t));
  }

  absl::Status Run(CosineDeviceBlock& block,
                   const std::vector<ExchangeStep>& steps, bool leave_on_gpu,
                   int num_threads, GraphShare* share) override {
    Work work(ranks_, *exchange_, block, share->begins, leave_on_gpu,
              num_threads);
    Stopwatch stopwatch;
    RETURN_IF_ERROR(AgreeOnMemory(ranks_, work.MakeRoom(steps)));
    stopwatch.Lap("room for rows");
    RETURN_IF_ERROR(RunExchanges(steps, /*ahead_of_steps=*/true, work));
    return work.TakeRowsOfAll(share);
  }

 private:
  Communicator& ranks_;
  const std::unique_ptr<DeviceExchange> exchange_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceJoin>> MakeDeviceJoin(Communicator& ranks,
                                                           DeviceWay way,
                                                           int64_t block_bytes,
                                                           bool opens_later) {
  DeviceExchangeOptions options;
  options.way = way;
  options.opens_later = opens_later;
  // Blocks need memory too, and are uploaded meanwhile.
  ASSIGN_OR_RETURN(const int64_t most_bytes, BytesOfPiece(ranks));
  options.window_bytes =
      std::clamp(std::max(block_bytes, options.window_bytes), kLeastWindow,
                 std::clamp(most_bytes, kLeastWindow, kLargestWindow));
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceExchange> exchange,
                   DeviceExchange::Create(ranks, options));
  return std::make_unique<Join>(ranks, std::move(exchange));
}

}  // namespace warpclust
