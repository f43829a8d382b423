// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccTable: the tables of the store of a changing collection. Its graph
// (graph/pcc_store/pcc_store.h) and its documents
// (graph/pcc_store/documents/document_store.h) share one environment, so that
// both change in one transaction. graph/pcc_store/README.md says what the
// tables hold.

#ifndef WARPCLUST_GRAPH_PCC_STORE_LMDB_PCC_TABLES_H_
#define WARPCLUST_GRAPH_PCC_STORE_LMDB_PCC_TABLES_H_

namespace warpclust {

// Numbers of tables, in the order of kPccTableNames.
enum PccTable {
  kMeta,
  kRows,
  kComponents,
  kConnected,
  kVertices,
  kCover,
  kDocuments,
  kNames,
  kIds,
  kTerms,
  kNumTables,
};

// For LmdbEnvironment::Open.
inline constexpr const char* kPccTableNames[kNumTables] = {
    "meta",  "rows",      "components", "connected", "vertices",
    "cover", "documents", "names",      "ids",       "terms"};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_LMDB_PCC_TABLES_H_
