// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/signed_edge_list.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr SignedEdgeListOptions kSignOnly = {true, false};
constexpr SignedEdgeListOptions kSkipLoops = {false, true};

absl::StatusOr<SignedEdgeList> Read(
    std::string text, SignedEdgeListOptions options = SignedEdgeListOptions()) {
  LineReader lines = LineReader::FromString(std::move(text), "net.txt");
  return ReadSignedEdgeList(lines, options);
}

std::string ErrorOf(const std::string& text,
                    SignedEdgeListOptions options = SignedEdgeListOptions()) {
  const absl::StatusOr<SignedEdgeList> list = Read(text, options);
  EXPECT_EQ(list.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(list.status().message());
}

TEST(ReadSignedEdgeListTest, TwoColumnsAreAllPositive) {
  const absl::StatusOr<SignedEdgeList> list =
      Read("# a comment\n10\t30\n30,20\r\n\n% more\n20 10\n 10\t 20 \n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids, (std::vector<std::string>{"10", "30", "20"}));
  EXPECT_EQ(list->graph.num_positive_edges, 3);
  EXPECT_EQ(list->graph.num_negative_edges, 0);
  EXPECT_EQ(list->graph.weights, std::vector<int64_t>(6, 1));
  EXPECT_EQ(list->graph.units_per_one, 1);
  EXPECT_TRUE(ValidateSignedGraph(list->graph).ok());
}

TEST(ReadSignedEdgeListTest, SignsAndParallelEdges) {
  const absl::StatusOr<SignedEdgeList> list =
      Read("a b +\nb a -\nc a -\na d +1\nd c -1\nb a 1\nc b 0\n", kSignOnly);
  EXPECT_FALSE(list.ok());  // For its zero only:
  const absl::StatusOr<SignedEdgeList> good =
      Read("a b +\nb a -\nc a -\na d +1\nd c -1\nb a 1\n", kSignOnly);
  ASSERT_TRUE(good.ok()) << good.status();
  EXPECT_EQ(good->ids, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(good->graph.num_positive_edges, 2);
  EXPECT_EQ(good->graph.num_negative_edges, 3);
  EXPECT_EQ(good->graph.constant_cost, 1);
  EXPECT_EQ(good->graph.offsets, (std::vector<int64_t>{0, 2, 2, 4, 6}));
  EXPECT_EQ(good->graph.neighbors, (std::vector<int32_t>{2, 3, 0, 3, 0, 2}));
  EXPECT_EQ(good->graph.weights, (std::vector<int64_t>{-1, 1, -1, -1, 1, -1}));
}

TEST(ReadSignedEdgeListTest, WeightsGetOneScale) {
  const absl::StatusOr<SignedEdgeList> list = Read(
      "a b 1.50\nb c -0.125\nc d 2\nd e 1e1\n#vertex\tz\nz y 0.0000001e1\n"
      "y x 0\n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->graph.units_per_one, 1000000);
  EXPECT_EQ(list->ids.size(), 8);
  EXPECT_EQ(list->graph.WeightsOf(0)[0], 1500000);
  EXPECT_EQ(list->graph.WeightsOf(1)[1], -125000);
  EXPECT_EQ(list->graph.WeightsOf(2)[1], 2000000);
  EXPECT_EQ(list->graph.WeightsOf(3)[1], 10000000);
  EXPECT_EQ(list->graph.WeightsOf(5)[0], 1);
  EXPECT_EQ(list->graph.num_edges(), 5);
  EXPECT_EQ(list->graph.Degree(7), 0);
  // Ten decimal places round to nine, and what is not needed is not kept.
  EXPECT_EQ(Read("a b 0.1234567895\n")->graph.weights[0], 123456790 / 10);
  EXPECT_EQ(Read("a b 0.1234567895\n")->graph.units_per_one, 100000000);
  EXPECT_EQ(Read("a b 1.50\n")->graph.units_per_one, 10);
  EXPECT_EQ(Read("a b -7.000\n")->graph.units_per_one, 1);
  EXPECT_EQ(Read("a b 4e-10\nb c 1\n")->graph.num_edges(), 1);
  // The same weight in two spellings is one weight.
  EXPECT_EQ(Read("a b 1.50\nb a 15e-1\n")->graph.num_edges(), 1);
}

TEST(ReadSignedEdgeListTest, EmptyListsAndVertexComments) {
  for (const char* const text : {"", "\n", "# nothing\n", "  \n\t\n"}) {
    const absl::StatusOr<SignedEdgeList> list = Read(text);
    ASSERT_TRUE(list.ok()) << list.status();
    EXPECT_EQ(list->graph.num_vertices(), 0);
  }
  const absl::StatusOr<SignedEdgeList> list =
      Read("#vertex\tlonely\n#vertex\tb\nb a\n#vertex\ta\n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids, (std::vector<std::string>{"lonely", "b", "a"}));
  EXPECT_EQ(list->graph.num_vertices(), 3);
  EXPECT_EQ(list->graph.Degree(0), 0);
}

TEST(ReadSignedEdgeListTest, WeightsBeyondNinePlacesAreRoundedAndCounted) {
  const absl::StatusOr<SignedEdgeList> list =
      Read("a b 0.1234567895\nb c -0.12345678949\nc d 0.1234567890\n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->rounded_weights, 2);
  EXPECT_EQ(list->graph.WeightsOf(0)[0], 123456790);
  EXPECT_EQ(list->graph.WeightsOf(2)[0], -123456789);
  EXPECT_EQ(list->graph.units_per_one, 1000000000);
}

TEST(ReadSignedEdgeListTest, WeightsThatAreRoundedToZero) {
  EXPECT_EQ(ErrorOf("x y 0\na b 1e-10\nb c -4.99e-10\n"),
            "net.txt:2: expected a weight of at least 5e-10 in magnitude, "
            "found only smaller ones: multiply all weights by a power of ten");
  const absl::StatusOr<SignedEdgeList> list =
      Read("a b 1e-10\nb c -5e-10\nc d 0\nd e -1e-300\n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->vanished_weights, 2);
  EXPECT_EQ(list->rounded_weights, 1);
  EXPECT_EQ(list->graph.num_edges(), 1);
  EXPECT_EQ(list->graph.num_vertices(), 5);
  EXPECT_TRUE(Read("a b 0\n").ok());
}

TEST(ReadSignedEdgeListTest, Loops) {
  EXPECT_EQ(ErrorOf("a b 1\na a -2\n"),
            "net.txt:2: expected two different vertices, found 'a a'");
  const absl::StatusOr<SignedEdgeList> list =
      Read("a a 0.5\na b -2\nb b 1\nc c 1\n", kSkipLoops);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->skipped_loops, 3);
  EXPECT_EQ(list->ids, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(list->graph.num_edges(), 1);
  EXPECT_EQ(list->graph.units_per_one, 1);
  EXPECT_TRUE(absl::StrContains(ErrorOf("a a x\n", kSkipLoops), "net.txt:1"));
}

TEST(ReadSignedEdgeListTest, ErrorsNameFileLineExpectedFound) {
  EXPECT_EQ(ErrorOf("a\n"), "net.txt:1: expected 2 or 3 columns, found 'a'");
  EXPECT_EQ(ErrorOf("a b 1\na c\n"),
            "net.txt:2: expected 3 columns as in line 1, found 'a c'");
  EXPECT_EQ(ErrorOf("a b\na c -\n"),
            "net.txt:2: expected 2 columns as in line 1, found 'a c -'");
  EXPECT_EQ(ErrorOf("a b 1\na c likes\n"),
            "net.txt:2: expected a number, + or -, friend or enemy, positive "
            "or negative, found 'likes'");
  for (const std::string weight : {"nan", "-nan", "inf", "-infinity", "1..2",
                                   "--1", "++", "0x1p3", "1e"}) {
    EXPECT_EQ(ErrorOf(absl::StrCat("a b 1\na c ", weight, "\n")),
              absl::StrCat("net.txt:2: expected a finite weight, found '",
                           weight, "'"));
  }
  EXPECT_EQ(ErrorOf("a b 1\nb c -1\nc d 2\n", kSignOnly),
            "net.txt:3: expected the weight 1 or -1, found '2'");
  EXPECT_EQ(ErrorOf("a b -0.1\n", kSignOnly),
            "net.txt:1: expected the weight 1 or -1, found '-0.1'");
  EXPECT_EQ(ErrorOf("a b 0\n", kSignOnly),
            "net.txt:1: expected the weight 1 or -1, found '0'");
}

TEST(ReadSignedEdgeListTest, WordsAreSigns) {
  const absl::StatusOr<SignedEdgeList> list =
      Read("a b friend\nb c Enemy\nc d POSITIVE\nd e negative\n", kSignOnly);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->graph.num_positive_edges, 2);
  EXPECT_EQ(list->graph.num_negative_edges, 2);
  EXPECT_EQ(list->header_line, 0);
}

TEST(ReadSignedEdgeListTest, HeadersAreSkipped) {
  using Names = std::vector<std::string>;
  const struct {
    const char* text;
    Names ids;
    int64_t weight;  // Of the first edge.
  } cases[] = {
      {"source,target,weight\na,b,-2\n", {"a", "b"}, -2},
      {"# c\nfrom to sign\n1 2 -\n", {"1", "2"}, -1},
      {"Ego\tAlter\tKind\nJohn Smith\tb\tenemy\n", {"John Smith", "b"}, -1},
      {"node1,node2,x\na b,c,-3\n", {"a b", "c"}, -3},
      {"time,sign,Target,Source\n9,-4,b,a\n,-4,b,a\n", {"a", "b"}, -4},
      {"\"source\",\"target\",\"weight\"\n\"a\"\"\",\"b,c\",\"-5\"\n",
       {"a\"", "b,c"},
       -5},
      {"source target\na b\n", {"a", "b"}, 1},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<SignedEdgeList> list = Read(c.text);
    ASSERT_TRUE(list.ok()) << c.text << list.status();
    EXPECT_EQ(list->ids, c.ids) << c.text;
    EXPECT_EQ(list->graph.weights[0], c.weight) << c.text;
    EXPECT_GT(list->header_line, 0);
  }
  EXPECT_EQ(Read("# c\nx,y,kind\na,b,1\n")->header, "x,y,kind");
  EXPECT_EQ(Read("# c\nx,y,kind\na,b,1\n")->header_line, 2);
  // These are edges.
  for (const char* const text :
       {"source target 1\na b 1\n", "u v\na b\n", "source target +\n",
        "#vertex\tz\nfrom to\n", "from to friend\n"}) {
    const absl::StatusOr<SignedEdgeList> list = Read(text);
    ASSERT_TRUE(list.ok()) << text << list.status();
    EXPECT_EQ(list->header_line, 0) << text;
  }
}

TEST(ReadSignedEdgeListTest, SemicolonsSeparate) {
  using Names = std::vector<std::string>;
  const struct {
    const char* text;
    Names ids;
    int64_t weight;  // Of the first edge.
  } cases[] = {
      {"a;b;-1\nb;c;1\n", {"a", "b", "c"}, -1},
      {"# c\nJohn Smith ; b, c;-\r\n", {"John Smith", "b, c"}, -1},
      {"source;target;weight\nJohn Smith;b;-2\n", {"John Smith", "b"}, -2},
      {"\"a;b\";\"c\";\"-3\"\n", {"a;b", "c"}, -3},
      {"x;y;kind\n1;2;enemy\n", {"1", "2"}, -1},
      {"1;2\n2;3\n", {"1", "2", "3"}, 1},
      {"sep=;\r\na;b;-1\r\n", {"a", "b"}, -1},
      // Something else separates.
      {"a;b c 1\n", {"a;b", "c"}, 1},
      {"a;b;d\tc\t1\n", {"a;b;d", "c"}, 1},
      {"\"a;b;c\",\"d\",1\n", {"a;b;c", "d"}, 1},
      {"a b 1\nb;c;d e 1\n", {"a", "b", "b;c;d", "e"}, 1},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<SignedEdgeList> list = Read(c.text);
    ASSERT_TRUE(list.ok()) << c.text << list.status();
    EXPECT_EQ(list->ids, c.ids) << c.text;
    EXPECT_EQ(list->graph.weights[0], c.weight) << c.text;
  }
  for (const char* const minus : {"a;b;\xE2\x88\x92",
                                  "a b \xE2\x88\x92"
                                  "1"}) {
    EXPECT_TRUE(absl::StrContains(
        ErrorOf(minus), "net.txt:1: expected a weight whose minus sign is"));
  }
  EXPECT_EQ(ErrorOf("a\tb\t0,5\n"),
            "net.txt:1: expected weights with a decimal point, not a comma, "
            "found 'a\\tb\\t0,5'");
  EXPECT_EQ(ErrorOf("\"a\nb\";c;1\n"),
            "net.txt:1: expected a closing quote in the same line, found "
            "'\"a'");
  EXPECT_EQ(ErrorOf("1;2;0,5\n"),
            "net.txt:1: expected a weight with a decimal point, not a comma, "
            "found '0,5'");
  EXPECT_EQ(ErrorOf("a;b;1\nb;c\n"),
            "net.txt:2: expected 3 columns as in line 1, found 'b;c'");
  EXPECT_EQ(ErrorOf("a;b;1\nb;c;\n"),
            "net.txt:2: expected a weight, found 'b;c;'");
  EXPECT_EQ(ErrorOf("a,b,\"\"\n"),
            "net.txt:1: expected a weight, found 'a,b,\"\"'");
  EXPECT_EQ(ErrorOf("a;b;1\n;;\n"),
            "net.txt:2: expected names that are not empty, found ';;'");
  EXPECT_EQ(ErrorOf("a;b;1;\n"),
            "net.txt:1: expected 2 or 3 columns (two vertices and a weight), "
            "or a header such as source,target,weight that names them, found "
            "'a;b;1;'");
}

TEST(ReadSignedEdgeListTest, HeadersThatDoNotHelp) {
  constexpr absl::string_view kSigns =
      "net.txt:1: expected a number, + or -, friend or enemy, positive or "
      "negative, found 'kind'";
  // The second line has no weight either, or is missing.
  EXPECT_EQ(ErrorOf("a b kind\nb c kind\n"), kSigns);
  EXPECT_EQ(ErrorOf("a b kind\n"), kSigns);
  EXPECT_EQ(ErrorOf("a b 1 9\nb c 1 8\n"),
            "net.txt:1: expected 2 or 3 columns (two vertices and a weight), "
            "or a header such as source,target,weight that names them, found "
            "'a b 1 9'");
  EXPECT_EQ(ErrorOf("id,source,target,kind\n"),
            "net.txt:1: expected a header with a column of weights (weight, "
            "sign, rating, value or score), found 'id,source,target,kind'");
  EXPECT_EQ(ErrorOf("source,target,weight\na,b\n"),
            "net.txt:2: expected 3 columns as in line 1, found 'a,b'");
  EXPECT_EQ(ErrorOf("source,target,weight\na,,1\n"),
            "net.txt:2: expected names that are not empty, found 'a,,1'");
  EXPECT_EQ(ErrorOf("source,target,weight\na,b,\n"),
            "net.txt:2: expected a weight, found 'a,b,'");
}

TEST(ReadSignedEdgeListTest, QuotedNames) {
  const absl::StatusOr<SignedEdgeList> list =
      Read("\"a b\",\"c\",1\n\"c\" \"d\"\"e\" -1\n5\" c 1\n\"f c 1\n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids,
            (std::vector<std::string>{"a b", "c", "d\"e", "5\"", "\"f"}));
  EXPECT_EQ(ErrorOf("\"\",b,1\n"),
            "net.txt:1: expected names that are not empty, found '\"\",b,1'");
  // WriteEdgeList writes names as they are.
  EXPECT_EQ(Read("#vertex\t\"a\"\n\"a\"\tb\t1\n")->ids,
            (std::vector<std::string>{"\"a\"", "b"}));
}

TEST(ReadSignedEdgeListTest, TwoWeightsOfOneSignNameBothLines) {
  // Neither comments, nor skipped loops and zeros, nor the other sign shift
  // the lines.
  EXPECT_EQ(ErrorOf("a c 0.5\n# c\n\na b 2\nb b 9\na b 0\nb a -1.25\na d 1\n"
                    "a b 2.0\nb a -1.250\nb a -1.3\na b 7\n\nc d 1\n",
                    kSkipLoops),
            "net.txt:11: expected the weight -1.25 that line 7 gives to 'b' "
            "and 'a', found -1.3");
  EXPECT_EQ(ErrorOf("a b 2\nb a 3\n"),
            "net.txt:2: expected the weight 2 that line 1 gives to 'b' and "
            "'a', found 3");
}

TEST(ReadSignedEdgeListTest, SumsThatAreTooLarge) {
  EXPECT_TRUE(Read("a b 1152921504606846976\n").ok());
  EXPECT_TRUE(Read("a b -1152921504606846900\nb c 76\n").ok());
  EXPECT_TRUE(absl::StrContains(ErrorOf("a b 1\nb c 1152921504606846977\n"),
                                "net.txt:2: expected a weight whose digits"));
  EXPECT_EQ(ErrorOf("a b -1152921504606846900\nb c 77\n"),
            "net.txt: expected weights that sum to at most "
            "1152921504606846976 in magnitude, found more: divide them all by "
            "a power of ten");
  // 10^17 with two places are 10^19 units.
  EXPECT_EQ(ErrorOf("a b 1e17\nb c 0.25\n"),
            "net.txt: expected weights with 2 decimal places that sum to at "
            "most 11529215046068469.76 in magnitude, found more: round them "
            "to fewer decimal places, or divide them all by a power of ten");
}

TEST(ReadSignedEdgeListTest, RandomListsAgreeWithAMap) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int32_t n = 2 + random() % 30;
    // (u < v, sign) to hundredths.
    std::map<std::pair<std::pair<int32_t, int32_t>, bool>, int64_t> edges;
    std::string text;
    for (int32_t v = 0; v < n; ++v)
      absl::StrAppend(&text, "#vertex\t", v, "\n");
    for (int i = random() % 200; i > 0; --i) {
      const int32_t u = random() % n, v = random() % n;
      if (u == v) continue;
      const bool negative = random() % 2;
      const int64_t weight =
          edges.try_emplace({std::minmax(u, v), negative}, 1 + random() % 999)
              .first->second;
      absl::StrAppend(&text, u, "\t", v, "\t", negative ? "-" : "",
                      weight / 100, ".", weight / 10 % 10, weight % 10, "\n");
      if (random() % 5 == 0) absl::StrAppend(&text, "# comment\n");
    }
    int64_t unit = 100;
    while (unit > 1 &&
           std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
             return edge.second % (1000 / unit) == 0;
           })) {
      unit /= 10;
    }
    std::vector<SignedEdge> expected;
    for (const auto& [key, weight] : edges) {
      const int64_t units = weight / (100 / unit);
      expected.push_back(
          {key.first.first, key.first.second, key.second ? -units : units});
    }
    const SignedGraph graph = *BuildSignedGraph(n, expected, unit);
    const absl::StatusOr<SignedEdgeList> list = Read(text);
    ASSERT_TRUE(list.ok()) << list.status();
    EXPECT_EQ(list->graph.units_per_one, unit);
    EXPECT_EQ(list->graph.offsets, graph.offsets);
    EXPECT_EQ(list->graph.neighbors, graph.neighbors);
    EXPECT_EQ(list->graph.weights, graph.weights);
    EXPECT_EQ(list->graph.constant_cost, graph.constant_cost);
    EXPECT_EQ(list->graph.num_positive_edges, graph.num_positive_edges);
    EXPECT_EQ(list->graph.num_negative_edges, graph.num_negative_edges);
  }
}

TEST(ReadSignedEdgeListTest, MissingFile) {
  EXPECT_FALSE(ReadSignedEdgeList("no/such/file").ok());
}

}  // namespace
}  // namespace warpclust
