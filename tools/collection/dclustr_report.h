// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run of dclustr reports about its updates.

#ifndef WARPCLUST_TOOLS_COLLECTION_DCLUSTR_REPORT_H_
#define WARPCLUST_TOOLS_COLLECTION_DCLUSTR_REPORT_H_

#include <string>

#include "algorithms/dclustr/dclustr.h"
#include "tools/cli/run_report.h"

namespace warpclust {

// Adds the update `later` to `sum`, the updates before it.
void AddUpdate(const DClustRUpdate& later, DClustRUpdate* sum);

// "added 12 documents, removed 3; added 56 edges, removed 7; read 3 of 40 parts
// of the graph (1,204 vertices, 88 KB) and 1,024 KB of vectors". The parts are
// the partial components of the store.
std::string UpdateLine(const DClustRUpdate& update);

// The fields of the summary that only dclustr has. Without an update, `update`
// is DClustRCollection::Describe, so that the fields are always the same.
void ReportStore(const DClustRStoreOptions& options, RunReport* report);
void ReportUpdate(const DClustRUpdate& update, RunReport* report);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_COLLECTION_DCLUSTR_REPORT_H_
