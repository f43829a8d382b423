// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/describe/threshold_sweep.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "graph/stars/star_cover.h"
#include "gtest/gtest.h"
#include "tools/describe/describe_flags.h"

namespace warpclust {
namespace {

std::string Values(absl::string_view text) {
  const absl::StatusOr<std::vector<Decimal>> values = ParseSweep(text);
  if (!values.ok()) return std::string(values.status().message());
  return absl::StrJoin(*values, " ", [](std::string* out, const Decimal& v) {
    absl::StrAppend(out, FormatDecimal(v));
  });
}

TEST(ParseSweepTest, Values) {
  EXPECT_EQ(Values("0.05:0.6"),
            "0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.55 0.6");
  EXPECT_EQ(Values("0.1:0.5"),
            "0.1 0.125 0.15 0.175 0.2 0.225 0.25 0.275 0.3 0.325 0.35 0.375 "
            "0.4 0.425 0.45 0.475 0.5");
  EXPECT_EQ(Values("0.1:0.35:0.1"), "0.1 0.2 0.3");
  EXPECT_EQ(Values("0.7:1:.1"), "0.7 0.8 0.9 1");
  EXPECT_EQ(Values("0.25:0.25"), "0.25");
  EXPECT_EQ(Values("0.3:0.300000002"), "0.3 0.300000001 0.300000002");
  EXPECT_EQ(Values("1e-9:1:1"), "0.000000001");
}

TEST(ParseSweepTest, ValuesAreThoseOfBeta) {
  const absl::StatusOr<std::vector<Decimal>> values = ParseSweep("0.05:1");
  ASSERT_TRUE(values.ok());
  for (const Decimal& value : *values) {
    const absl::StatusOr<Decimal> beta = ParseDecimal(FormatDecimal(value));
    ASSERT_TRUE(beta.ok());
    EXPECT_EQ(value.numerator, beta->numerator);
    EXPECT_EQ(value.denominator, beta->denominator);
  }
}

TEST(ParseSweepTest, Refused) {
  for (const absl::string_view text :
       {"", ":", "0.1", "0.1:", ":0.5", "0.1:x", "0.1:0.2:0.3:0.4", "0:0.5",
        "0.5:0.4", "0.5:1.1", "-0.1:0.5", "0.1:0.5:0", "0.1:0.5:-1",
        "0.1:0.5:2", "1/3:0.5", "0.1:0.2:0.0000000001", "0.1:0.9:0.0001"}) {
    const absl::Status status = ParseSweep(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(status.message().substr(0, 18), "--sweep: expected ")
        << status.message();
  }
}

// Four documents of two terms: cosines of the first with the second and third
// are 0.6 and 0.8; the fourth is apart.
NamedDocuments Four() {
  NamedDocuments named;
  named.documents.num_terms = 3;
  named.documents.offsets = {0, 1, 3, 5, 6};
  named.documents.terms = {0, 0, 1, 0, 1, 2};
  named.documents.weights = {5, 3, 4, 4, 3, 1};
  named.ids = {"a", "b", "c", "d"};
  return named;
}

TEST(ThresholdSweepTest, Measures) {
  const NamedDocuments named = Four();
  ThresholdSweep sweep(named, /*num_threads=*/1);
  StarCover stars;
  stars.cover.Append({0, 1, 2});
  stars.cover.Append({1, 2});
  stars.cover.Append({3});
  stars.centers = {0, 1, 3};
  ASSERT_TRUE(sweep.Add("0.5", 3, stars).ok());
  StarCover alone;
  for (int32_t d = 0; d < 4; ++d) {
    alone.cover.Append({d});
    alone.centers.push_back(d);
  }
  ASSERT_TRUE(sweep.Add("1", 0, alone).ok());
  ASSERT_EQ(sweep.steps().size(), 2);
  const SweepStep& step = sweep.steps()[0];
  EXPECT_EQ(step.edges, 3);
  EXPECT_EQ(step.clusters, 3);
  EXPECT_EQ(step.alone, 1);
  EXPECT_EQ(step.coverage, 0.75);
  EXPECT_EQ(step.overlap, 1.5);
  // The means of {0.6, 0.8} and of {0.96}.
  EXPECT_NEAR(*step.inner_cosine, (0.7 + 0.96) / 2, 1e-12);
  // Against clusters of one, the precision is 1 and the recall, by document,
  // 1/3, 1/6, 1/6 and 1.
  EXPECT_NEAR(*step.agreement, 10.0 / 17, 1e-12);
  EXPECT_EQ(sweep.steps()[1].coverage, 0);
  EXPECT_FALSE(sweep.steps()[1].inner_cosine.has_value());
  EXPECT_FALSE(sweep.steps()[1].agreement.has_value());
}

TEST(ThresholdSweepTest, TheSameClustersAgree) {
  const NamedDocuments named = Four();
  ThresholdSweep sweep(named, /*num_threads=*/1);
  StarCover stars;
  stars.cover.Append({0, 1, 2, 3});
  stars.centers = {0};
  ASSERT_TRUE(sweep.Add("0.5", 3, stars).ok());
  ASSERT_TRUE(sweep.Add("0.6", 3, stars).ok());
  EXPECT_EQ(sweep.steps()[0].agreement, 1);
}

TEST(WriteSweepTest, TableAndJson) {
  SweepStep first;
  first.threshold = "0.25";
  first.edges = 7;
  first.clusters = 3;
  first.alone = 1;
  first.coverage = 0.75;
  first.overlap = 1.5;
  first.inner_cosine = 0.83;
  first.agreement = 2.0 / 3;
  SweepStep last;
  last.threshold = "0.5";
  const std::vector<SweepStep> steps = {first, last};
  std::string text;
  const auto write = [&text](absl::string_view piece) {
    absl::StrAppend(&text, piece);
  };
  WriteSweep(steps, /*as_json=*/false, write);
  EXPECT_EQ(text,
            "beta\tedges\tclusters\talone\tcoverage\toverlap\tinner_cosine\t"
            "agreement\n"
            "0.25\t7\t3\t1\t0.750000\t1.500000\t0.830000\t0.666667\n"
            "0.5\t0\t0\t0\t0.000000\t0.000000\t\t\n");
  text.clear();
  WriteSweep(steps, /*as_json=*/true, write);
  EXPECT_EQ(text,
            "{\"sweep\":[\n"
            "{\"beta\":0.25,\"edges\":7,\"clusters\":3,\"alone\":1,"
            "\"coverage\":0.750000,\"overlap\":1.500000,"
            "\"inner_cosine\":0.830000,\"agreement\":0.666667},\n"
            "{\"beta\":0.5,\"edges\":0,\"clusters\":0,\"alone\":0,"
            "\"coverage\":0.000000,\"overlap\":0.000000,"
            "\"inner_cosine\":null,\"agreement\":null}\n]}\n");
}

}  // namespace
}  // namespace warpclust
