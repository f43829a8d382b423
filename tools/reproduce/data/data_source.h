// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DataSource: where a data set is, as data_sets.tsv writes it.
//
//   file:NAME                     a file of --data
//   file:NAME[10:20]              rows 10 to 19 of it; of a signed graph, the
//                                 subgraph of the vertices that are named so
//   documents:n=1000,terms=76     generated: documents, stream, points, signed;
//                                 the names of the parameters are below

#ifndef WARPCLUST_TOOLS_REPRODUCE_DATA_DATA_SOURCE_H_
#define WARPCLUST_TOOLS_REPRODUCE_DATA_DATA_SOURCE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/numbers/decimal.h"

namespace warpclust {

struct DataSource {
  std::string text;
  // "file", or what is generated.
  std::string kind;
  // Of a file.
  std::string file;
  int32_t begin = 0;
  int32_t end = -1;  // -1: all.
  // Of what is generated: n, terms, vocabulary (documents); words, vocabulary,
  // hours (stream); dimensions, clusters, deviation (points); density, negative
  // (signed); seed.
  std::map<std::string, Decimal> parameters;
};

// InvalidArgument if `text` is not written as above.
absl::StatusOr<DataSource> ParseDataSource(absl::string_view text);

// Writes the generated data to `path`, in the format that the readers find by
// the name. The same source gives the same bytes.
absl::Status GenerateData(const DataSource& source, absl::string_view path,
                          int num_threads);

// The name that the path of GenerateData ends with: "documents.svm".
std::string GeneratedFileName(const DataSource& source);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_DATA_DATA_SOURCE_H_
