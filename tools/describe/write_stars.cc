// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/describe/write_stars.h"

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/oclustr/oclustr_json.h"
#include "base/status/status_macros.h"
#include "eval/describe/cluster_descriptions.h"
#include "graph/io/graph_export.h"
#include "tools/cli/write_cover.h"
#include "tools/describe/write_descriptions.h"

namespace warpclust {

bool NeedsDescriptions(const DescribeFlags& options, const FlagSet& flags,
                       const ToolRun& run) {
  return run.options.format != "tsv" || !options.titles.empty() ||
         flags.WasGiven("explain");
}

absl::Status CheckExplained(const DescribeFlags& options,
                            absl::Span<const std::string> ids) {
  return options.explain.empty()
             ? absl::OkStatus()
             : FindDocument("explain", options.explain, ids).status();
}

absl::Status WriteStars(const StarCover& stars, const NamedDocuments& named,
                        const DescribeFlags& options, const FlagSet& flags,
                        ToolRun& run) {
  const auto write = [&run](absl::string_view text) { run.output.Write(text); };
  const bool explains = flags.WasGiven("explain");
  ClusterDescriptions descriptions;
  if (!options.titles.empty() || (run.options.format == "json" && !explains)) {
    DescribedDocuments described;
    if (named.is_dense) {
      described.dense = &named.dense;
    } else {
      described.documents = &named.documents;
    }
    described.words = named.words;
    described.titles = named.titles;
    DescribeOptions describe_options;
    describe_options.num_threads = run.threads;
    ASSIGN_OR_RETURN(descriptions,
                     DescribeClusters(stars.cover, stars.centers, described,
                                      describe_options));
  }
  if (!options.titles.empty()) {
    RETURN_IF_ERROR(
        WriteTitles(options.titles, descriptions.clusters, named.ids));
  }
  if (explains) {
    absl::optional<int32_t> document;
    if (!options.explain.empty()) {
      ASSIGN_OR_RETURN(document,
                       FindDocument("explain", options.explain, named.ids));
    }
    WriteExplanations(stars.cover, stars.centers, named, document,
                      run.options.format == "json", write);
    return absl::OkStatus();
  }
  if (run.options.format == "csv") {
    return WriteCoverCsv({named.ids, named.titles, &stars.cover}, write);
  }
  return WriteCover(
      stars.cover, named.ids,
      [&](int32_t cluster, std::string* json) {
        AppendOClustRFields(stars, named.ids, cluster, json);
        AppendDescription(descriptions.clusters[cluster], named.ids, json);
        AppendNeighbors(descriptions.clusters[cluster], json);
      },
      run);
}

}  // namespace warpclust
