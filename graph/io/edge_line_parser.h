// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// EdgeLineParser: parses the lines of an edge list except the weights: two or
// three columns, the same number in all lines; comments; "#vertex<TAB>name".
// Vertices are numbered in order of first appearance.
// graph/io/edge_list_reader.h defines the format.
//
// With Columns::kCsv, the first line may be a header, names may be quoted, and
// semicolons may separate.
// graph/io/signed_edge_list.h defines both.

#ifndef WARPCLUST_GRAPH_IO_EDGE_LINE_PARSER_H_
#define WARPCLUST_GRAPH_IO_EDGE_LINE_PARSER_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_reader.h"
#include "graph/io/id_map.h"

namespace warpclust {

// One edge as in its line. The views are valid as long as the line, and until
// the next one is parsed.
struct EdgeLine {
  absl::string_view u_name;
  absl::string_view v_name;
  // Empty if there is no third column.
  absl::string_view weight;
};

class EdgeLineParser {
 public:
  enum class Columns { kPlain, kCsv };

  explicit EdgeLineParser(Columns columns = Columns::kPlain)
      : csv_(columns == Columns::kCsv) {}

  // True if `line`, the last one that `lines` returned, has an edge.
  // InvalidArgument "file:line: ..." for another number of columns,
  // ResourceExhausted for 2^31 names in comments.
  absl::StatusOr<bool> Parse(const LineReader& lines, absl::string_view line,
                             EdgeLine* edge);
  // Numbers the ends of the edge that Parse has set, in the order of the calls.
  // `u` and `v` get the numbers at Settle, or before; they may be null. Plain
  // numbers wait for others, so that memory is asked for some time before it is
  // read. ResourceExhausted for 2^31 names.
  absl::Status NumberEnds(const LineReader& lines, const EdgeLine& edge,
                          int32_t* u, int32_t* v);
  // Call it before the numbers are used, and after the last line.
  void Settle();

  // Whether the layout of the lines is known: it changes only by comments
  // "#vertex". Then the lines can be parsed in blocks.
  bool IsSettled() const { return num_columns_ > 0 && !header_pending_; }
  // A parser of a block of the lines that follow. This parser is settled. A
  // vertex of an edge there has its number here if that is known, or else ~i,
  // for the i-th vertex that is not.
  EdgeLineParser ForBlock();
  // Looks up the vertices that `block`, a copy of ForBlock(), has collected.
  // Reads ids() alone, and so may run beside Append of a block for which it
  // was true. If all are known: true, and sets `*ids` to the number here of
  // vertex ~i there, for each i.
  bool FindVertices(EdgeLineParser* block, std::vector<int32_t>* ids) const;
  // Goes on behind the block that `block`, a copy of ForBlock(), has parsed
  // without an error, and sets `*ids` to the number here of vertex ~i there;
  // FindVertices leaves none. False, without effect, if this parser would parse
  // the block otherwise, or might find too many vertices.
  bool Append(const EdgeLineParser& block, std::vector<int32_t>* ids);

  // Call it after the last line. InvalidArgument if the first of several lines
  // of two columns has words and all others have numbers: it is a header. Also
  // if the first line of three columns is a header and no edge follows it.
  absl::Status CheckHeader(const LineReader& lines) const;

  // The line of the header that was skipped, 0 if there is none, and its text.
  int64_t skipped_header_line() const {
    return skipped_header_ ? first_line_ : 0;
  }
  const std::string& header() const { return header_; }

  // All vertices so far.
  IdMap& ids() { return ids_; }
  const IdMap& ids() const { return ids_; }

 private:
  static constexpr int kMostColumns = 64;

  // What comments "#vertex" change.
  struct Mode {
    // There was one: the file has no header and no quotes. Columns::kCsv only.
    bool has_vertex_comments = false;
    // Tabs alone separate columns, since one named a vertex with a blank or a
    // comma.
    bool tabs_separate = false;

    bool operator==(const Mode&) const = default;
  };

  // The fast path of a settled parser: two plain numbers, and the weight if
  // there is one, at the usual places. False for any other line.
  bool TakeNumbers(absl::string_view line, EdgeLine* edge);

  // False if there are too many names.
  bool Number(absl::string_view name, int32_t* vertex);
  bool HasRoomForWaiting() const;

  // These return the number of columns of `line` and set `columns_`.
  int SplitAtSeparators(absl::string_view line);
  int SplitAtTabs(absl::string_view line);
  int SplitAtSeparator(absl::string_view line);
  // True if the first line, with `count` columns, is a header, or looks like
  // one until the next line is known.
  absl::StatusOr<bool> TakeHeader(const LineReader& lines,
                                  absl::string_view line, int count);
  absl::Status HeaderError(const LineReader& lines) const;
  // Column `i` without quotes.
  absl::string_view Field(int i);

  bool csv_;
  std::array<absl::string_view, kMostColumns> columns_;
  // Where an edge has its vertices and its weight; kNone without weights.
  static constexpr int kNone = -1;
  int u_column_ = 0;
  int v_column_ = 1;
  int weight_column_ = 2;
  // Of columns with doubled quotes: u, v, any other.
  std::array<std::string, 3> unquoted_;
  Mode mode_;
  // Of ForBlock(): what `mode_` was before the block.
  Mode first_mode_;
  // What alone separates columns: a semicolon, or what the header has. 0: any
  // separator except semicolons.
  char separator_ = 0;
  bool skipped_header_ = false;
  // The weight in the next line decides whether the first line is a header.
  bool header_pending_ = false;
  std::string header_weight_;
  int num_columns_ = 0;
  int64_t first_line_ = 0;
  bool may_be_header_ = false;
  bool has_numbers_ = false;  // In the lines after the first.
  std::string header_;
  IdMap ids_;
  // Plain numbers that are not numbered yet, and where the vertex goes.
  struct Waiting {
    int32_t number = 0;
    int32_t* vertex = nullptr;
  };
  static constexpr int32_t kMostWaiting = 32;
  std::array<Waiting, kMostWaiting> waiting_;
  int32_t num_waiting_ = 0;
  // In a block, instead of ids_.
  absl::optional<IdMap::Others> block_names_;
  // What FindVertices found for block_names_; -1: not known then.
  std::vector<int32_t> found_;
};

// InvalidArgument for an edge from a vertex to itself.
absl::Status LoopError(const LineReader& lines, const EdgeLine& edge);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_LINE_PARSER_H_
