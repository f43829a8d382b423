// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/block_join.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/distributed/cuda/device_pieces.h"
#include "graph/cosine/distributed/rank_block.h"
#include "graph/cosine/distributed/row_parts.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// NCCL takes about a second to start. Through the hosts, fewer bytes of a rank
// travel beside the joins in that time.
constexpr int64_t kLeastForNccl = int64_t{4} << 30;

// What joins a part of the documents best.
PieceLimits LimitsFor(Device device, PieceLimits limits) {
  const bool on_gpu = device == Device::kCuda;
  // On a GPU a piece costs a pass over all rows of the block, too.
  if (limits.rows == 0) limits.rows = on_gpu ? 1 << 18 : 1 << 13;
  if (limits.words == 0) limits.words = int64_t{1} << (on_gpu ? 27 : 23);
  return limits;
}

absl::Span<const char> AsBytes(absl::Span<const uint32_t> words) {
  return {reinterpret_cast<const char*>(words.data()),
          words.size() * sizeof(uint32_t)};
}
absl::Span<char> AsBytes(std::vector<uint32_t>& words) {
  return {reinterpret_cast<char*>(words.data()),
          words.size() * sizeof(uint32_t)};
}

// The join of one rank.
template <typename Documents>
class BlockJoin {
 public:
  BlockJoin(Communicator& ranks, const Documents& documents,
            int32_t num_columns, const std::vector<int32_t>& begins,
            const CosineProbeOptions& options, Device device,
            const CosineExchange& exchange)
      : ranks_(ranks),
        documents_(documents),
        num_columns_(num_columns),
        begins_(begins),
        num_threads_(options.num_threads),
        block_(documents, options, device),
        limits_(LimitsFor(device, exchange.limits)),
        always_by_device_(exchange.always_by_device),
        parts_(ranks.size()) {}

  absl::StatusOr<CsrGraph> Run() {
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(CsrGraph diagonal, block_.Graph());
    stopwatch.Lap("own rows");
    RETURN_IF_ERROR(ChooseWay());
    const int rank = ranks_.rank(), size = ranks_.size();
    parts_[rank].push_back(PartOf(std::move(diagonal), begins_[rank]));
    for (int step = 1; 2 * step <= size; ++step) {
      RETURN_IF_ERROR(Meet((rank + step) % size, (rank + size - step) % size));
    }
    stopwatch.Lap("rows of others");
    CsrGraph graph = Concatenate(std::move(parts_), documents_.num_documents(),
                                 num_threads_);
    stopwatch.Lap("concatenate");
    return graph;
  }

  // How pieces travel.
  const std::string& way() const { return way_; }

 private:
  // GPU to GPU by NCCL if all blocks are on GPUs and there is much to send.
  absl::Status ChooseWay() {
    if (ranks_.size() == 1) return absl::OkStatus();
    ASSIGN_OR_RETURN(
        const int on_devices,
        ranks_.AllReduce(Reduction::kMin, block_.is_on_device() ? 1 : 0));
    if (on_devices == 0) return absl::OkStatus();
    const int64_t words =
        PackedWords(documents_, 0, documents_.num_documents());
    ASSIGN_OR_RETURN(
        const int64_t bytes,
        ranks_.AllReduce(Reduction::kMax, 4 * words * (ranks_.size() / 2)));
    if (bytes < kLeastForNccl && !always_by_device_) {
      way_ = "host memory (too little for NCCL)";
      return absl::OkStatus();
    }
    absl::StatusOr<std::unique_ptr<DevicePieces>> pieces =
        MakeDevicePieces(ranks_);
    if (!pieces.ok()) {
      // Of all ranks, which go on without.
      way_ = absl::StrCat("host memory (", pieces.status().message(), ")");
      return absl::OkStatus();
    }
    way_ = (*pieces)->way();
    if ((*pieces)->is_direct() || always_by_device_) {
      device_pieces_ = *std::move(pieces);
    }
    return absl::OkStatus();
  }

  int32_t SizeOf(int rank) const { return begins_[rank + 1] - begins_[rank]; }
  static int32_t HalfOf(int32_t size) { return (size + 1) / 2; }

  // Sends the own block to one rank and joins it with that of another. If they
  // are the same rank, the lower of both joins its block with the first half of
  // the other, which joins its second half.
  absl::Status Meet(int to, int from) {
    const bool is_shared = to == from;
    const int32_t size = documents_.num_documents();
    const int32_t own_begin =
        is_shared && ranks_.rank() > from ? HalfOf(size) : 0;
    const int32_t sent_end = is_shared && ranks_.rank() > to ? own_begin : size;
    std::vector<ProbeEdge> edges;
    RETURN_IF_ERROR(JoinPieces(sent_end, to, from, own_begin, &edges));
    parts_[from].push_back(
        GroupByRow(edges, size, begins_[from], num_threads_));
    const RowPart mirrored =
        GroupByProbe(edges, SizeOf(from), begins_[ranks_.rank()], num_threads_);
    edges = {};
    ASSIGN_OR_RETURN(RowPart returned, SwapParts(ranks_, mirrored, from, to));
    // After the own part: its neighbors come later in the block.
    parts_[to].push_back(std::move(returned));
    return absl::OkStatus();
  }

  struct Piece {
    int64_t num_words;
    int32_t num_rows;
    int32_t begin;  // Counted from the first row sent.
  };

  // Sends rows [0, sent_end), receives those of `from` and joins own rows from
  // `own_begin` on with them. Probes are numbered from the first of `from`.
  absl::Status JoinPieces(int32_t sent_end, int to, int from, int32_t own_begin,
                          std::vector<ProbeEdge>* edges) {
    const std::vector<int32_t> cuts =
        CutIntoPieces(documents_, sent_end, limits_);
    std::vector<Piece> sent;
    for (size_t k = 0; k + 1 < cuts.size(); ++k) {
      sent.push_back({PackedWords(documents_, cuts[k], cuts[k + 1]),
                      cuts[k + 1] - cuts[k], cuts[k]});
    }
    ASSIGN_OR_RETURN(const std::vector<Piece> received,
                     ranks_.SendReceiveAll<Piece>(sent, to, from));
    const size_t num_exchanges = std::max(sent.size(), received.size());
    // On this thread, for the exchange that then runs beside a join.
    const auto prepare = [&](size_t k) -> absl::Status {
      if (device_pieces_ == nullptr) return absl::OkStatus();
      RETURN_IF_ERROR(device_pieces_->MakeRoom(
          k < sent.size() ? sent[k].num_words : 0,
          k < received.size() ? received[k].num_words : 0));
      if (k < sent.size()) {
        RETURN_IF_ERROR(
            block_.Pack(cuts[k], cuts[k + 1], device_pieces_.get()));
      }
      return device_pieces_->Finish();
    };
    absl::Status next;
    // Written again and again: fresh memory costs more than what is written.
    std::vector<uint32_t> next_words, words, scratch;
    const auto exchange = [&](size_t k) {
      Stopwatch stopwatch;
      const int k_to = k < sent.size() ? to : Communicator::kNobody;
      const int k_from = k < received.size() ? from : Communicator::kNobody;
      if (device_pieces_ != nullptr) {
        next = device_pieces_->Exchange(k_to, k_from);
      } else {
        absl::Span<const uint32_t> out;
        if (k < sent.size()) {
          out = PackRows(documents_, cuts[k], cuts[k + 1], &scratch);
        }
        ResizeInHugePages(k < received.size() ? received[k].num_words : 0,
                          &next_words);
        next =
            ranks_.SendReceive(AsBytes(out), k_to, AsBytes(next_words), k_from);
      }
      stopwatch.Lap("exchange rows");
    };
    if (num_exchanges > 0) {
      RETURN_IF_ERROR(prepare(0));
      exchange(0);
    }
    for (size_t k = 0; k < num_exchanges; ++k) {
      RETURN_IF_ERROR(next);
      std::swap(words, next_words);
      if (device_pieces_ != nullptr) device_pieces_->Receive();
      std::thread ahead;
      if (k + 1 < num_exchanges) {
        RETURN_IF_ERROR(prepare(k + 1));
        ahead = std::thread(exchange, k + 1);
      }
      absl::Status status;
      if (k < received.size()) {
        Stopwatch stopwatch;
        status = JoinPiece(received[k], words, own_begin, edges);
        stopwatch.Lap("join rows");
      }
      if (ahead.joinable()) ahead.join();
      RETURN_IF_ERROR(status);
    }
    return absl::OkStatus();
  }

  // Appends the edges of a piece, which is `words` or on the device.
  absl::Status JoinPiece(const Piece& piece, const std::vector<uint32_t>& words,
                         int32_t own_begin, std::vector<ProbeEdge>* edges) {
    const size_t num_before = edges->size();
    if (device_pieces_ != nullptr) {
      RETURN_IF_ERROR(block_.JoinReceived(*device_pieces_, piece.num_rows,
                                          num_columns_, own_begin, edges));
    } else {
      Documents visitors;
      UnpackRows(words, num_columns_, &visitors);
      RETURN_IF_ERROR(block_.Join(std::move(visitors), own_begin, edges));
    }
    for (size_t e = num_before; e < edges->size(); ++e) {
      (*edges)[e].probe += piece.begin;
    }
    return absl::OkStatus();
  }

  Communicator& ranks_;
  const Documents& documents_;
  const int32_t num_columns_;
  const std::vector<int32_t>& begins_;
  const int num_threads_;
  RankBlock<Documents> block_;
  // Null: pieces travel through the memory of the hosts.
  std::unique_ptr<DevicePieces> device_pieces_;
  const PieceLimits limits_;
  const bool always_by_device_;
  std::string way_ = "host memory";
  // By rank of the neighbors, in ascending order of the neighbors.
  std::vector<std::vector<RowPart>> parts_;
};

}  // namespace

template <typename Documents>
absl::StatusOr<CsrGraph> JoinBlocks(
    Communicator& ranks, const Documents& documents, int32_t num_columns,
    const std::vector<int32_t>& begins, const CosineProbeOptions& options,
    Device device, const CosineExchange& exchange, std::string* way) {
  BlockJoin<Documents> join(ranks, documents, num_columns, begins, options,
                            device, exchange);
  ASSIGN_OR_RETURN(CsrGraph rows, join.Run());
  if (way != nullptr) *way = join.way();
  return rows;
}

template absl::StatusOr<CsrGraph> JoinBlocks(
    Communicator& ranks, const DocumentMatrix& documents, int32_t num_columns,
    const std::vector<int32_t>& begins, const CosineProbeOptions& options,
    Device device, const CosineExchange& exchange, std::string* way);
template absl::StatusOr<CsrGraph> JoinBlocks(
    Communicator& ranks, const DenseDocuments& documents, int32_t num_columns,
    const std::vector<int32_t>& begins, const CosineProbeOptions& options,
    Device device, const CosineExchange& exchange, std::string* way);

}  // namespace warpclust
