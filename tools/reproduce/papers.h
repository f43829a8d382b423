// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The papers, and how each is reproduced.

#ifndef WARPCLUST_TOOLS_REPRODUCE_PAPERS_H_
#define WARPCLUST_TOOLS_REPRODUCE_PAPERS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/reproduce/frame/lab.h"
#include "tools/reproduce/frame/report.h"

namespace warpclust {

// The values of --paper.
std::vector<absl::string_view> PaperKeys();

// The exhibits of the paper `key`, which is one of PaperKeys().
std::vector<Exhibit> ExhibitsOf(absl::string_view key);

// Runs the experiments of the paper on the files of `data`, which may be empty.
// NotFound if there is no such folder; errors of readers and algorithms.
absl::StatusOr<Report> ReproducePaper(absl::string_view key,
                                      const std::string& data,
                                      const LabSettings& settings);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_PAPERS_H_
