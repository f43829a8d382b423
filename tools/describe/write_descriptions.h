// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of clusters (eval/describe) as JSON fields and as a table, and
// explanations of memberships.

#ifndef WARPCLUST_TOOLS_DESCRIBE_WRITE_DESCRIPTIONS_H_
#define WARPCLUST_TOOLS_DESCRIBE_WRITE_DESCRIPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "eval/describe/cluster_descriptions.h"
#include "eval/describe/explain_cosine.h"
#include "graph/cover/cover.h"
#include "tools/describe/describe_flags.h"

namespace warpclust {

// Appends `,"title":"Rivers","terms":["rivers","dams"],"inner_cosine":0.5`
// `,"exemplars":[{"id":"b","cosine":0.8}]`. `ids` are the names of the
// documents; the center's name stands for an empty title.
void AppendDescription(const ClusterDescription& description,
                       absl::Span<const std::string> ids, std::string* json);

// Appends `,"neighbors":[{"cluster":3,"shared":2}]`. Clusters must be numbered
// in the output as in the cover.
void AppendNeighbors(const ClusterDescription& description, std::string* json);

// Writes the file of --titles, with a header: a line per cluster that is not
// empty. Unavailable if it cannot be written.
absl::Status WriteTitles(const std::string& path,
                         const std::vector<ClusterDescription>& clusters,
                         absl::Span<const std::string> ids);

// One line per shared term: `prefix<TAB>cosine<TAB>term<TAB>share`, or one with
// the cosine 0, no term and the share 0.
void AppendExplanationTsv(absl::string_view prefix,
                          const CosineExplanation& explanation,
                          const NamedDocuments& named, std::string* text);
// `,"cosine":0.6,"terms":[{"term":"rivers","adds":0.600000000}]`
void AppendExplanationJson(const CosineExplanation& explanation,
                           const NamedDocuments& named, std::string* json);

// Writes why documents are in their clusters, in order of documents, then of
// clusters: of one document or, without `document`, of all. TSV: lines
// `id<TAB>cluster<TAB>center<TAB>cosine<TAB>term<TAB>share`; JSON: one object
// `{"memberships":[{"id":…,"cluster":…,"center":…,"cosine":…,"terms":[…]}]}`.
// The cover must be valid.
void WriteExplanations(const Cover& cover, absl::Span<const int32_t> centers,
                       const NamedDocuments& named,
                       absl::optional<int32_t> document, bool as_json,
                       absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DESCRIBE_WRITE_DESCRIPTIONS_H_
