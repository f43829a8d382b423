// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/edges/comparison_on_ranks.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/edges/stored_edges.h"
#include "base/machine/stopwatch.h"
#include "base/machine/work_share.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/dense/dense_cosine_probe.h"
#include "graph/cosine/distributed/cosine_graph_distributed.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "graph/csr/graph_share.h"
#include "graph/pcc_store/documents/stored_document_blocks.h"
#include "kernels/device/device.h"
#include "sparse/dense/owned_dense_rows.h"

namespace warpclust {
namespace {

// Blocks that a rank gets at a time: tens of milliseconds of comparisons, so
// that messages do not show.
constexpr int64_t kBytesPerRank = 8 << 20;

enum class Task : int32_t { kEnd, kGraph, kStoredEdges };

// What rank 0 tells the others before each task.
struct Request {
  Task task = Task::kEnd;
  int32_t is_dense = 0;
  int32_t integer_decisions = 0;
  int32_t num_columns = 0;         // Of the documents that follow.
  int32_t num_stored_columns = 0;  // Of the stored ones.
  int32_t first_vertex = 0;
  Decimal beta;
};

Request MakeRequest(Task task, const CosineGraphOptions& options) {
  Request request;
  request.task = task;
  request.integer_decisions = options.integer_decisions ? 1 : 0;
  request.beta = options.beta;
  return request;
}

CosineGraphOptions GraphOptions(const Request& request, int num_threads) {
  CosineGraphOptions options;
  options.beta = request.beta;
  options.integer_decisions = request.integer_decisions != 0;
  options.num_threads = num_threads;
  return options;
}

absl::Status Announce(Communicator& ranks, Request* request) {
  return ranks.Broadcast(absl::MakeSpan(request, 1), 0);
}

// The cosine graph of `all` on rank 0. The others have none.
template <typename Documents>
absl::StatusOr<CsrGraph> ShareGraph(Communicator& ranks, const Request& request,
                                    const Documents& all, int num_threads) {
  const int64_t n = all.num_documents();
  RankLists<uint32_t> out;
  std::vector<uint32_t> scratch;
  for (int64_t r = 0; r < ranks.size(); ++r) {
    out.Append(PackRows(all, static_cast<int32_t>(n * r / ranks.size()),
                        static_cast<int32_t>(n * (r + 1) / ranks.size()),
                        &scratch));
  }
  scratch = {};
  ASSIGN_OR_RETURN(RankLists<uint32_t> in, ranks.AllToAll(out));
  out = {};
  // All of it is from rank 0.
  Documents own;
  UnpackOwned(std::move(in.values), request.num_columns, &own);
  ASSIGN_OR_RETURN(
      const GraphShare share,
      CosineGraphDistributed(ranks, own, GraphOptions(request, num_threads)));
  std::vector<int64_t> degrees;
  for (int32_t v = 0; v < share.rows.num_vertices(); ++v) {
    degrees.push_back(share.rows.Degree(v));
  }
  ASSIGN_OR_RETURN(const RankLists<int64_t> all_degrees,
                   ranks.Gather<int64_t>(degrees, 0));
  ASSIGN_OR_RETURN(RankLists<int32_t> neighbors,
                   ranks.Gather<int32_t>(share.rows.neighbors, 0));
  ASSIGN_OR_RETURN(RankLists<float> weights,
                   ranks.Gather<float>(share.rows.weights, 0));
  CsrGraph graph;
  for (const int64_t degree : all_degrees.values) {
    graph.offsets.push_back(graph.offsets.back() + degree);
  }
  graph.neighbors = std::move(neighbors.values);
  graph.weights = std::move(weights.values);
  return graph;
}

// Joins stored blocks with probes: term vectors.
class SparseJoin {
 public:
  using Documents = DocumentMatrix;

  absl::Status Begin(DocumentMatrix probes, const CosineGraphOptions& options) {
    num_threads_ = options.num_threads;
    ASSIGN_OR_RETURN(CosineProbe probe,
                     CosineProbe::Create(std::move(probes),
                                         ProbeOptions(options), Device::kCpu));
    probe_.emplace(std::move(probe));
    return absl::OkStatus();
  }
  absl::Status Join(absl::Span<const StoredDocumentBlock> blocks,
                    int32_t num_columns, absl::Span<const double> factors,
                    const StoredEdges& edges, PccChange* change) {
    EdgeRoom room(1);
    return edges.AppendPieces(
        StoredDocumentPieces(blocks, num_columns, probe_->PieceDocuments(),
                             num_threads_),
        factors, CountedWork(nullptr, 0), num_threads_, &*probe_, &room,
        change);
  }

 private:
  int num_threads_ = 0;
  absl::optional<CosineProbe> probe_;
};

// The same for dense rows.
class DenseJoin {
 public:
  using Documents = DenseDocuments;

  absl::Status Begin(const DenseDocuments& probes,
                     const CosineGraphOptions& options) {
    num_threads_ = options.num_threads;
    ASSIGN_OR_RETURN(DenseCosineProbe probe,
                     DenseCosineProbe::Create(probes, ProbeOptions(options)));
    probe_.emplace(std::move(probe));
    return absl::OkStatus();
  }
  absl::Status Join(absl::Span<const StoredDocumentBlock> blocks,
                    int32_t num_columns, absl::Span<const double> /*factors*/,
                    const StoredEdges& edges, PccChange* change) {
    OwnedDenseRows rows;
    rows.num_dimensions = num_columns;
    std::vector<int32_t> vertices;
    RETURN_IF_ERROR(
        DecodeDocumentBlocks(blocks, num_threads_, &vertices, &rows));
    std::vector<ProbeEdge> found;
    RETURN_IF_ERROR(probe_->Join(rows, &found));
    edges.Append(vertices, found, change);
    return absl::OkStatus();
  }

 private:
  int num_threads_ = 0;
  absl::optional<DenseCosineProbe> probe_;
};

// One comparison with the store, as each rank does it.
template <typename BlockJoin>
class StoredComparison {
 public:
  using Documents = typename BlockJoin::Documents;
  using Blocks = absl::Span<const StoredDocumentBlock>;

  StoredComparison(Communicator& ranks, const Request& request)
      : ranks_(ranks), request_(request) {}

  // The arguments are those of rank 0.
  absl::Status Begin(const Documents& probes, absl::Span<const int32_t> removed,
                     absl::Span<const double> factors, int num_threads) {
    Stopwatch stopwatch;
    std::vector<uint32_t> words;
    if (ranks_.rank() == 0) {
      std::vector<uint32_t> scratch;
      const absl::Span<const uint32_t> packed =
          PackRows(probes, 0, probes.num_documents(), &scratch);
      words.assign(packed.begin(), packed.end());
      removed_.assign(removed.begin(), removed.end());
      factors_.assign(factors.begin(), factors.end());
    }
    RETURN_IF_ERROR(ranks_.BroadcastAll(&words, 0));
    RETURN_IF_ERROR(ranks_.BroadcastAll(&removed_, 0));
    RETURN_IF_ERROR(ranks_.BroadcastAll(&factors_, 0));
    Documents own;
    UnpackOwned(std::move(words), request_.num_columns, &own);
    stopwatch.Lap("probes to ranks");
    const absl::Status begun =
        join_.Begin(std::move(own), GraphOptions(request_, num_threads));
    stopwatch.Lap("index of probes");
    return ranks_.Agree(begun);
  }

  // Rank 0: deals blocks, none of them after the last, and adds their edges to
  // `change`.
  absl::Status Deal(Blocks blocks, PccChange* change) {
    int64_t num_bytes = 0;
    for (const StoredDocumentBlock& block : blocks) {
      num_bytes += static_cast<int64_t>(block.bytes.size());
    }
    out_.offsets.assign(1, 0);
    out_.values.clear();
    out_.values.reserve(num_bytes);
    Blocks own;
    size_t begin = 0;
    int64_t dealt = 0;
    for (int64_t r = 0; r < ranks_.size(); ++r) {
      size_t end = begin;
      while (end < blocks.size() &&
             (r + 1 == ranks_.size() ||
              dealt < num_bytes * (r + 1) / ranks_.size())) {
        dealt += static_cast<int64_t>(blocks[end++].bytes.size());
      }
      const Blocks part = blocks.subspan(begin, end - begin);
      begin = end;
      if (r == ranks_.rank()) {
        own = part;  // They stay in the store.
      } else {
        // The first byte says whether there are blocks.
        out_.values.push_back(blocks.empty() ? 0 : 1);
        PackDocumentBlocks(part, &out_.values);
      }
      out_.offsets.push_back(static_cast<int64_t>(out_.values.size()));
    }
    Stopwatch stopwatch;
    RETURN_IF_ERROR(ranks_.AllToAll(out_).status());
    stopwatch.Lap("stored blocks to ranks");
    return blocks.empty() ? absl::OkStatus()
                          : JoinRound(absl::OkStatus(), own, change);
  }

  // The other ranks: until there are no more blocks.
  absl::Status Follow() {
    out_.offsets.assign(ranks_.size() + 1, 0);
    while (true) {
      Stopwatch stopwatch;
      ASSIGN_OR_RETURN(const RankLists<char> in, ranks_.AllToAll(out_));
      stopwatch.Lap("stored blocks from rank 0");
      // All of it is from rank 0.
      const absl::string_view message(in.values.data(), in.values.size());
      if (message[0] == 0) return absl::OkStatus();
      const auto own = UnpackDocumentBlocks(message.substr(1));
      PccChange none;
      RETURN_IF_ERROR(
          JoinRound(own.status(), own.ok() ? *own : Blocks(), &none));
    }
  }

 private:
  // Joins the blocks that this rank got, if it did; gathers all edges in
  // `change` on rank 0.
  absl::Status JoinRound(absl::Status joined, Blocks own, PccChange* change) {
    Stopwatch stopwatch;
    PccChange found;
    if (joined.ok()) {
      joined = join_.Join(own, request_.num_stored_columns, factors_,
                          StoredEdges(removed_, request_.first_vertex), &found);
    }
    stopwatch.Lap("join stored blocks");
    RETURN_IF_ERROR(ranks_.Agree(joined));
    stopwatch.Lap("wait for ranks");
    ASSIGN_OR_RETURN(const RankLists<WeightedEdge> added,
                     ranks_.Gather<WeightedEdge>(found.added_edges, 0));
    ASSIGN_OR_RETURN(const RankLists<WeightedEdge> removed,
                     ranks_.Gather<WeightedEdge>(found.removed_edges, 0));
    change->added_edges.insert(change->added_edges.end(), added.values.begin(),
                               added.values.end());
    change->removed_edges.insert(change->removed_edges.end(),
                                 removed.values.begin(), removed.values.end());
    stopwatch.Lap("edges of stored blocks");
    return absl::OkStatus();
  }

  Communicator& ranks_;
  const Request request_;
  std::vector<int32_t> removed_;
  std::vector<double> factors_;
  BlockJoin join_;
  // What each round sends.
  RankLists<char> out_;
};

template <typename BlockJoin>
absl::Status DealStored(Communicator& ranks, DocumentStore* stored,
                        absl::Span<const double> factors,
                        const typename BlockJoin::Documents& probes,
                        int32_t num_columns, int32_t first_vertex,
                        const CosineGraphOptions& options, PccChange* change) {
  Request request = MakeRequest(Task::kStoredEdges, options);
  request.is_dense = stored->is_dense() ? 1 : 0;
  request.num_columns = num_columns;
  request.num_stored_columns = stored->num_terms();
  request.first_vertex = first_vertex;
  RETURN_IF_ERROR(Announce(ranks, &request));
  StoredComparison<BlockJoin> comparison(ranks, request);
  RETURN_IF_ERROR(
      comparison.Begin(probes, change->removed, factors, options.num_threads));
  const CountedWork work(options.work, stored->num_documents());
  RETURN_IF_ERROR(stored->ForEachStoredBlocks(
      std::numeric_limits<int64_t>::max(), kBytesPerRank * ranks.size(),
      [&](absl::Span<const StoredDocumentBlock> blocks) {
        if (work.stopped()) return ComparisonStopped();
        for (const StoredDocumentBlock& block : blocks) {
          work.Add(block.num_present());
        }
        return comparison.Deal(blocks, change);
      }));
  return comparison.Deal({}, change);
}

template <typename BlockJoin>
absl::Status FollowStored(Communicator& ranks, const Request& request,
                          int num_threads) {
  StoredComparison<BlockJoin> comparison(ranks, request);
  RETURN_IF_ERROR(comparison.Begin({}, {}, {}, num_threads));
  return comparison.Follow();
}

template <typename Documents>
absl::StatusOr<CsrGraph> StartGraph(Communicator& ranks,
                                    const Documents& documents,
                                    int32_t num_columns, bool is_dense,
                                    const CosineGraphOptions& options) {
  Request request = MakeRequest(Task::kGraph, options);
  request.is_dense = is_dense ? 1 : 0;
  request.num_columns = num_columns;
  RETURN_IF_ERROR(Announce(ranks, &request));
  return ShareGraph(ranks, request, documents, options.num_threads);
}

}  // namespace

absl::Status FollowComparisons(Communicator& ranks, int num_threads) {
  while (true) {
    Request request;
    RETURN_IF_ERROR(Announce(ranks, &request));
    const bool is_dense = request.is_dense != 0;
    switch (request.task) {
      case Task::kEnd:
        return absl::OkStatus();
      case Task::kGraph:
        RETURN_IF_ERROR(
            is_dense ? ShareGraph(ranks, request, DenseDocuments(), num_threads)
                           .status()
                     : ShareGraph(ranks, request, DocumentMatrix(), num_threads)
                           .status());
        break;
      case Task::kStoredEdges:
        RETURN_IF_ERROR(
            is_dense ? FollowStored<DenseJoin>(ranks, request, num_threads)
                     : FollowStored<SparseJoin>(ranks, request, num_threads));
        break;
    }
  }
}

absl::Status EndComparisons(Communicator& ranks) {
  Request request;
  return Announce(ranks, &request);
}

absl::StatusOr<CsrGraph> CosineGraphOnRanks(Communicator& ranks,
                                            const DocumentMatrix& documents,
                                            const CosineGraphOptions& options) {
  return StartGraph(ranks, documents, documents.num_terms, false, options);
}

absl::StatusOr<CsrGraph> CosineGraphOnRanks(Communicator& ranks,
                                            const DenseDocuments& documents,
                                            const CosineGraphOptions& options) {
  return StartGraph(ranks, documents, documents.num_dimensions, true, options);
}

absl::Status StoredEdgesOnRanks(Communicator& ranks, DocumentStore* stored,
                                absl::Span<const double> factors,
                                const DocumentMatrix& probes,
                                int32_t first_vertex,
                                const CosineGraphOptions& options,
                                PccChange* change) {
  return DealStored<SparseJoin>(ranks, stored, factors, probes,
                                probes.num_terms, first_vertex, options,
                                change);
}

absl::Status StoredEdgesOnRanks(Communicator& ranks, DocumentStore* stored,
                                const DenseDocuments& probes,
                                int32_t first_vertex,
                                const CosineGraphOptions& options,
                                PccChange* change) {
  return DealStored<DenseJoin>(ranks, stored, {}, probes, probes.num_dimensions,
                               first_vertex, options, change);
}

}  // namespace warpclust
