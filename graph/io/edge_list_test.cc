// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The reader and the writer of edge lists, each alone and one after the other.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/numbers/decimal.h"
#include "base/testing/comma_locale.h"
#include "graph/io/edge_list_reader.h"
#include "graph/io/edge_list_writer.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

absl::StatusOr<EdgeList> Read(std::string text,
                              EdgeListOptions options = EdgeListOptions()) {
  LineReader lines = LineReader::FromString(std::move(text), "graph.txt");
  return ReadEdgeList(lines, options);
}

std::string ErrorOf(const std::string& text) {
  const absl::StatusOr<EdgeList> list = Read(text);
  EXPECT_EQ(list.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(list.status().message());
}

std::string Write(const CsrGraph& graph, absl::Span<const std::string> ids,
                  int num_threads = 0) {
  std::string text;
  const absl::Status status = WriteEdgeList(
      graph, ids,
      [&](absl::string_view piece) { text.append(piece.data(), piece.size()); },
      num_threads);
  EXPECT_TRUE(status.ok()) << status;
  return text;
}

TEST(ReadEdgeListTest, TwoColumns) {
  const absl::StatusOr<EdgeList> list = Read(
      "# Directed graph: example\n# FromNodeId\tToNodeId\n"
      "10\t30\n30\t20\r\n\n% more\n20 10\n 10\t 20 \n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids, (std::vector<std::string>{"10", "30", "20"}));
  EXPECT_EQ(list->graph.num_edges(), 3);
  EXPECT_EQ(list->graph.weights, std::vector<float>(6, 1.0f));
  EXPECT_TRUE(ValidateGraph(list->graph).ok());
}

TEST(ReadEdgeListTest, ThreeColumnsOfAnyNamesAndSeparators) {
  const absl::StatusOr<EdgeList> list =
      Read("a,b,0.5\nb  Ça \t1e-3\n\"x\"\ta\t+2\nx y -0\na z 1e-60\n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids,
            (std::vector<std::string>{"a", "b", "Ça", "\"x\"", "x", "y", "z"}));
  EXPECT_EQ(list->graph.WeightsOf(0)[0], 0.5f);
  EXPECT_EQ(list->graph.WeightsOf(0)[1], 2.0f);
  EXPECT_EQ(list->graph.WeightsOf(0)[2], 0.0f);
  EXPECT_EQ(list->graph.WeightsOf(1)[1], 1e-3f);
  EXPECT_FALSE(std::signbit(list->graph.WeightsOf(4)[0]));
}

TEST(ReadEdgeListTest, HeadersAndEmptyColumnsAreRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"# a comment\nsource,target\n1,2\n2,3\n",
       ":2: expected two numbers as in all other lines, found 'source target' "
       "(before a header put #)"},
      {"a,b,\n", ":1: expected columns that are not empty, found 'a,b,'"},
      {"a b\na,,b\n", ":2: expected columns that are not empty"},
      {"a b\n,a b\n", ":2: expected columns that are not empty"},
      {"a , , b\n", ":1: expected columns that are not empty"},
  };
  for (const auto& [text, message] : cases) {
    const absl::Status status = Read(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_TRUE(absl::StrContains(status.message(), message)) << status;
  }
  for (const char* const text :
       {"source target\n", "a b\n1 2\nb c\n", "a1 b\n1 2\n", "a b\n1 x2\n",
        "1 2\na b\n", "a , b\n1,\t2\n3 ,4\na b\n"}) {
    EXPECT_TRUE(Read(text).ok()) << text << Read(text).status();
  }
}

TEST(ReadEdgeListTest, EmptyLists) {
  for (const char* const text : {"", "\n", "# nothing\n", "  \n\t\n"}) {
    const absl::StatusOr<EdgeList> list = Read(text);
    ASSERT_TRUE(list.ok()) << list.status();
    EXPECT_EQ(list->graph.num_vertices(), 0);
  }
}

TEST(ReadEdgeListTest, VertexComments) {
  const absl::StatusOr<EdgeList> list =
      Read("#vertex\tlonely\n#vertex\tb\n#vertex\nb a\n#vertex\ta\n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids, (std::vector<std::string>{"lonely", "b", "a"}));
  EXPECT_EQ(list->graph.Degree(0), 0);
  EXPECT_TRUE(
      absl::StrContains(ErrorOf("#vertex\t\n"), "the name of a vertex"));
}

TEST(ReadEdgeListTest, ErrorsNameFileLineExpectedFound) {
  EXPECT_EQ(ErrorOf("a\n"), "graph.txt:1: expected 2 or 3 columns, found 'a'");
  EXPECT_EQ(ErrorOf("# c\na b 1 9\n"),
            "graph.txt:2: expected 2 or 3 columns, found 'a b 1 9'");
  EXPECT_EQ(ErrorOf("a b\n\na b 1\n"),
            "graph.txt:3: expected 2 columns as in line 1, found 'a b 1'");
  EXPECT_EQ(ErrorOf("a b 1\na c\n"),
            "graph.txt:2: expected 3 columns as in line 1, found 'a c'");
  EXPECT_EQ(ErrorOf("a a 1\n"),
            "graph.txt:1: expected two different vertices, found 'a a'");
  EXPECT_EQ(ErrorOf("a b -0.25\n"),
            "graph.txt:1: expected a weight of at least 0, found '-0.25'");
  for (const std::string weight :
       {"x", "nan", "-nan", "inf", "-infinity", "1e39", "0.5x", "1..2", "--1",
        "+-1", "0x1p3", "1e", "+"}) {
    EXPECT_EQ(ErrorOf(absl::StrCat("a b 1\na c ", weight, "\n")),
              absl::StrCat("graph.txt:2: expected a finite weight, found '",
                           weight, "'"));
  }
  // Comments in between do not shift the lines.
  EXPECT_EQ(ErrorOf("a b 0.5\n# c\n\na c 1\n# d\nb a 0.75\na b 0.5\n"),
            "graph.txt:6: expected the weight 0.5 that line 1 gives to 'b' "
            "and 'a', found 0.75");
}

TEST(ReadEdgeListTest, Options) {
  EdgeListOptions options;
  options.allow_negative_weights = true;
  absl::StatusOr<EdgeList> list = Read("a b -1\nb c 1\n", options);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->graph.WeightsOf(0)[0], -1.0f);

  // The first three are one float.
  options.min_weight = 0.35;
  list = Read(
      "a b 0.349999994\nb c 0.35\nd c 0.350000003\nb d 0.3499999\nd a 0.36\n"
      "c a 0.349999997\na c 0.35\n",
      options);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids.size(), 4);
  EXPECT_EQ(list->graph.num_edges(), 3);
  EXPECT_EQ(list->graph.neighbors, (std::vector<int32_t>{3, 2, 1, 3, 0, 2}));
  EXPECT_TRUE(ValidateGraph(list->graph).ok());
  EXPECT_FALSE(Read("a b 0.1\na b 0.2\n", options).ok());
  options.min_weight = 1;
  EXPECT_EQ(Read("a b\nb c\n", options)->graph.num_edges(), 2);
  options.min_weight = 1.00000001;
  EXPECT_EQ(Read("a b\nb c\n", options)->graph.num_edges(), 0);

  options.min_weight = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Read("a b 1\n", options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ReadEdgeListTest, MissingFile) {
  EXPECT_FALSE(ReadEdgeList("no/such/file").ok());
}

TEST(FormatWeightTest, IsPrintfToNineDigits) {
  std::mt19937 random(1);
  const auto check = [](float weight) {
    char expected[32], actual[32];
    std::snprintf(expected, sizeof(expected), "%.9g", weight);
    *internal::FormatWeight(weight, actual) = '\0';
    ASSERT_STREQ(actual, expected);
    ASSERT_EQ(std::strtof(actual, nullptr), weight);
  };
  for (int i = 0; i < 300000; ++i) {
    check(std::uniform_real_distribution<float>(0, 1)(random));
    check(std::ldexp(1.0f, -static_cast<int>(random() % 12)) *
          static_cast<float>(random() % 4096) / 4096);
    const uint32_t bits = random();
    float any;
    std::memcpy(&any, &bits, sizeof(any));
    if (std::isfinite(any)) check(any);
  }
  for (const float edge : {1.0f, 0.1f, 0.01f, 0.001f, 0.0f}) {
    float below = edge, above = edge;
    for (int i = 0; i < 2000; ++i) {
      check(below);
      check(above);
      below = std::nextafter(below, -1.0f);
      above = std::nextafter(above, 2.0f);
    }
  }
  check(std::numeric_limits<float>::max());
  check(-std::numeric_limits<float>::denorm_min());
}

// What the reader of edge lists makes of `text`.
float ReadWeight(const std::string& text) {
  const absl::StatusOr<EdgeList> list = Read(absl::StrCat("a b ", text));
  EXPECT_TRUE(list.ok()) << list.status();
  return list.ok() ? list->graph.weights[0] : -1.0f;
}

std::string ExactText(double weight, int digits = 9) {
  char text[32];
  return std::string(text, internal::FormatExactWeight(weight, digits, text));
}

double AsDouble(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

TEST(FormatExactWeightTest, Values) {
  EXPECT_EQ(ExactText(std::sqrt(0.3)), "0.547722558");
  EXPECT_EQ(ExactText(0.7), "0.7");
  EXPECT_EQ(ExactText(std::nextafter(0.7, 0)), "0.7");
  EXPECT_EQ(ExactText(1), "1");
  EXPECT_EQ(ExactText(std::nextafter(1.0, 0)), "1");
  EXPECT_EQ(ExactText(0.25), "0.25");
  EXPECT_EQ(ExactText(0.001), "0.001");
  EXPECT_EQ(ExactText(0.0001), "0.0001");
  EXPECT_EQ(ExactText(0), "0");
  EXPECT_EQ(ExactText(std::sqrt(0.3), 10), "0.5477225575");
  EXPECT_EQ(ExactText(std::sqrt(0.3), 17), "0.54772255750516607");
  EXPECT_EQ(ExactText(0.7, 17), "0.69999999999999996");
  // More digits where nine are read as another float.
  EXPECT_EQ(ExactText(0.5 + std::ldexp(1.0, -25)), "0.5000000298");
  EXPECT_EQ(ExactText(0.6515929996967315), "0.6515929996967");
  EXPECT_EQ(ExactText(0.6515929996967317), "0.651593");
  EXPECT_EQ(ExactText(0.37470303475856775), "0.3747030347585678");
}

// The cosine of a text is at least the threshold if and only if the cosine is.
TEST(FormatExactWeightTest, StaysBelowAThresholdOfFourPlaces) {
  EXPECT_EQ(ExactText(0.69999999996), "0.69999999996");
  EXPECT_EQ(ExactText(0.69999999994), "0.6999999999");
  EXPECT_EQ(ExactText(0.6999999999961), "0.699999999996");
  EXPECT_EQ(ExactText(0.99999999999), "0.99999999999");
  EXPECT_EQ(ExactText(0.12344999996), "0.12345");
  for (int t = 1; t <= 10000; t += 7) {
    const double threshold = t / 10000.0;
    for (double gap = 1e-12; gap < 1e-6; gap *= 7) {
      const double below = threshold * (1 - gap);
      ASSERT_LT(AsDouble(ExactText(below)), threshold) << gap;
      ASSERT_EQ(ReadWeight(ExactText(below)), static_cast<float>(below));
    }
  }
}

// The digits of printf, more only if the float needs them. Doubles halfway
// between two floats may need more than 17; then it is the double beside.
void CheckExactText(double weight, int digits) {
  const auto rounded = static_cast<float>(weight);
  const std::string found = ExactText(weight, digits);
  for (;; ++digits) {
    ASSERT_LE(digits, 18) << weight;
    if (digits == 18) {
      const double other = 2 * weight - static_cast<double>(rounded);
      ASSERT_EQ(static_cast<double>(static_cast<float>(other)), other);
      weight = std::nextafter(weight, rounded);
    }
    char expected[40];
    std::snprintf(expected, sizeof(expected), "%.*g", std::min(digits, 17),
                  weight);
    if (std::strtof(expected, nullptr) != rounded) continue;
    const double read = std::strtod(expected, nullptr);
    if (weight < 1 && read - weight > 1e-13 * read &&
        std::strlen(expected) <= std::strlen("0.1234")) {
      continue;
    }
    ASSERT_EQ(found, expected);
    return;
  }
}

TEST(FormatExactWeightTest, ReadsBackAsTheSameFloat) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 300000; ++i) {
    double weight = uniform(random);
    if (i % 3 == 1) weight = std::ldexp(weight, -static_cast<int>(i % 40));
    if (i % 3 == 2) {
      // A little below or above the middle of two floats.
      const auto low = static_cast<float>(weight);
      const double middle =
          (static_cast<double>(low) + std::nextafter(low, 2.0f)) / 2;
      weight = middle * (1 + std::ldexp(uniform(random) - 0.5,
                                        -25 - static_cast<int>(i % 28)));
    }
    CheckExactText(weight, 9);
    if (i % 10 == 0) CheckExactText(weight, 10 + i / 10 % 8);
    if (i % 100 == 0) {
      ASSERT_EQ(ReadWeight(ExactText(weight)), static_cast<float>(weight));
    }
  }
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random();
    double any;
    std::memcpy(&any, &bits, sizeof(any));
    if (std::abs(any) < 3e38) CheckExactText(any, 9);
  }
}

TEST(FormatExactWeightTest, IsMonotone) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 200; ++trial) {
    double weight = uniform(random);
    if (trial % 2 == 1) weight = std::ldexp(weight, -4);
    const double step = std::ldexp(1.0, -28 - trial % 24);
    double last = 0;
    for (int i = 0; i < 500 && weight <= 1; ++i, weight += step) {
      const double text = AsDouble(ExactText(weight));
      ASSERT_GE(text, last) << weight;
      last = text;
    }
  }
}

TEST(FormatExactWeightTest, IsNeverBelowAThresholdThatIsReached) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 200000; ++i) {
    // A threshold of up to nine places; a cosine that a few roundings may have
    // taken below it.
    const int64_t denominator = int64_t{1000000000} / (i % 2 == 0 ? 1 : 10000);
    const auto numerator =
        static_cast<int64_t>(1 + random() % static_cast<uint64_t>(denominator));
    const Decimal beta = {numerator, denominator};
    double cosine = beta.ToDouble();
    for (int k = static_cast<int>(random() % 3); k > 0; --k) {
      cosine = std::nextafter(cosine, 0);
    }
    ASSERT_GE(AsDouble(ExactText(cosine)), beta.ToDouble());
    cosine += std::ldexp(1.0, -60 + static_cast<int>(random() % 40));
    if (cosine <= 1) {
      ASSERT_GE(AsDouble(ExactText(cosine)), beta.ToDouble());
    }
  }
}

TEST(FormatWeightTest, KnowsNoLocale) {
  const CommaLocale comma;
  if (!comma.found()) GTEST_SKIP() << "no locale with a decimal comma here";
  char text[32];
  *internal::FormatWeight(0.5f, text) = '\0';
  EXPECT_STREQ(text, "0.5");
  *internal::FormatWeight(-1.5f, text) = '\0';
  EXPECT_STREQ(text, "-1.5");
  EXPECT_EQ(ExactText(0.7), "0.7");
  EXPECT_EQ(ExactText(0.7, 17), "0.69999999999999996");
}

TEST(WriteEdgeListTest, Golden) {
  const CsrGraph graph = *BuildCsrGraph(
      4, std::vector<WeightedEdge>{{2, 0, 0.35f}, {0, 1, 0.25f}, {2, 1, 1.0f}});
  EXPECT_EQ(Write(graph, std::vector<std::string>{"d", "c", "b", "a"}),
            "#vertex\td\n#vertex\tc\n#vertex\tb\n#vertex\ta\n"
            "d\tc\t0.25\nd\tb\t0.349999994\nc\tb\t1\n");
  EXPECT_EQ(Write(*BuildCsrGraph(2, {}), {}), "#vertex\t0\n#vertex\t1\n");
  EXPECT_EQ(Write(CsrGraph(), {}), "");
}

std::string WriteExact(const CsrGraph& graph, ExactWeights exact,
                       const ExactWeightOptions& options = {}) {
  std::string text;
  const absl::Status status = WriteEdgeList(
      graph, {}, exact,
      [&](absl::string_view piece) { text.append(piece.data(), piece.size()); },
      options);
  return status.ok() ? text : std::string(status.message());
}

TEST(WriteEdgeListTest, ExactWeights) {
  const CsrGraph graph = *BuildCsrGraph(
      3, std::vector<WeightedEdge>{{2, 0, 0.7f}, {0, 1, 1 / 3.0f}});
  const auto exact = [](int32_t u, absl::Span<const int32_t> neighbors,
                        std::vector<double>*, absl::Span<double> weights) {
    for (size_t k = 0; k < neighbors.size(); ++k) {
      weights[k] = neighbors[k] + u == 2 ? 0.7 : 1 / 3.0;
    }
  };
  const std::string header = "#vertex\t0\n#vertex\t1\n#vertex\t2\n";
  EXPECT_EQ(WriteExact(graph, exact),
            header + "0\t1\t0.333333333\n0\t2\t0.7\n");
  EXPECT_EQ(WriteExact(graph, exact, {.digits = 17}),
            header + "0\t1\t0.33333333333333331\n0\t2\t0.69999999999999996\n");
  EXPECT_EQ(WriteExact(CsrGraph(), exact), "");
  for (const int digits : {8, 18}) {
    EXPECT_EQ(WriteExact(graph, exact, {.digits = digits}),
              absl::StrCat("digits: expected 9 to 17, found ", digits));
  }
  EXPECT_TRUE(absl::StrContains(WriteExact(graph, exact, {.num_threads = -1}),
                                "threads"));
  // The weights of another graph.
  const CsrGraph other =
      *BuildCsrGraph(2, std::vector<WeightedEdge>{{0, 1, 0.5f}});
  EXPECT_EQ(WriteExact(other, exact),
            "edge list: expected a weight that rounds to 0.5 for the edge of "
            "'0' and '1', as in the graph, found 0.333333");
}

TEST(WriteEdgeListTest, RefusesArraysThatDoNotFit) {
  CsrGraph graph = *BuildCsrGraph(2, {{0, 1, 1.0f}});
  graph.weights.clear();
  const auto refuse = [](absl::string_view) { FAIL() << "nothing is written"; };
  EXPECT_EQ(WriteEdgeList(graph, {}, refuse).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(WriteEdgeListTest, RefusesANegativeNumberOfThreads) {
  EXPECT_EQ(WriteEdgeList(
                CsrGraph(), {}, [](absl::string_view) {}, -1)
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(WriteEdgeListTest, RefusesNamesThatCannotBeReadBack) {
  const CsrGraph graph =
      *BuildCsrGraph(2, std::vector<WeightedEdge>{{0, 1, 0.5f}});
  const auto refuse = [](absl::string_view) { FAIL() << "nothing is written"; };
  for (const char* const name : {"", "a\tb", "a\n", "a\x01", "#a", "%"}) {
    EXPECT_EQ(WriteEdgeList(graph, std::vector<std::string>{"x", name}, refuse)
                  .code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_FALSE(
      WriteEdgeList(graph, std::vector<std::string>{"x"}, refuse).ok());
}

TEST(EdgeListTest, ReadingWhatWasWrittenGivesTheSame) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const bool is_large = seed >= 28;  // several blocks
    const int32_t n = is_large ? 3000 : 1 + random() % 40;
    const int64_t tries = is_large ? 400000 : random() % 300;
    std::set<std::pair<int32_t, int32_t>> seen;
    std::vector<WeightedEdge> edges;
    for (int64_t i = 0; i < tries; ++i) {
      const int32_t u = random() % n, v = random() % n;
      if (u == v || !seen.insert(std::minmax(u, v)).second) continue;
      edges.push_back(
          {u, v, std::uniform_real_distribution<float>(0, 1)(random)});
    }
    const CsrGraph graph = *BuildCsrGraph(n, edges);
    std::vector<std::string> ids;
    for (int32_t v = 0; v < n; ++v) {
      switch (seed % 3) {
        case 0:
          ids.push_back(absl::StrCat(n - v));
          break;
        case 1:
          ids.push_back(absl::StrCat("doc-", v));
          break;
        default:
          ids.push_back(absl::StrCat(v % 2 ? " a, b " : "c", v));
      }
    }
    const std::string text = Write(graph, ids, 1);
    EXPECT_EQ(text, Write(graph, ids, 3));
    const absl::StatusOr<EdgeList> list = Read(text);
    ASSERT_TRUE(list.ok()) << list.status();
    EXPECT_EQ(list->ids, ids);
    EXPECT_EQ(list->graph.offsets, graph.offsets);
    EXPECT_EQ(list->graph.neighbors, graph.neighbors);
    EXPECT_EQ(list->graph.weights, graph.weights);

    // Weights in double that round to those of the graph.
    const auto exact = [&graph](int32_t u, absl::Span<const int32_t> neighbors,
                                std::vector<double>* scratch,
                                absl::Span<double> weights) {
      scratch->push_back(u);
      const int64_t first =
          graph.Degree(u) - static_cast<int64_t>(neighbors.size());
      for (size_t k = 0; k < weights.size(); ++k) {
        const float weight = graph.WeightsOf(u)[first + k];
        weights[k] = weight * (1 + std::ldexp(u % 15 - 7, -29));
      }
    };
    const std::string in_double = WriteExact(graph, exact);
    EXPECT_EQ(in_double, WriteExact(graph, exact, {.num_threads = 3}));
    const absl::StatusOr<EdgeList> again = Read(in_double);
    ASSERT_TRUE(again.ok()) << again.status() << in_double.substr(0, 200);
    EXPECT_EQ(again->graph.neighbors, graph.neighbors);
    EXPECT_EQ(again->graph.weights, graph.weights);
  }
}

}  // namespace
}  // namespace warpclust
