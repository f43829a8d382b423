// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/block_join.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/distributed/exchange_steps.h"
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

// The work of one rank through the memory of the hosts.
template <typename Documents>
class HostWork final : public ExchangeWork {
 public:
  HostWork(Communicator& ranks, int32_t num_columns,
           const std::vector<int32_t>& begins, RankBlock<Documents>& block)
      : ranks_(ranks),
        num_columns_(num_columns),
        begins_(begins),
        block_(block),
        documents_(block.documents()),
        num_threads_(block.num_threads()),
        parts_(ranks.size()) {}

  absl::Status Prepare(const PieceExchange&) override {
    return absl::OkStatus();
  }
  absl::Status Exchange(const PieceExchange& next) override {
    absl::Span<const uint32_t> out;
    if (next.sent != nullptr) {
      out = PackRows(documents_, next.sent->begin,
                     next.sent->begin + next.sent->num_rows, &scratch_);
    }
    ResizeInHugePages(next.received == nullptr ? 0 : next.received->num_words,
                      &next_words_);
    return ranks_.SendReceiveValues(out, next.to(), absl::MakeSpan(next_words_),
                                    next.from());
  }
  void Receive(const PieceExchange&) override {
    std::swap(words_, next_words_);
  }

  absl::Status JoinOwn() override {
    ASSIGN_OR_RETURN(CsrGraph graph, block_.Graph(/*has_visitors=*/true));
    parts_[ranks_.rank()].push_back(
        PartOf(std::move(graph), begins_[ranks_.rank()]));
    return absl::OkStatus();
  }

  absl::Status Join(const PieceExchange& exchange) override {
    if (exchange.received == nullptr) return absl::OkStatus();
    const size_t num_before = edges_.size();
    Documents visitors;
    UnpackRows(words_, num_columns_, &visitors);
    RETURN_IF_ERROR(block_.Join(std::move(visitors),
                                exchange.received->own_begin, &edges_));
    for (size_t e = num_before; e < edges_.size(); ++e) {
      edges_[e].probe += exchange.received->begin;
    }
    return absl::OkStatus();
  }

  absl::Status Finish(const ExchangeStep& step) override {
    const int rank = ranks_.rank();
    for (std::vector<uint32_t>* const words :
         {&words_, &next_words_, &scratch_}) {
      *words = std::vector<uint32_t>();
    }
    parts_[step.from].push_back(
        GroupByRow(edges_, SizeOf(rank), begins_[step.from], num_threads_));
    const RowPart mirrored =
        GroupByProbe(edges_, SizeOf(step.from), begins_[rank], num_threads_);
    edges_ = std::vector<ProbeEdge>();
    ASSIGN_OR_RETURN(RowPart returned,
                     SwapParts(ranks_, mirrored, step.from, step.to));
    // After the own part: its neighbors come later in the block.
    parts_[step.to].push_back(std::move(returned));
    return absl::OkStatus();
  }

  CsrGraph Rows() {
    return Concatenate(std::move(parts_), documents_.num_documents(),
                       num_threads_);
  }

 private:
  int32_t SizeOf(int rank) const { return begins_[rank + 1] - begins_[rank]; }

  Communicator& ranks_;
  const int32_t num_columns_;
  const std::vector<int32_t>& begins_;
  RankBlock<Documents>& block_;
  const Documents& documents_;
  const int num_threads_;
  // Of this step, written again and again: fresh memory costs more than what is
  // written.
  std::vector<uint32_t> next_words_, words_, scratch_;
  // Of this step, too. Probes are numbered from the first of the other rank.
  std::vector<ProbeEdge> edges_;
  // By rank of the neighbors, in ascending order of the neighbors.
  std::vector<std::vector<RowPart>> parts_;
};

// Room for most documents at once: a piece costs a pass over all own rows.
absl::StatusOr<PieceLimits> DeviceLimits(DeviceJoin& join, PieceLimits limits) {
  ASSIGN_OR_RETURN(const int64_t words, join.MostWords());
  if (limits.rows == 0) limits.rows = std::numeric_limits<int32_t>::max();
  if (limits.words == 0) limits.words = std::max<int64_t>(1, words);
  return limits;
}

}  // namespace

template <typename Documents>
absl::StatusOr<ExchangeWay> ChooseWay(Communicator& ranks,
                                      const Documents& documents,
                                      bool is_on_device,
                                      const CosineExchange& exchange) {
  ExchangeWay way;
  ASSIGN_OR_RETURN(const bool on_devices, ranks.OnAll(is_on_device));
  if (ranks.size() == 1 || !on_devices) return way;
  const int64_t words = PackedWords(documents, 0, documents.num_documents());
  ASSIGN_OR_RETURN(const int64_t block_bytes,
                   ranks.AllReduce(Reduction::kMax, 4 * words));
  DeviceWay device_way = exchange.way;
  if (device_way == DeviceWay::kAuto &&
      block_bytes * (ranks.size() / 2) < kLeastForNccl) {
    device_way = DeviceWay::kPeers;
  }
  if (device_way == DeviceWay::kHost && !exchange.always_by_device) return way;
  // A GPU joins dense rows while they are uploaded, but sparse ones afterwards.
  constexpr bool kOpensLater = std::is_same_v<Documents, DocumentMatrix>;
  absl::StatusOr<std::unique_ptr<DeviceJoin>> join =
      MakeDeviceJoin(ranks, device_way, block_bytes, kOpensLater);
  if (!join.ok()) {
    // Of all ranks, which go on without.
    way.name = absl::StrCat("host memory (", join.status().message(), ")");
    return way;
  }
  way.name = (*join)->way();
  if ((*join)->is_direct() || exchange.always_by_device) {
    way.device_join = *std::move(join);
  }
  return way;
}

template <typename Documents>
absl::Status JoinBlocks(Communicator& ranks, int32_t num_columns,
                        const CosineExchange& exchange, ExchangeWay* way,
                        RankBlock<Documents>* block, GraphShare* share) {
  if (ranks.size() == 1) {
    ASSIGN_OR_RETURN(share->rows, block->Graph(/*has_visitors=*/false));
    return absl::OkStatus();
  }
  const std::vector<int32_t>& begins = share->begins;
  const Documents& documents = block->documents();
  if (way->device_join != nullptr) {
    Stopwatch stopwatch;
    DeviceJoin& join = *way->device_join;
    ASSIGN_OR_RETURN(const PieceLimits device_limits,
                     DeviceLimits(join, exchange.limits));
    ASSIGN_OR_RETURN(const std::vector<ExchangeStep> steps,
                     PlanExchange(ranks, documents, begins,
                                  block->on_device()->tile(), device_limits));
    stopwatch.Lap("plan exchange");
    const absl::Status status =
        join.Run(*block->on_device(), steps, exchange.leave_rows_on_gpus,
                 block->num_threads(), share);
    const bool is_cut_off = absl::IsUnavailable(status);
    if (!Communicator::IsAgreed(status) ||
        !(is_cut_off || absl::IsResourceExhausted(status))) {
      return status;
    }
    way->name =
        absl::StrCat("host memory (",
                     is_cut_off ? status.message()
                                : absl::string_view("the GPUs have too little"),
                     ")");
    RETURN_IF_ERROR(block->Start());
  }
  ASSIGN_OR_RETURN(const std::vector<ExchangeStep> steps,
                   PlanExchange(ranks, documents, begins, /*tile=*/1,
                                LimitsFor(block->device(), exchange.limits)));
  HostWork<Documents> work(ranks, num_columns, begins, *block);
  RETURN_IF_ERROR(RunExchanges(steps, /*ahead_of_steps=*/false, work));
  block->EndJoins();
  Stopwatch stopwatch;
  share->rows = work.Rows();
  stopwatch.Lap("concatenate");
  return absl::OkStatus();
}

template absl::StatusOr<ExchangeWay> ChooseWay(Communicator& ranks,
                                               const DocumentMatrix& documents,
                                               bool is_on_device,
                                               const CosineExchange& exchange);
template absl::StatusOr<ExchangeWay> ChooseWay(Communicator& ranks,
                                               const DenseDocuments& documents,
                                               bool is_on_device,
                                               const CosineExchange& exchange);
template absl::Status JoinBlocks(Communicator& ranks, int32_t num_columns,
                                 const CosineExchange& exchange,
                                 ExchangeWay* way,
                                 RankBlock<DocumentMatrix>* block,
                                 GraphShare* share);
template absl::Status JoinBlocks(Communicator& ranks, int32_t num_columns,
                                 const CosineExchange& exchange,
                                 ExchangeWay* way,
                                 RankBlock<DenseDocuments>* block,
                                 GraphShare* share);

}  // namespace warpclust
