// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/describe/threshold_sweep.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "eval/bcubed.h"
#include "eval/describe/cluster_descriptions.h"
#include "tools/cli/cli.h"
#include "tools/describe/write_descriptions.h"

namespace warpclust {
namespace {

// Thresholds are counted in units of 10^-9, the finest decimal.
constexpr int64_t kUnits = 1000000000;
constexpr int64_t kMostByDefault = 17;
constexpr int64_t kMost = 1000;

// In units; none unless `text` is a decimal.
absl::optional<int64_t> Units(absl::string_view text) {
  const absl::StatusOr<Decimal> value = ParseDecimal(text);
  if (!value.ok() || kUnits % value->denominator != 0 || value->numerator < 0 ||
      value->numerator > value->denominator) {
    return absl::nullopt;
  }
  return value->numerator * (kUnits / value->denominator);
}

int64_t DefaultStep(int64_t range) {
  for (int64_t power = 1;; power *= 10) {
    // Ten times 1, 2, 2.5 and 5.
    for (const int64_t tenths : {10, 20, 25, 50}) {
      if (power * tenths % 10 != 0) continue;
      const int64_t step = power * tenths / 10;
      if (range / step + 1 <= kMostByDefault) return step;
    }
  }
}

std::string Number(absl::optional<double> value, absl::string_view none) {
  return value.has_value() ? absl::StrFormat("%.6f", *value)
                           : std::string(none);
}

// Names and values, in their order.
std::vector<JsonField> Fields(const SweepStep& step, absl::string_view none) {
  return {{"beta", FormatDecimal(step.threshold)},
          {"edges", absl::StrCat(step.edges)},
          {"clusters", absl::StrCat(step.clusters)},
          {"alone", absl::StrCat(step.alone)},
          {"coverage", Number(step.coverage, none)},
          {"overlap", Number(step.overlap, none)},
          {"inner_cosine", Number(step.inner_cosine, none)},
          {"agreement", Number(step.agreement, none)}};
}

}  // namespace

void AddSweepFlag(std::string* target, FlagSet* flags) {
  flags->AddString(
      "sweep", target, "FROM:TO[:STEP]",
      "Instead of clusters, write a table of what each of these --beta would "
      "give: edges, clusters, coverage, overlap, inner cosine, and agreement "
      "with the next one. Without STEP, at most 17 round values. With "
      "--report, the page of the run at --beta shows it too.");
}

absl::StatusOr<std::vector<Decimal>> ParseSweep(absl::string_view text) {
  const auto bad = [text](absl::string_view expected) {
    return UsageError(absl::StrCat("--sweep: expected ", expected, ", found ",
                                   QuoteInput(text)));
  };
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  std::vector<int64_t> units;
  for (const absl::string_view part : parts) {
    const absl::optional<int64_t> value = Units(part);
    if (!value.has_value()) break;
    units.push_back(*value);
  }
  if (units.size() != parts.size() || units.size() < 2 || units.size() > 3) {
    return bad("FROM:TO or FROM:TO:STEP, decimals from 0 to 1");
  }
  const int64_t from = units[0];
  const int64_t range = units[1] - from;
  if (from == 0) return bad("a FROM above 0");
  if (range < 0) return bad("a TO of at least FROM");
  if (units.size() == 3 && units[2] == 0) return bad("a STEP above 0");
  const int64_t step = units.size() == 3 ? units[2] : DefaultStep(range);
  const int64_t count = range / step + 1;
  if (count > kMost) {
    return bad(absl::StrCat("at most ", kMost, " thresholds"));
  }
  std::vector<Decimal> thresholds;
  for (int64_t k = 0; k < count; ++k) {
    // As --beta reads it: the denominator is part of the arithmetic.
    ASSIGN_OR_RETURN(
        const Decimal threshold,
        ParseDecimal(FormatDecimal(Decimal{from + k * step, kUnits})));
    thresholds.push_back(threshold);
  }
  return thresholds;
}

absl::Status ThresholdSweep::Add(const Decimal& threshold, int64_t num_edges,
                                 const StarCover& stars) {
  const Cover& cover = stars.cover;
  const auto n = static_cast<int32_t>(named_.ids.size());
  DescribedDocuments described = DescribedOf(named_);
  described.words = {};
  described.titles = {};
  DescribeOptions options;
  options.terms = 0;
  options.neighbors = 0;
  options.exemplars = 0;
  options.num_threads = num_threads_;
  ASSIGN_OR_RETURN(const ClusterDescriptions descriptions,
                   DescribeClusters(cover, stars.centers, described, options));
  SweepStep step;
  step.threshold = threshold;
  step.edges = num_edges;
  step.clusters = cover.num_clusters();
  double inner = 0;
  std::vector<bool> covered(n);
  int64_t num_covered = 0;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    const absl::Span<const int32_t> members = cover.MembersOf(c);
    if (members.size() < 2) {
      ++step.alone;
      continue;
    }
    inner += descriptions.clusters[c].inner_cosine;
    for (const int32_t d : members) {
      if (!covered[d]) ++num_covered;
      covered[d] = true;
    }
  }
  const int64_t several = step.clusters - step.alone;
  if (several > 0) step.inner_cosine = inner / static_cast<double>(several);
  if (n > 0) {
    step.coverage = static_cast<double>(num_covered) / n;
    step.overlap = static_cast<double>(cover.num_memberships()) / n;
  }
  if (!steps_.empty()) {
    ASSIGN_OR_RETURN(const BCubed agreement,
                     ComputeBCubed(previous_, cover, n, num_threads_));
    steps_.back().agreement = agreement.f;
  }
  steps_.push_back(step);
  previous_ = cover;
  return absl::OkStatus();
}

void WriteSweep(absl::Span<const SweepStep> steps, bool as_json,
                absl::FunctionRef<void(absl::string_view)> write) {
  std::string text;
  if (as_json) {
    for (const SweepStep& step : steps) {
      absl::StrAppend(&text, text.empty() ? "" : ",\n",
                      JsonObject(Fields(step, "null")));
    }
    write(absl::StrCat("{\"sweep\":[\n", text, "\n]}\n"));
    return;
  }
  const auto append = [&text](const SweepStep& step, bool names) {
    char separator = '\0';
    for (const JsonField& field : Fields(step, "")) {
      if (separator != '\0') text += separator;
      text += names ? field.name : field.json;
      separator = '\t';
    }
    text += '\n';
  };
  append(SweepStep(), /*names=*/true);
  for (const SweepStep& step : steps) append(step, /*names=*/false);
  write(text);
}

}  // namespace warpclust
