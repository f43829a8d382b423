// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface of DClustR.

#include "algorithms/dclustr/dclustr.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "base/status/status_macros.h"
#include "python/c_api/arguments.h"
#include "python/c_api/call.h"
#include "python/c_api/result_storage.h"
#include "python/c_api/warpclust.h"
#include "sparse/weighting/weighting.h"

struct warpclust_dclustr {
  explicit warpclust_dclustr(warpclust::DClustRCollection opened)
      : collection(std::move(opened)),
        beta(warpclust::FormatDecimal(collection.options().beta)),
        weighting(warpclust::WeightingName(collection.options().weighting)),
        mode(warpclust::DClustRModeName(collection.options().mode)) {}

  warpclust::DClustRCollection collection;
  // What warpclust_dclustr_get_options shows.
  std::string beta;
  std::string weighting;
  std::string mode;
};

namespace warpclust {
namespace {

// The clusters of a store, with its ids back to back.
struct NamedClusters {
  DClustRClusters clusters;
  std::string ids;
  std::vector<int64_t> id_offsets;
};

absl::StatusOr<std::vector<std::string>> ToNames(absl::string_view what,
                                                 const warpclust_names* from) {
  std::vector<std::string> names;
  if (from == nullptr) return names;
  for (int32_t i = 0; i < from->num_names; ++i) {
    if (from->names[i] == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(what, ": expected a name, found NULL at index ", i));
    }
    names.push_back(from->names[i]);
  }
  return names;
}

DClustRRunOptions RunOptions(const CallOptions& call) {
  DClustRRunOptions options;
  options.work = call.work;
  options.device = call.device;
  options.num_threads = call.num_threads;
  return options;
}

void Return(const DClustRUpdate& from, warpclust_dclustr_update* to) {
  *to = {.added = from.added,
         .removed = from.removed,
         .new_edges = from.new_edges,
         .removed_edges = from.removed_edges,
         .documents = from.documents,
         .edges = from.edges,
         .components = from.components,
         .idf_drift = from.idf_drift};
}

void Return(DClustRClusters from, warpclust_star_cover* to) {
  NamedClusters named = {std::move(from), "", {0}};
  for (const std::string& id : named.clusters.ids) {
    named.ids.append(id);
    named.id_offsets.push_back(static_cast<int64_t>(named.ids.size()));
  }
  auto* stored = StoreResult(std::move(named));
  const NamedClusters& value = stored->value;
  ShowStarCover(value.clusters, to);
  to->num_items = static_cast<int32_t>(value.clusters.ids.size());
  to->num_edges = value.clusters.num_edges;
  to->ids = value.ids.data();
  to->id_offsets = value.id_offsets.data();
  to->storage = static_cast<ResultStorage*>(stored);
}

}  // namespace
}  // namespace warpclust

using warpclust::Call;
using warpclust::CallOptions;

warpclust_status warpclust_dclustr_create(
    const char* directory, const warpclust_dclustr_options* options,
    warpclust_dclustr** store) {
  return Call([&]() -> absl::Status {
    warpclust::DClustRStoreOptions fixed;
    if (options != nullptr) {
      ASSIGN_OR_RETURN(fixed.beta,
                       warpclust::DecimalOr("beta", options->beta, fixed.beta));
      ASSIGN_OR_RETURN(fixed.weighting,
                       warpclust::ParseWeighting(
                           warpclust::TextOr(options->weighting, "tf")));
      ASSIGN_OR_RETURN(fixed.mode,
                       warpclust::ParseDClustRMode(
                           warpclust::TextOr(options->mode, "exact")));
    }
    ASSIGN_OR_RETURN(auto collection,
                     warpclust::DClustRCollection::Create(directory, fixed));
    *store = new warpclust_dclustr(std::move(collection));
    return absl::OkStatus();
  });
}

warpclust_status warpclust_dclustr_open(const char* directory,
                                        int32_t read_only,
                                        warpclust_dclustr** store) {
  return Call([&]() -> absl::Status {
    ASSIGN_OR_RETURN(auto collection, warpclust::DClustRCollection::Open(
                                          directory, read_only != 0));
    *store = new warpclust_dclustr(std::move(collection));
    return absl::OkStatus();
  });
}

void warpclust_dclustr_destroy(warpclust_dclustr* store) { delete store; }

warpclust_status warpclust_dclustr_get_options(
    const warpclust_dclustr* store, warpclust_dclustr_options* options) {
  *options = {.beta = store->beta.c_str(),
              .weighting = store->weighting.c_str(),
              .mode = store->mode.c_str()};
  return WARPCLUST_OK;
}

warpclust_status warpclust_dclustr_change(warpclust_dclustr* store,
                                          const warpclust_documents* added,
                                          const warpclust_names* added_ids,
                                          const warpclust_names* removed,
                                          const warpclust_run* run,
                                          warpclust_dclustr_update* update) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    warpclust::DClustRBatch batch;
    if (added != nullptr) {
      ASSIGN_OR_RETURN(batch.added,
                       warpclust::ToDocuments(*added, call.num_threads));
    }
    ASSIGN_OR_RETURN(batch.added_ids,
                     warpclust::ToNames("ids to add", added_ids));
    ASSIGN_OR_RETURN(batch.removed_ids,
                     warpclust::ToNames("ids to remove", removed));
    ASSIGN_OR_RETURN(
        const auto changed,
        store->collection.Update(batch, warpclust::RunOptions(call)));
    warpclust::Return(changed, update);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_dclustr_reweight(warpclust_dclustr* store,
                                            const warpclust_run* run,
                                            warpclust_dclustr_update* update) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto changed,
                     store->collection.Reweight(warpclust::RunOptions(call)));
    warpclust::Return(changed, update);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_dclustr_read(const warpclust_dclustr* store,
                                        const warpclust_run* run,
                                        warpclust_star_cover* clusters) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(auto read, store->collection.Read(call.num_threads));
    warpclust::Return(std::move(read), clusters);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_dclustr_describe(const warpclust_dclustr* store,
                                            warpclust_dclustr_update* state) {
  return Call([&]() -> absl::Status {
    ASSIGN_OR_RETURN(const auto described, store->collection.Describe());
    warpclust::Return(described, state);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_dclustr_verify(const warpclust_dclustr* store,
                                          const warpclust_run* run) {
  return Call(run, [&](const CallOptions& call) {
    return store->collection.Verify(warpclust::RunOptions(call));
  });
}

warpclust_status warpclust_dclustr_compact(warpclust_dclustr* store) {
  return Call([&] { return store->collection.Compact(); });
}
