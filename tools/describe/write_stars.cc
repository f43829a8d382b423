// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/describe/write_stars.h"

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/oclustr/oclustr_json.h"
#include "base/status/status_macros.h"
#include "eval/describe/cluster_descriptions.h"
#include "graph/io/graph_export.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/cli/write_cover.h"
#include "tools/describe/write_descriptions.h"
#include "tools/report/documents_page.h"
#include "tools/report/report_file.h"

namespace warpclust {

bool NeedsDescriptions(const DescribeFlags& options, const FlagSet& flags,
                       const ToolRun& run) {
  return run.options.format != "tsv" || !options.titles.empty() ||
         !options.report.empty() || flags.WasGiven("explain");
}

absl::Status CheckExplained(const DescribeFlags& options,
                            absl::Span<const std::string> ids) {
  return options.explain.empty()
             ? absl::OkStatus()
             : FindDocument("explain", options.explain, ids).status();
}

absl::Status WriteStarsReport(const StarCover& stars,
                              const NamedDocuments& named,
                              absl::string_view input, const Decimal& beta,
                              const DescribeFlags& options,
                              const FlagSet& flags, const ToolRun& run,
                              absl::Span<const SweepStep> sweep) {
  if (options.report.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(ReportFile file, ReportFile::Open(options.report));
  DocumentsPage page;
  page.title = ReportTitle(input);
  page.command = ReportCommand(run, flags);
  page.noun = run.report.n_noun.one;
  page.nouns = run.report.n_noun.many;
  if (run.report.edges.has_value()) {
    page.facts = {{"edges", GroupDigits(*run.report.edges)}};
  }
  if (beta.numerator > 0) {
    page.threshold_name = "β";
    page.threshold = FormatDecimal(beta);
  }
  page.sweep = sweep;
  page.cover = &stars.cover;
  page.centers = stars.centers;
  page.ids = named.ids;
  page.described = DescribedOf(named);
  // The vertices of a graph are documents without terms.
  DocumentMatrix without_terms;
  if (!named.is_dense && named.documents.num_documents() == 0) {
    without_terms.offsets.assign(named.ids.size() + 1, 0);
    page.described.documents = &without_terms;
  }
  DescribeOptions describe_options;
  describe_options.num_threads = run.threads;
  ASSIGN_OR_RETURN(const ClusterDescriptions descriptions,
                   DescribeClusters(stars.cover, stars.centers, page.described,
                                    describe_options));
  page.descriptions = &descriptions;
  RETURN_IF_ERROR(WriteDocumentsPage(page, file.sink()));
  return file.Close();
}

absl::Status WriteStars(const StarCover& stars, const NamedDocuments& named,
                        const DescribeFlags& options, const FlagSet& flags,
                        ToolRun& run) {
  const auto write = run.sink();
  const bool explains = flags.WasGiven("explain");
  ClusterDescriptions descriptions;
  if (!options.titles.empty() || (run.options.format == "json" && !explains)) {
    DescribeOptions describe_options;
    describe_options.num_threads = run.threads;
    ASSIGN_OR_RETURN(descriptions,
                     DescribeClusters(stars.cover, stars.centers,
                                      DescribedOf(named), describe_options));
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
