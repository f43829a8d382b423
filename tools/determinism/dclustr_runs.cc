// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/dclustr/edges/comparison_on_ranks.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "sparse/weighting/weighting.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/result_digests.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

void SetAdded(const DocumentsInput& input, const std::vector<int32_t>& rows,
              DClustRBatch* batch) {
  batch->added = SelectRows(input.counts, rows);
}
void SetAdded(const EmbeddingsInput& input, const std::vector<int32_t>& rows,
              DClustRBatch* batch) {
  batch->added_rows = SelectRows(input.rows, rows);
}

// Adds the documents in that many batches of about one size, or one each if
// there are fewer documents. With `changes` each batch also brings guests:
// every third document of the next batch with the content of another, and every
// fifth document so far again under another id. The next batch modifies the
// former and removes the latter. A modified document comes last, so in the end
// the order is that of the input.
template <typename Input>
std::vector<DClustRBatch> DClustRHistory(const Input& input,
                                         int32_t num_batches, bool changes) {
  const auto n = static_cast<int32_t>(input.ids.size());
  num_batches = std::max(1, std::min(num_batches, n));
  const auto begin_of = [&](int32_t batch) {
    return static_cast<int32_t>(int64_t{n} * batch / num_batches);
  };
  std::vector<DClustRBatch> history;
  std::vector<std::string> guests;
  for (int32_t b = 0; b < num_batches; ++b) {
    DClustRBatch batch;
    batch.removed_ids = std::exchange(guests, {});
    std::vector<int32_t> rows = RowRange(begin_of(b), begin_of(b + 1));
    for (const int32_t row : rows) batch.added_ids.push_back(input.ids[row]);
    if (changes && b + 1 < num_batches) {
      for (int32_t d = begin_of(b + 1); d < begin_of(b + 2); d += 3) {
        rows.push_back(n - 1 - d);
        guests.push_back(input.ids[d]);
      }
      for (int32_t d = 0; d < begin_of(b + 1); d += 5) {
        rows.push_back(d);
        // No name of a document: those have no line ends.
        guests.push_back(absl::StrCat("guest\n", d));
      }
      batch.added_ids.insert(batch.added_ids.end(), guests.begin(),
                             guests.end());
    }
    SetAdded(input, rows, &batch);
    history.push_back(std::move(batch));
  }
  return history;
}

struct NamedHistory {
  RunWay way;
  std::vector<DClustRBatch> batches;
};

template <typename Input>
std::vector<NamedHistory> Histories(const Input& input) {
  std::vector<NamedHistory> histories;
  for (const auto& [num_batches, changes] :
       {std::pair(1, false), {3, false}, {16, false}, {16, true}}) {
    NamedHistory history;
    history.way.method = changes ? "store, with changes" : "store";
    history.batches = DClustRHistory(input, num_batches, changes);
    // One document per batch, if there are few.
    history.way.batch = absl::StrCat("n/", history.batches.size());
    histories.push_back(std::move(history));
  }
  return histories;
}

uint64_t ClustersDigest(const StarCover& clusters,
                        const std::vector<std::string>& ids,
                        int64_t num_edges) {
  Digest digest;
  AddStarCover(clusters, &digest);
  for (const std::string& id : ids) {
    digest.Number(static_cast<uint64_t>(id.size()));
    digest.Text(id);
  }
  digest.Number(num_edges);
  return digest.value();
}

// A store that is removed with its owner.
class ScratchStore {
 public:
  explicit ScratchStore(absl::string_view scratch)
      : path_(absl::StrCat(scratch, "/store")) {}
  ~ScratchStore() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchStore(const ScratchStore&) = delete;
  ScratchStore& operator=(const ScratchStore&) = delete;

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

absl::StatusOr<uint64_t> StoreDigest(const NamedHistory& history,
                                     const DClustRStoreOptions& store_options,
                                     absl::string_view scratch, Device device,
                                     int threads,
                                     Communicator* ranks = nullptr) {
  const ScratchStore store(scratch);
  ASSIGN_OR_RETURN(DClustRCollection collection,
                   DClustRCollection::Create(store.path(), store_options));
  DClustRRunOptions options;
  options.ranks = ranks;
  options.device = device;
  options.num_threads = threads;
  int64_t num_edges = 0;
  for (const DClustRBatch& batch : history.batches) {
    ASSIGN_OR_RETURN(const DClustRUpdate update,
                     collection.Update(batch, options));
    num_edges = update.edges;
  }
  if (store_options.weighting == Weighting::kTfIdf) {
    ASSIGN_OR_RETURN(const DClustRUpdate update, collection.Reweight(options));
    num_edges = update.edges;
  }
  ASSIGN_OR_RETURN(const DClustRClusters clusters, collection.Read(threads));
  return ClustersDigest(clusters, clusters.ids, num_edges);
}

// `documents` are what OClustR clusters, and what the stores have in the end.
template <typename Documents>
absl::Status RunExact(const RunGroup& group, const Documents& documents,
                      const std::vector<std::string>& ids,
                      const std::vector<NamedHistory>& histories,
                      const DClustRStoreOptions& store_options,
                      absl::string_view scratch, DeterminismRunner* runner) {
  RETURN_IF_ERROR(
      runner->Run(group, {.method = "oclustr"},
                  [&](Device device, int threads) -> absl::StatusOr<uint64_t> {
                    OClustRDocumentsOptions options;
                    options.graph.beta = store_options.beta;
                    options.device = device;
                    options.graph.num_threads = threads;
                    ASSIGN_OR_RETURN(const OClustRResult result,
                                     OClustRDocuments(documents, options));
                    return ClustersDigest(result, ids, result.num_edges);
                  }));
  for (const NamedHistory& history : histories) {
    RETURN_IF_ERROR(
        runner->Run(group, history.way, [&](Device device, int threads) {
          return StoreDigest(history, store_options, scratch, device, threads);
        }));
  }
  // Few batches, since each waits for the disk.
  const NamedHistory& shared = histories[1];
  RunWay way = shared.way;
  way.devices = RunWay::Devices::kCpu;
  return runner->RunOnRanks(
      group, way,
      [&](Device device, Communicator& ranks) -> absl::StatusOr<uint64_t> {
        if (ranks.rank() > 0) {
          RETURN_IF_ERROR(FollowComparisons(ranks, /*num_threads=*/1));
          return 0;
        }
        ASSIGN_OR_RETURN(const uint64_t digest,
                         StoreDigest(shared, store_options, scratch, device,
                                     /*threads=*/1, &ranks));
        RETURN_IF_ERROR(EndComparisons(ranks));
        return digest;
      });
}

}  // namespace

absl::Status RunDClustR(const DeterminismInputs& inputs,
                        DeterminismRunner* runner) {
  const DocumentsInput& input = inputs.documents;
  const std::string& scratch = inputs.scratch;
  const std::vector<NamedHistory> histories = Histories(input);
  for (const Weighting weighting : {Weighting::kTf, Weighting::kTfIdf}) {
    ASSIGN_OR_RETURN(const DocumentMatrix documents,
                     ApplyWeighting(input.counts, weighting));
    DClustRStoreOptions options;
    options.weighting = weighting;
    const RunGroup group = {
        "dclustr", input.name,
        absl::StrCat("exact, ", WeightingName(weighting), ", beta 0.25")};
    RETURN_IF_ERROR(RunExact(group, documents, input.ids, histories, options,
                             scratch, runner));
  }
  const EmbeddingsInput& embeddings = inputs.embeddings;
  DClustRStoreOptions dense;
  dense.beta = "0.7";
  RETURN_IF_ERROR(
      RunExact({"dclustr", embeddings.name, "exact, embeddings, beta 0.7"},
               embeddings.rows, embeddings.ids, Histories(embeddings), dense,
               scratch, runner));
  DClustRStoreOptions rules;
  rules.mode = DClustRMode::kDClustR;
  for (const NamedHistory& history : histories) {
    RETURN_IF_ERROR(runner->Run(
        {"dclustr", input.name,
         absl::StrCat("rules, tf, beta 0.25, ", history.way.method, " ",
                      history.way.batch)},
        history.way, [&](Device device, int threads) {
          return StoreDigest(history, rules, scratch, device, threads);
        }));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
