// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/cosine_graph_distributed.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/distributed/cuda/device_pieces.h"
#include "graph/cosine/distributed/rank_block.h"
#include "kernels/rank_device.h"

namespace warpclust {
namespace {

// Sums of products and edges of 1,024 ranks fit into 64 bits.
constexpr double kMostCounted = 1LL << 52;

// NCCL takes about a second to start. Through the hosts, fewer bytes of a rank
// travel beside the joins in that time.
constexpr int64_t kLeastForNccl = int64_t{4} << 30;

// Edges from a block of own vertices to a block of others, by own vertex.
struct RowPart {
  struct Row {
    int32_t row;  // Counted from the first own vertex.
    int32_t count;
  };
  // The rows that have edges here, ascending.
  std::vector<Row> rows;
  // Neighbors as in the whole graph, ascending in each row, and weights.
  std::vector<int32_t> neighbors;
  std::vector<float> weights;
};

// Groups edges by row or by probe, in the order that they have; `first_other`
// is the vertex of the other end that is numbered 0.
template <int32_t ProbeEdge::*kRow, int32_t ProbeEdge::*kOther>
RowPart GroupEdges(absl::Span<const ProbeEdge> edges, int32_t num_rows,
                   int32_t first_other) {
  std::vector<int64_t> places(int64_t{num_rows} + 1);
  for (const ProbeEdge& edge : edges) ++places[edge.*kRow + 1];
  RowPart part;
  for (int32_t row = 0; row < num_rows; ++row) {
    const int64_t count = places[row + 1];
    if (count > 0) part.rows.push_back({row, static_cast<int32_t>(count)});
    places[row + 1] += places[row];
  }
  part.neighbors.resize(edges.size());
  part.weights.resize(edges.size());
  for (const ProbeEdge& edge : edges) {
    const int64_t place = places[edge.*kRow]++;
    part.neighbors[place] = first_other + edge.*kOther;
    part.weights[place] = edge.cosine;
  }
  return part;
}

RowPart PartOf(CsrGraph graph, int32_t first_vertex) {
  RowPart part;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    if (graph.Degree(v) == 0) continue;
    part.rows.push_back({v, static_cast<int32_t>(graph.Degree(v))});
  }
  part.neighbors = std::move(graph.neighbors);
  part.weights = std::move(graph.weights);
  for (int32_t& neighbor : part.neighbors) neighbor += first_vertex;
  return part;
}

absl::StatusOr<RowPart> SwapParts(Communicator& ranks, const RowPart& out,
                                  int to, int from) {
  RowPart in;
  ASSIGN_OR_RETURN(in.rows,
                   ranks.SendReceiveAll<RowPart::Row>(out.rows, to, from));
  ASSIGN_OR_RETURN(in.neighbors,
                   ranks.SendReceiveAll<int32_t>(out.neighbors, to, from));
  ASSIGN_OR_RETURN(in.weights,
                   ranks.SendReceiveAll<float>(out.weights, to, from));
  return in;
}

// Moves one array of all parts to rows that begin at `offsets`, one part after
// the other. Frees each as it goes, so that only one of both arrays is in
// memory twice.
template <typename T, std::vector<T> RowPart::*kArray>
std::vector<T> MoveRows(const std::vector<int64_t>& offsets,
                        std::vector<std::vector<RowPart>>& parts) {
  std::vector<T> all(offsets.back());
  std::vector<int64_t> places = offsets;
  for (std::vector<RowPart>& block : parts) {
    for (RowPart& part : block) {
      const std::vector<T> values = std::move(part.*kArray);
      int64_t next = 0;
      for (const RowPart::Row& row : part.rows) {
        std::copy_n(values.begin() + next, row.count,
                    all.begin() + places[row.row]);
        places[row.row] += row.count;
        next += row.count;
      }
    }
  }
  return all;
}

// Rows whose neighbors are those of `parts`, one after the other.
CsrGraph Concatenate(std::vector<std::vector<RowPart>> parts,
                     int32_t num_rows) {
  CsrGraph graph;
  graph.offsets.assign(int64_t{num_rows} + 1, 0);
  for (const std::vector<RowPart>& block : parts) {
    for (const RowPart& part : block) {
      for (const RowPart::Row& row : part.rows) {
        graph.offsets[row.row + 1] += row.count;
      }
    }
  }
  for (int32_t v = 0; v < num_rows; ++v) {
    graph.offsets[v + 1] += graph.offsets[v];
  }
  graph.neighbors =
      MoveRows<int32_t, &RowPart::neighbors>(graph.offsets, parts);
  graph.weights = MoveRows<float, &RowPart::weights>(graph.offsets, parts);
  return graph;
}

absl::Status Validate(const DocumentMatrix& documents, int) {
  return ValidateDocuments(documents);
}
absl::Status Validate(const DenseDocuments& documents, int num_threads) {
  return ValidateDenseDocuments(documents, num_threads);
}

std::vector<double> Norms(const DocumentMatrix& documents, int) {
  return SquaredNorms(documents);
}
std::vector<double> Norms(const DenseDocuments& documents, int num_threads) {
  return SquaredNorms(documents, num_threads);
}

bool AllIntegers(const DocumentMatrix& documents, int) {
  return HasIntegerWeights(documents);
}
bool AllIntegers(const DenseDocuments& documents, int num_threads) {
  return HasIntegerWeights(documents, num_threads);
}

// Terms or dimensions: the most of all ranks.
absl::StatusOr<int32_t> AgreeOnColumns(Communicator& ranks,
                                       const DocumentMatrix& documents) {
  return ranks.AllReduce(Reduction::kMax, documents.num_terms);
}
absl::StatusOr<int32_t> AgreeOnColumns(Communicator& ranks,
                                       const DenseDocuments& documents) {
  ASSIGN_OR_RETURN(const int32_t num_dimensions,
                   ranks.AllReduce(Reduction::kMax, documents.num_dimensions));
  absl::Status status;
  if (documents.num_rows > 0 && documents.num_dimensions != num_dimensions) {
    status = absl::InvalidArgumentError(absl::StrCat(
        "documents: expected ", num_dimensions,
        " dimensions, as other ranks have, found ", documents.num_dimensions));
  }
  RETURN_IF_ERROR(ranks.Agree(status));
  return num_dimensions;
}

// Whether cosines are decided in integers, by all documents of all ranks, as
// CosineGraph would.
template <typename Documents>
absl::StatusOr<bool> DecidesInIntegers(Communicator& ranks,
                                       const Documents& documents,
                                       const CosineGraphOptions& options) {
  double largest = 0;
  const int num_threads = ResolveThreads(options.num_threads);
  for (const double norm : Norms(documents, num_threads)) {
    largest = std::max(largest, norm);
  }
  // Doubles of at least 0 order as their bits.
  uint64_t bits;
  std::memcpy(&bits, &largest, sizeof(bits));
  ASSIGN_OR_RETURN(bits, ranks.AllReduce(Reduction::kMax, bits));
  std::memcpy(&largest, &bits, sizeof(bits));
  ASSIGN_OR_RETURN(
      const int are_integers,
      ranks.AllReduce(Reduction::kMin,
                      AllIntegers(documents, num_threads) ? 1 : 0));
  return MakeCosineDecision(options.beta,
                            are_integers == 1 && options.integer_decisions,
                            largest)
      .integer;
}

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
    CsrGraph graph = Concatenate(std::move(parts_), documents_.num_documents());
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
    parts_[from].push_back(GroupEdges<&ProbeEdge::row, &ProbeEdge::probe>(
        edges, size, begins_[from]));
    const RowPart mirrored = GroupEdges<&ProbeEdge::probe, &ProbeEdge::row>(
        edges, SizeOf(from), begins_[ranks_.rank()]);
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
        const int64_t length = k < received.size() ? received[k].num_words : 0;
        next_words.reserve(length);
        AdviseHugePages(next_words.data(), 4 * length);
        next_words.resize(length);
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
  RankBlock<Documents> block_;
  // Null: pieces travel through the memory of the hosts.
  std::unique_ptr<DevicePieces> device_pieces_;
  const PieceLimits limits_;
  const bool always_by_device_;
  std::string way_ = "host memory";
  // By rank of the neighbors, in ascending order of the neighbors.
  std::vector<std::vector<RowPart>> parts_;
};

template <typename Documents>
absl::StatusOr<GraphShare> Build(Communicator& ranks,
                                 const Documents& documents,
                                 CosineGraphOptions options, Device device,
                                 const CosineExchange& exchange,
                                 std::string* way) {
  options.work = nullptr;
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ranks.Agree(Validate(documents, options.num_threads)));
  ASSIGN_OR_RETURN(const int32_t num_columns, AgreeOnColumns(ranks, documents));
  GraphShare share;
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   ranks.Begins(documents.num_documents()));
  if (begins.back() > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(
        "documents: expected at most 2^31 - 1 on all ranks, found more");
  }
  share.begins.assign(begins.begin(), begins.end());
  ASSIGN_OR_RETURN(options.integer_decisions,
                   DecidesInIntegers(ranks, documents, options));
  CosineProbeOptions probe_options;
  probe_options.beta = options.beta;
  probe_options.integer_arithmetic = options.integer_decisions;
  probe_options.num_threads = options.num_threads;
  UseDeviceOfRank(ranks);
  if (device == Device::kAuto) {
    ASSIGN_OR_RETURN(const ExpectedSeconds expected,
                     ExpectCosineGraph(ranks, documents, options));
    ASSIGN_OR_RETURN(device, ResolveDevice(device, expected));
  }
  ASSIGN_OR_RETURN(device, ResolveDevice(device));
  BlockJoin<Documents> join(ranks, documents, num_columns, share.begins,
                            probe_options, device, exchange);
  ASSIGN_OR_RETURN(share.rows, join.Run());
  if (way != nullptr) *way = join.way();
  return share;
}

}  // namespace

// Pairs within blocks are a p-th of all pairs, which is the work of a rank. So
// the ranks' own pairs add up to it.
absl::StatusOr<ExpectedSeconds> ExpectCosineGraph(
    Communicator& ranks, const DocumentMatrix& documents,
    const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ranks.Agree(Validate(documents, options.num_threads)));
  CosineJob job = MeasureCosineJob(documents, options.beta);
  for (double* const count : {&job.products, &job.edges}) {
    ASSIGN_OR_RETURN(
        const int64_t sum,
        ranks.AllReduce(Reduction::kSum,
                        static_cast<int64_t>(std::min(*count, kMostCounted))));
    *count = static_cast<double>(sum);
  }
  ASSIGN_OR_RETURN(job.entries, ranks.AllReduce(Reduction::kSum, job.entries));
  // Half of the blocks come to each rank.
  job.entries = job.entries * (1 + ranks.size() / 2) / ranks.size();
  return Expect(job, options.num_threads);
}

absl::StatusOr<ExpectedSeconds> ExpectCosineGraph(
    Communicator& ranks, const DenseDocuments& documents,
    const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  ASSIGN_OR_RETURN(
      const int64_t rows,
      ranks.AllReduce(Reduction::kSum, int64_t{documents.num_rows}));
  ASSIGN_OR_RETURN(const int32_t dimensions,
                   ranks.AllReduce(Reduction::kMax, documents.num_dimensions));
  // A p-th of the pairs is what fewer documents have.
  const double share = std::sqrt(1.0 / ranks.size());
  const DenseCosineJob job = {
      static_cast<int64_t>(static_cast<double>(rows) * share), dimensions};
  return Expect(job, options.num_threads);
}

absl::StatusOr<GraphShare> CosineGraphDistributed(
    Communicator& ranks, const DocumentMatrix& documents,
    const CosineGraphOptions& options, Device device,
    const CosineExchange& exchange, std::string* way) {
  return Build(ranks, documents, options, device, exchange, way);
}

absl::StatusOr<GraphShare> CosineGraphDistributed(
    Communicator& ranks, const DenseDocuments& documents,
    const CosineGraphOptions& options, Device device,
    const CosineExchange& exchange, std::string* way) {
  return Build(ranks, documents, options, device, exchange, way);
}

}  // namespace warpclust
