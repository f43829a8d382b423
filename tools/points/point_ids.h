// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointIds: the ids that a column of CSV gives to the points of one or more
// files, all different.
//
//   PointIds ids;
//   CsvPointsOptions options;
//   options.name_column = "id";
//   options.check_name = ids.Adder();

#ifndef WARPCLUST_TOOLS_POINTS_POINT_IDS_H_
#define WARPCLUST_TOOLS_POINTS_POINT_IDS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/io/id_map.h"

namespace warpclust {

class PointIds {
 public:
  // Adds the id of the next point, which is on line `line` of `file`. Bytes
  // that are not UTF-8 become U+FFFD. InvalidArgument naming file and line if
  // output tables cannot hold the id, or if it was added before, then with the
  // place of the first one.
  absl::Status Add(absl::string_view file, int64_t line, absl::string_view id);
  // Calls Add.
  std::function<absl::Status(absl::string_view, int64_t, absl::string_view)>
  Adder();

  bool empty() const { return ids_.size() == 0; }
  // The number of the point, from 0 in the order of Add; -1 without any.
  int32_t Find(absl::string_view id) const;
  // The ids of the points with these numbers; all if `numbers` is empty.
  std::vector<std::string> Of(absl::Span<const int32_t> numbers) const;

 private:
  // A file that was read, and the number of its first point.
  struct File {
    std::string name;
    int32_t first;
  };

  IdMap ids_;
  std::vector<int64_t> line_of_id_;
  std::vector<File> files_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_POINT_IDS_H_
