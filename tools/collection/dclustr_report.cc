// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/collection/dclustr_report.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "base/numbers/decimal.h"
#include "kernels/device/device.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

std::string Kilobytes(int64_t bytes) {
  return absl::StrCat(GroupDigits((bytes + 1023) / 1024), " KB");
}

}  // namespace

void AddUpdate(const DClustRUpdate& later, DClustRUpdate* sum) {
  const DClustRUpdate before = *sum;
  *sum = later;
  sum->added += before.added;
  sum->removed += before.removed;
  sum->new_edges += before.new_edges;
  sum->removed_edges += before.removed_edges;
  sum->loads.components += before.loads.components;
  sum->loads.vertices += before.loads.vertices;
  sum->loads.row_entries += before.loads.row_entries;
  sum->loads.bytes += before.loads.bytes;
  sum->vector_bytes += before.vector_bytes;
  sum->cover.affected_components += before.cover.affected_components;
  sum->cover.affected_connected += before.cover.affected_connected;
  sum->cover.affected_vertices += before.cover.affected_vertices;
  sum->cover.changed_vertices += before.cover.changed_vertices;
  sum->cover.seconds.graph += before.cover.seconds.graph;
  sum->cover.seconds.relevance += before.cover.seconds.relevance;
  sum->cover.seconds.covering += before.cover.seconds.covering;
  sum->cover.seconds.useful += before.cover.seconds.useful;
  sum->join_seconds += before.join_seconds;
  sum->commit_seconds += before.commit_seconds;
}

std::string UpdateLine(const DClustRUpdate& update) {
  return absl::StrCat(
      "added ", Counted(update.added, {"document", "documents"}), ", removed ",
      GroupDigits(update.removed), "; added ",
      Counted(update.new_edges, {"edge", "edges"}), ", removed ",
      GroupDigits(update.removed_edges), "; read ",
      GroupDigits(update.loads.components), " of ",
      Counted(update.components, {"part", "parts"}), " of the graph (",
      Counted(update.loads.vertices, {"vertex", "vertices"}), ", ",
      Kilobytes(update.loads.bytes), ") and ", Kilobytes(update.vector_bytes),
      " of vectors");
}

void ReportStore(const DClustRStoreOptions& options, RunReport* report) {
  report->extra.push_back(
      {"mode", absl::StrCat("\"", DClustRModeName(options.mode), "\"")});
  report->extra.push_back({"beta", FormatDecimal(options.beta)});
  report->extra.push_back(
      {"weighting",
       absl::StrCat("\"", WeightingName(options.weighting), "\"")});
}

void ReportUpdate(const DClustRUpdate& update, RunReport* report) {
  const std::pair<const char*, int64_t> counts[] = {
      {"added", update.added},
      {"removed", update.removed},
      {"new_edges", update.new_edges},
      {"removed_edges", update.removed_edges},
      {"components", update.components},
      {"affected_components", update.cover.affected_components},
      {"affected_connected", update.cover.affected_connected},
      {"affected_vertices", update.cover.affected_vertices},
      {"changed_vertices", update.cover.changed_vertices},
      {"loaded_components", update.loads.components},
      {"loaded_vertices", update.loads.vertices},
      {"loaded_row_entries", update.loads.row_entries},
      {"loaded_bytes", update.loads.bytes},
      {"loaded_vector_bytes", update.vector_bytes},
  };
  for (const auto& [name, count] : counts) {
    report->extra.push_back({name, absl::StrCat(count)});
  }
  report->extra.push_back(
      {"relevance_device",
       absl::StrCat("\"", DeviceName(update.cover.relevance_device), "\"")});
  report->extra.push_back(
      {"idf_drift", absl::StrFormat("%.6g", update.idf_drift)});
  report->AddSeconds("join", update.join_seconds);
  report->AddSeconds("graph", update.cover.seconds.graph);
  report->AddSeconds("relevance", update.cover.seconds.relevance);
  report->AddSeconds("covering", update.cover.seconds.covering);
  report->AddSeconds("useful", update.cover.seconds.useful);
  report->AddSeconds("commit", update.commit_seconds);
}

}  // namespace warpclust
