// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/csv_points.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/io/csv/csv_quotes.h"
#include "base/io/lines/collect_lines.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/io/coordinate_field.h"
#include "vptree/io/csv_row_parser.h"
#include "vptree/io/point_columns.h"

namespace warpclust {
namespace {

using csv_row::CheckColumns;
using csv_row::Content;
using csv_row::Fields;
using csv_row::IsBlank;
using csv_row::IsRow;
using csv_row::SeparatorOf;
using csv_row::StripBlanks;

constexpr int64_t kMostPoints = std::numeric_limits<int32_t>::max();

// Returns whether other programs write a missing number so. A column may be
// called NA, but not every column.
bool StandsForMissing(absl::string_view field) {
  for (absl::string_view name : {"na", "n/a", "null", "none"}) {
    if (absl::EqualsIgnoreCase(field, name)) return true;
  }
  return false;
}

// A header has a letter and no field that is a number; "1,5;2,5" is not a
// header. A quoted field may be a name that looks like a number, but not every
// field.
bool IsHeader(absl::string_view line,
              const std::vector<absl::string_view>& fields) {
  const bool has_letter = std::any_of(line.begin(), line.end(), [](char c) {
    return absl::ascii_isalpha(static_cast<unsigned char>(c)) ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  return has_letter &&
         std::none_of(fields.begin(), fields.end(), IsNumericField) &&
         !std::all_of(fields.begin(), fields.end(),
                      [](absl::string_view field) {
                        const std::string text = Content(field);
                        return IsNumericField(text) || StandsForMissing(text);
                      });
}

// Whether the first coordinate counts up by one from `start`, which is that of
// point 0. The points begin with number `first`.
bool FirstCounts(absl::Span<const double> values, int64_t num_dimensions,
                 double start, int64_t first) {
  const int64_t num_points =
      static_cast<int64_t>(values.size()) / num_dimensions;
  for (int64_t i = 0; i < num_points; ++i) {
    if (values[i * num_dimensions] != start + static_cast<double>(first + i)) {
      return false;
    }
  }
  return true;
}

void DropFirst(PointMatrix* points) {
  const int32_t from = points->num_dimensions;
  const int32_t to = from - 1;
  for (int64_t i = 0; i < points->num_points; ++i) {
    std::copy_n(points->values.begin() + i * from + 1, to,
                points->values.begin() + i * to);
  }
  points->num_dimensions = to;
  points->values.resize(static_cast<size_t>(int64_t{points->num_points} * to));
}

// The values of all parts, in order. A part is freed once it is copied.
std::vector<double> Concatenate(std::vector<std::vector<double>> parts,
                                int num_threads) {
  const auto num_parts = static_cast<int64_t>(parts.size());
  std::vector<int64_t> offsets = {0};
  for (const std::vector<double>& part : parts) {
    offsets.push_back(offsets.back() + static_cast<int64_t>(part.size()));
  }
  const int threads = ResolveThreads(num_threads);
  std::vector<double> values;
  ResizeVector(offsets.back(), threads, &values);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int64_t p = 0; p < num_parts; ++p) {
    const std::vector<double> part = std::move(parts[p]);
    std::copy(part.begin(), part.end(), values.begin() + offsets[p]);
  }
  return values;
}

// The points of a file. For CollectLines.
class PointCollector {
 public:
  PointCollector(absl::string_view name, const CsvPointsOptions& options)
      : name_(name), options_(&options) {}

  absl::Status Add(const LineReader& lines, absl::string_view line);

  bool IsSettled() const { return num_points_ > 0; }
  PointCollector ForBlock() const {
    PointCollector block(name_, *options_);
    block.in_block_ = true;
    block.first_ = false;
    block.parser_ = parser_;
    block.columns_ = columns_;
    block.header_line_ = header_line_;
    block.header_columns_ = header_columns_;
    return block;
  }
  absl::StatusOr<bool> Append(PointCollector block,
                              std::function<void()>* rest);

  // What was read. `lines` has ended.
  absl::StatusOr<CsvPoints> Finish(const LineReader& lines);

  // The parts of Finish, for shares.
  int64_t num_points() const { return num_points_; }
  double first_value() const {
    return parts_.empty() ? result_.points.values[0] : parts_[0][0];
  }
  // Puts all coordinates in one place.
  void Join();
  // Whether the first column counts, of `num_points` points in all, if
  // point 0 has `start`.
  bool Counts(double start, int64_t first, int64_t num_points) const;
  CsvPoints Conclude(bool first_counts);

 private:
  bool AreNamed() const { return columns_.name_column.has_value(); }
  // Whether Counts may become true if point 0 has `start`.
  bool MayCount(double start) const {
    return options_->leave_out_ids && options_->columns.empty() &&
           !columns_.left_out[0] && columns_.num_left() > 1 &&
           (start == 0 || start == 1);
  }
  absl::Status TakeFirst(const LineReader& lines, absl::string_view line,
                         bool* is_header);

  absl::string_view name_;  // Of the input.
  const CsvPointsOptions* options_;
  bool in_block_ = false;
  CsvPoints result_;
  CsvRowParser parser_;
  PointColumns columns_;
  // The coordinates before those of `result_`, in order.
  std::vector<std::vector<double>> parts_;
  int64_t num_points_ = 0;
  int64_t header_line_ = 0;
  int64_t header_columns_ = 0;
  bool first_ = true;
  // The line of each name, in a block.
  std::vector<int64_t> name_lines_;
};

// The first line that is no comment decides about the columns.
absl::Status PointCollector::TakeFirst(const LineReader& lines,
                                       absl::string_view line,
                                       bool* is_header) {
  first_ = false;
  const std::vector<absl::string_view> fields = Fields(line, SeparatorOf(line));
  std::vector<std::string>& header = result_.header;
  *is_header = IsHeader(line, fields);
  if (*is_header) {
    for (const absl::string_view field : fields) {
      header.push_back(Content(field));
    }
  }
  ASSIGN_OR_RETURN(columns_,
                   SelectPointColumns(lines, header, fields.size(), *options_));
  if (columns_.num_left() < static_cast<int64_t>(fields.size())) {
    parser_.LeaveOut(columns_.left_out);
  }
  if (AreNamed()) parser_.NameBy(*columns_.name_column);
  if (!*is_header) return absl::OkStatus();
  header_line_ = lines.line_number();
  header_columns_ = fields.size();
  // The row names that pandas and R write would become a coordinate.
  if (header[0].empty() && !columns_.left_out[0]) {
    return lines.Expected(
        "a name for the first column, or no column of row numbers or names",
        line);
  }
  return absl::OkStatus();
}

absl::Status PointCollector::Add(const LineReader& lines,
                                 absl::string_view line) {
  line = StripBlanks(line);
  if (line.empty()) return absl::OkStatus();
  if (line.front() == '#') {
    // A comment. A point would be lost if it were one.
    const int64_t known =
        header_line_ > 0 ? header_columns_ : parser_.num_columns();
    if (columns_.name_column == size_t{0} && line.size() > 1 &&
        !IsBlank(line[1]) && IsRow(line, known)) {
      return lines.Expected(
          "an id that does not start with #, or a comment that starts with a "
          "blank after #",
          line);
    }
    return absl::OkStatus();
  }
  if (lines.line_number() == 1 && IsSeparatorLine(line)) {
    return absl::OkStatus();
  }
  if (first_) {
    bool is_header;
    RETURN_IF_ERROR(TakeFirst(lines, line, &is_header));
    if (is_header) return absl::OkStatus();
  }
  RETURN_IF_ERROR(parser_.Parse(lines, line));
  if (num_points_ == 0 && header_line_ > 0) {
    RETURN_IF_ERROR(CheckColumns(lines, line, parser_.num_columns(),
                                 header_columns_, header_line_));
  }
  if (num_points_ == kMostPoints) {
    return lines.Annotate(absl::InvalidArgumentError(
        absl::StrCat("expected at most ", kMostPoints, " points, found more")));
  }
  std::vector<double>& values = result_.points.values;
  values.insert(values.end(), parser_.row().begin(), parser_.row().end());
  if (AreNamed()) {
    if (in_block_) {
      name_lines_.push_back(lines.line_number());
    } else if (options_->check_name) {
      RETURN_IF_ERROR(options_->check_name(lines.name(), lines.line_number(),
                                           parser_.name()));
    }
    result_.names.push_back(parser_.name());
  }
  ++num_points_;
  return absl::OkStatus();
}

absl::StatusOr<bool> PointCollector::Append(PointCollector block,
                                            std::function<void()>* rest) {
  if (block.num_points_ > kMostPoints - num_points_) return false;
  std::vector<std::string>& names = block.result_.names;
  for (size_t i = 0; i < names.size(); ++i) {
    if (options_->check_name) {
      RETURN_IF_ERROR(
          options_->check_name(name_, block.name_lines_[i], names[i]));
    }
    result_.names.push_back(std::move(names[i]));
  }
  parts_.push_back(std::move(result_.points.values));
  parts_.push_back(std::move(block.result_.points.values));
  result_.points.values.clear();
  if (options_->watch && !MayCount(first_value())) {
    // The values stay where they are until all blocks are appended.
    *rest = [watch = &options_->watch, columns = columns_.num_left(),
             first = num_points_ * columns_.num_left(),
             values = absl::MakeConstSpan(parts_.back())] {
      (*watch)({/*num_rows=*/0, columns, first, values});
    };
  }
  num_points_ += block.num_points_;
  return true;
}

void PointCollector::Join() {
  if (parts_.empty()) return;
  parts_.push_back(std::move(result_.points.values));
  result_.points.values = Concatenate(std::move(parts_), options_->num_threads);
  parts_.clear();
}

bool PointCollector::Counts(double start, int64_t first,
                            int64_t num_points) const {
  return MayCount(start) && num_points >= CsvPointsOptions::kCountedPoints &&
         FirstCounts(result_.points.values, columns_.num_left(), start, first);
}

absl::StatusOr<CsvPoints> PointCollector::Finish(const LineReader& lines) {
  if (num_points_ == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ": expected a line of coordinates, found ",
        header_line_ == 0
            ? "none"
            : absl::StrCat("only a header, ",
                           QuoteInput(absl::StrJoin(result_.header, ",")))));
  }
  Join();
  return Conclude(Counts(first_value(), 0, num_points_));
}

CsvPoints PointCollector::Conclude(bool first_counts) {
  PointMatrix& points = result_.points;
  points.num_points = static_cast<int32_t>(num_points_);
  points.num_dimensions = static_cast<int32_t>(columns_.num_left());
  if (first_counts) {
    columns_.left_out[0] = true;
    columns_.ids.push_back("column 1, which counts the rows");
    DropFirst(&points);
  }
  for (size_t c = 0; c < columns_.left_out.size(); ++c) {
    if (columns_.left_out[c]) {
      result_.left_out.push_back(static_cast<int32_t>(c) + 1);
    }
  }
  result_.ids = std::move(columns_.ids);
  if (AreNamed()) {
    result_.name_column = static_cast<int32_t>(*columns_.name_column) + 1;
  }
  return std::move(result_);
}

}  // namespace

struct CsvPointShare::State {
  // Both are referred to by the collector.
  std::string name;
  CsvPointsOptions options;
  // The line of the first point, and its first coordinate.
  int64_t first_line = 0;
  double start = 0;
  absl::optional<PointCollector> collector;
};

CsvPointShare::CsvPointShare(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
CsvPointShare::CsvPointShare(CsvPointShare&&) noexcept = default;
CsvPointShare& CsvPointShare::operator=(CsvPointShare&&) noexcept = default;
CsvPointShare::~CsvPointShare() = default;

absl::StatusOr<CsvPointShare> CsvPointShare::Begin(
    LineReader& head, const CsvPointsOptions& options) {
  if (!options.name_column.empty()) {
    return absl::InvalidArgumentError(
        "name_column: expected none for points in shares");
  }
  auto state = std::make_unique<State>();
  state->name = head.name();
  state->options = options;
  state->options.watch = nullptr;
  PointCollector first(state->name, state->options);
  absl::string_view line;
  while (!first.IsSettled()) {
    if (!head.Next(&line)) {
      RETURN_IF_ERROR(head.status());
      return first.Finish(head).status();
    }
    RETURN_IF_ERROR(first.Add(head, line));
  }
  state->first_line = head.line_number();
  state->start = first.first_value();
  state->collector = first.ForBlock();
  return CsvPointShare(std::move(state));
}

absl::Status CsvPointShare::Add(LineReader& lines) {
  absl::string_view skipped;
  while (lines.line_number() + 1 < state_->first_line && lines.Next(&skipped)) {
  }
  return CollectLines(lines, state_->options.num_threads, &*state_->collector);
}

int64_t CsvPointShare::num_points() const {
  return state_->collector->num_points();
}

bool CsvPointShare::FirstCounts(int64_t first, int64_t num_points) const {
  state_->collector->Join();
  return state_->collector->Counts(state_->start, first, num_points);
}

CsvPoints CsvPointShare::Finish(bool first_counts) {
  state_->collector->Join();
  return state_->collector->Conclude(first_counts);
}

absl::StatusOr<CsvPoints> ReadCsvPoints(LineReader& lines,
                                        const CsvPointsOptions& options) {
  PointCollector collector(lines.name(), options);
  RETURN_IF_ERROR(CollectLines(lines, options.num_threads, &collector));
  return collector.Finish(lines);
}

absl::StatusOr<CsvPoints> ReadCsvPoints(absl::string_view path,
                                        const CsvPointsOptions& options) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadCsvPoints(lines, options);
}

absl::StatusOr<PointMatrix> ReadCsvPoints(LineReader& lines) {
  ASSIGN_OR_RETURN(CsvPoints read, ReadCsvPoints(lines, CsvPointsOptions()));
  return std::move(read.points);
}

absl::StatusOr<PointMatrix> ReadCsvPoints(absl::string_view path) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadCsvPoints(lines);
}

}  // namespace warpclust
