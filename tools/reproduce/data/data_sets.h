// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DataSets: the data sets of one paper, by the names that the paper gives them.
//
//   ASSIGN_OR_RETURN(const DataSet<DocumentMatrix> reuters,
//                    sets.Documents("Reu-10K"));
//
// data_sets.tsv says where each is: in a file of --data, or generated. A set
// that is not the paper's own carries what it stands in for.

#ifndef WARPCLUST_TOOLS_REPRODUCE_DATA_DATA_SETS_H_
#define WARPCLUST_TOOLS_REPRODUCE_DATA_DATA_SETS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/signed/signed_graph.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/reproduce/data/data_source.h"
#include "tools/reproduce/frame/report.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

template <typename T>
struct DataSet {
  T data;
  // For ReportRow.
  std::string name;
  std::string stand_in;

  // Sets data_set and stand_in of a row.
  ReportRow In(ReportRow row) const {
    row.data_set = name;
    row.stand_in = stand_in;
    return row;
  }
};

struct DataSetsOptions {
  std::string paper;   // Paper::key
  std::string folder;  // --data; may be empty.
  bool quick = false;
  std::string scratch;  // An existing directory.
  int num_threads = 0;
};

class DataSets {
 public:
  // Finds the files that the paper's sets name, in the folder and those in it,
  // and computes their SHA-256. NotFound if there is no such folder;
  // InvalidArgument for a mistake in the .tsv files.
  static absl::StatusOr<DataSets> Open(const DataSetsOptions& options);

  // The files, found or not.
  const std::vector<DataFile>& files() const { return files_; }

  // Each reads or generates a set. NotFound "... is not at hand" without a
  // source; errors of the readers. Documents of counts; of a stream, words.
  absl::StatusOr<DataSet<DocumentMatrix>> Documents(absl::string_view set);
  absl::StatusOr<DataSet<PointMatrix>> Points(absl::string_view set);
  absl::StatusOr<DataSet<SignedGraph>> Signed(absl::string_view set);

 private:
  // A line of data_sets.tsv.
  struct Entry {
    std::vector<DataSource> own;
    std::vector<DataSource> stand_in;
    std::vector<DataSource> quick;
  };
  struct Found {
    DataSource source;
    bool is_own;
    std::string path;
  };

  explicit DataSets(const DataSetsOptions& options) : options_(options) {}

  absl::Status ReadEntries();
  absl::Status FindFiles();
  // The first source of the set that is at hand, generated if need be.
  absl::StatusOr<Found> Find(absl::string_view set);
  template <typename T>
  DataSet<T> Named(absl::string_view set, const Found& found, T data) const;

  DataSetsOptions options_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<DataFile> files_;
  std::map<std::string, std::string> path_of_;
  // The documents of the file read last: sets are parts of it.
  std::string held_path_;
  std::shared_ptr<const DocumentMatrix> held_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_DATA_DATA_SETS_H_
