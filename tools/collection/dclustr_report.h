// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run of dclustr says about its updates, in a line and in the --summary
// JSON.
//
// Thread-safety: functions are pure but for the report they fill.

#ifndef WARPCLUST_TOOLS_COLLECTION_DCLUSTR_REPORT_H_
#define WARPCLUST_TOOLS_COLLECTION_DCLUSTR_REPORT_H_

#include <string>

#include "algorithms/dclustr/dclustr.h"
#include "tools/cli/run_report.h"

namespace warpclust {

// What the updates of a run did in all; `later` came after `sum`.
void AddUpdate(const DClustRUpdate& later, DClustRUpdate* sum);

// "added 12, removed 3 (56 edges in, 7 out); read 3 of 40 partial components,
// 1,204 vertices, 88 KB of graph, 1,024 KB of vectors".
std::string UpdateLine(const DClustRUpdate& update);

// The fields of the summary that only dclustr has: of the store, and of what
// its updates did. Without any, `update` is the collection's Describe, so that
// the fields are always the same.
void ReportStore(const DClustRStoreOptions& options, RunReport* report);
void ReportUpdate(const DClustRUpdate& update, RunReport* report);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_COLLECTION_DCLUSTR_REPORT_H_
