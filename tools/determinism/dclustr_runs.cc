// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/determinism/dclustr_runs.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/status/status_macros.h"
#include "sparse/weighting/weighting.h"
#include "tools/determinism/cover_digest.h"
#include "tools/determinism/dclustr_history.h"
#include "tools/determinism/digest.h"

namespace warpclust {
namespace {

struct NamedHistory {
  RunWay way;
  std::vector<DClustRBatch> batches;
};

std::vector<NamedHistory> Histories(const DocumentsInput& input) {
  std::vector<NamedHistory> histories;
  for (const auto& [num_batches, changes] :
       {std::pair(1, false), {3, false}, {16, false}, {16, true}}) {
    NamedHistory history;
    history.way.method = changes ? "store, with changes" : "store";
    history.batches = DClustRHistory(input, num_batches, changes);
    // A document a batch, if there are few.
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

// A store of its own, removed with all that is in it.
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
                                     int threads) {
  const ScratchStore store(scratch);
  ASSIGN_OR_RETURN(DClustRCollection collection,
                   DClustRCollection::Create(store.path(), store_options));
  DClustRRunOptions options;
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

absl::Status RunExact(const DocumentsInput& input,
                      const std::vector<NamedHistory>& histories,
                      Weighting weighting, absl::string_view scratch,
                      DeterminismRunner* runner) {
  const RunGroup group = {
      "dclustr", input.name,
      absl::StrCat("exact, ", WeightingName(weighting), ", beta 0.25")};
  ASSIGN_OR_RETURN(const DocumentMatrix documents,
                   ApplyWeighting(input.counts, weighting));
  RETURN_IF_ERROR(
      runner->Run(group, {.method = "oclustr"},
                  [&](Device device, int threads) -> absl::StatusOr<uint64_t> {
                    OClustRDocumentsOptions options;
                    options.device = device;
                    options.graph.num_threads = threads;
                    ASSIGN_OR_RETURN(const OClustRResult result,
                                     OClustRDocuments(documents, options));
                    return ClustersDigest(result, input.ids, result.num_edges);
                  }));
  DClustRStoreOptions options;
  options.weighting = weighting;
  for (const NamedHistory& history : histories) {
    RETURN_IF_ERROR(
        runner->Run(group, history.way, [&](Device device, int threads) {
          return StoreDigest(history, options, scratch, device, threads);
        }));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunDClustR(const DocumentsInput& input, absl::string_view scratch,
                        DeterminismRunner* runner) {
  const std::vector<NamedHistory> histories = Histories(input);
  for (const Weighting weighting : {Weighting::kTf, Weighting::kTfIdf}) {
    RETURN_IF_ERROR(RunExact(input, histories, weighting, scratch, runner));
  }
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
