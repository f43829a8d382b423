// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Edge lists, signed edge lists and signed matrices read in blocks by several
// threads, against one thread that reads line by line.

#include "base/io/testing/reading_in_blocks.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/io/lines/line_reader.h"
#include "graph/io/edge_list_reader.h"
#include "graph/io/signed_edge_list.h"
#include "graph/io/signed_matrix_market.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string ReadEdges(LineReader& lines, int threads) {
  EdgeListOptions options;
  options.num_threads = threads;
  options.min_weight = 0.1;
  const absl::StatusOr<EdgeList> read = ReadEdgeList(lines, options);
  if (!read.ok()) return read.status().ToString();
  return absl::StrCat(absl::StrJoin(read->ids, " "), "\n",
                      absl::StrJoin(read->graph.offsets, " "), "\n",
                      absl::StrJoin(read->graph.neighbors, " "), "\n",
                      absl::StrJoin(read->graph.weights, " "));
}

std::string AsText(const absl::StatusOr<SignedEdgeList>& read) {
  if (!read.ok()) return read.status().ToString();
  std::string text =
      absl::StrCat(absl::StrJoin(read->ids, " "), "\n", read->skipped_loops,
                   " ", read->vanished_weights, " ", read->rounded_weights, " ",
                   read->header_line, " ", read->header, " ",
                   read->graph.units_per_one, "\n");
  for (int32_t v = 0; v < read->graph.num_vertices(); ++v) {
    for (int64_t i = read->graph.offsets[v]; i < read->graph.offsets[v + 1];
         ++i) {
      absl::StrAppend(&text, v, " ", read->graph.neighbors[i], " ",
                      read->graph.weights[i], "\n");
    }
  }
  return text;
}

SignedEdgeListOptions Options(int threads, bool skip_loops) {
  SignedEdgeListOptions options;
  options.skip_loops = skip_loops;
  options.num_threads = threads;
  return options;
}

std::string ReadSigned(LineReader& lines, int threads) {
  return AsText(ReadSignedEdgeList(lines, Options(threads, true)));
}

std::string ReadMatrix(LineReader& lines, int threads) {
  return AsText(ReadSignedMatrixMarket(lines, Options(threads, false)));
}

// Inputs with every kind of line that the formats know, legal and not.
std::string RandomLines(int round) {
  std::mt19937_64 random(round);
  const auto chance = [&](int one_in) { return random() % one_in == 0; };
  const bool weights = chance(2);
  const absl::string_view separator = std::vector<absl::string_view>{
      " ", "\t", ",", ", ", "  ", ";"}[random() % 6];
  const int vertices = 20 + random() % 300;
  const int word_names = random() % 4;
  const auto name = [&] {
    // One number in each pair, so that there are few loops.
    const uint64_t number = random() % vertices;
    if (word_names > 0 && random() % 4 < static_cast<uint64_t>(word_names)) {
      return absl::StrCat(chance(2) ? "vertex" : "", number, "x");
    }
    if (word_names == 2 && chance(9)) return absl::StrCat("\"", number, "\"");
    return absl::StrCat(number * (chance(2) ? 1 : 101));
  };
  std::string content;
  if (chance(4)) content += "\xEF\xBB\xBF";
  if (chance(4)) content += "sep=;\n";
  if (chance(3)) content += "# a comment\n\n";
  if (chance(4)) content += "#vertex\tfirst\n";
  if (chance(4)) content += chance(2) ? "a b\n" : "from,to,sign\n";
  if (chance(6)) content += "u v weight\n";
  const bool bad = chance(3);
  const bool odd = chance(3);
  const int lines = 1 + random() % 400;
  for (int i = 0; i < lines; ++i) {
    const std::string u = name();
    const std::string v = absl::StrCat(name(), "0");
    absl::StrAppend(&content, chance(9) ? " " : "", u, separator, v);
    if (weights) {
      // A function of the pair: there are few conflicts.
      const uint64_t weight = std::hash<std::string>()(u + v) % 40;
      absl::StrAppend(&content, separator, weight / 10, ".", weight % 10);
    }
    content += chance(20) ? " \r\n" : "\n";
    if (odd && chance(30)) absl::StrAppend(&content, "#vertex\tw", i, "\n");
    if (odd && chance(60)) absl::StrAppend(&content, "#vertex\tw ", i, "\n");
    if (odd && chance(60)) absl::StrAppend(&content, "% c", i, "\n\n");
    if (!bad || !chance(50)) continue;
    static constexpr absl::string_view kBad[] = {"1",
                                                 "1 2 3 4 5",
                                                 "1 2 x",
                                                 "a\x01 b 1",
                                                 "7 7 1",
                                                 "7,,8",
                                                 "\"a b\" c",
                                                 "\"open b 1",
                                                 "1 2 -3",
                                                 "3 4 1e-30",
                                                 "#vertex\t",
                                                 "8 9 nan",
                                                 "5 6 enemy",
                                                 "5 6 0",
                                                 "5 6 -",
                                                 "a b",
                                                 "5 6 \xE2\x88\x92"
                                                 "1",
                                                 "9\t10\t1",
                                                 "4 5 1e99"};
    absl::StrAppend(&content, kBad[random() % std::size(kBad)], "\n");
  }
  if (chance(2)) content.pop_back();
  return content;
}

TEST(ReadingInBlocks, EdgeLists) {
  int good = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", round));
    const std::string content = RandomLines(round);
    ExpectSameInBlocks(content, ReadEdges);
    ExpectSameInBlocks(content, ReadSigned);
    if (HasFatalFailure()) return;
    LineReader lines = LineReader::FromString(content);
    good += absl::StrContains(ReadEdges(lines, 2), "\n") ? 1 : 0;
  }
  EXPECT_GT(good, 5);
}

// The fast path for numbers takes no line that begins with a blank.
TEST(ReadingInBlocks, NumbersAreNamesLikeOthers) {
  int good = 0;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", round));
    const std::string content = RandomLines(round);
    if (content.find_first_of("#%;\"\xEF") != content.npos) continue;
    const std::string slow =
        absl::StrCat(" ", absl::StrReplaceAll(content, {{"\n", "\n "}}));
    for (const auto& read : {ReadEdges, ReadSigned}) {
      LineReader lines = LineReader::FromString(content);
      LineReader slow_lines = LineReader::FromString(slow);
      const std::string found = read(lines, 1);
      if (!absl::StrContains(found, "\n")) continue;
      EXPECT_EQ(found, read(slow_lines, 1));
      ++good;
    }
  }
  EXPECT_GT(good, 10);
}

// Most blocks have only names that the file had before; some have a new one, in
// an edge or a comment, and the last ones may have an error.
TEST(ReadingInBlocks, NewNamesInLateBlocks) {
  int good = 0;
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", round));
    std::mt19937_64 random(round);
    std::string content;
    for (int i = 0; i < 1500; ++i) {
      const uint64_t u = random() % 12;
      const uint64_t v = u + 1 + random() % 5;
      absl::StrAppend(&content, u, "\tn", v, "\t", (u * 7 + v) % 5 + 1, "\n");
      if (random() % 200 == 0) {
        absl::StrAppend(&content, "late", i, " 3 1\n5 late", i, " 2\n");
      }
      if (random() % 300 == 0)
        absl::StrAppend(&content, "#vertex\tlone", i, "\n");
      if (random() % 900 == 0)
        absl::StrAppend(&content, "#vertex\ta b", i, "\n");
    }
    if (round % 3 == 1) content += "5\tn6\t77\n1\tn2\t78\n";
    if (round % 3 == 2) content += "3\tnew\t1\n4\tnew\tx\n";
    for (const auto& read : {ReadEdges, ReadSigned}) {
      ExpectSameInBlocks(content, read);
      if (HasFatalFailure()) return;
      // A comment with a blank leaves tabs alone as separators.
      if (round % 3 == 0 && !absl::StrContains(content, "\ta b")) {
        LineReader lines = LineReader::FromString(content);
        EXPECT_TRUE(absl::StrContains(read(lines, 2), " late"));
        ++good;
      }
    }
  }
  EXPECT_GT(good, 2);
}

TEST(ReadingInBlocks, ManyLines) {
  // Blocks of the usual size.
  std::mt19937_64 random(3);
  std::string content = "# many\n";
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t u = random() % 50'000;
    const uint64_t v = u + 1 + random() % 1000;
    absl::StrAppend(&content, u, "\t", v, "\t", (u * 7 + v) % 5 + 1, "\n");
  }
  for (const auto& read : {ReadEdges, ReadSigned}) {
    LineReader serially = LineReader::FromString(content);
    const std::string expected = read(serially, 1);
    for (const int threads : {2, 7, 16}) {
      LineReader lines = LineReader::FromString(content);
      EXPECT_TRUE(read(lines, threads) == expected) << threads << " threads";
    }
  }
}

TEST(ReadingInBlocks, SignedMatrices) {
  int good = 0;
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", round));
    std::mt19937_64 random(round);
    const auto chance = [&](int one_in) { return random() % one_in == 0; };
    const bool symmetric = chance(2);
    const bool lower = chance(2);
    const uint64_t entries = random() % 300;
    std::string content = absl::StrCat(
        "%%MatrixMarket matrix coordinate real ",
        symmetric ? "symmetric" : "general", "\n% a comment\n300 300 ",
        entries + (chance(9) ? 1 : 0) - (chance(9) && entries > 0 ? 1 : 0),
        "\n");
    const bool bad = chance(3);
    for (uint64_t i = 0; i < entries; ++i) {
      const uint64_t u = 1 + i;
      const uint64_t v = 1 + (i + 1 + random() % 5) % 300;
      const bool swap = symmetric && (u > v) != lower;
      absl::StrAppend(&content, swap ? v : u, " ", swap ? u : v, "\t",
                      (i % 7 + 1) * 0.25, "\n");
      if (chance(30)) content += "\n% c\n";
      if (bad && chance(60)) {
        static constexpr absl::string_view kBad[] = {
            "1 2",       "1 1 1",   "1 301 1", "2 1 x",
            "1 2 3 4 5", "300 1 1", "1 300 1"};
        absl::StrAppend(&content, kBad[random() % std::size(kBad)], "\n");
      }
    }
    ExpectSameInBlocks(content, ReadMatrix);
    if (HasFatalFailure()) return;
    LineReader lines = LineReader::FromString(content);
    good += absl::StrContains(ReadMatrix(lines, 2), "\n") ? 1 : 0;
  }
  EXPECT_GT(good, 10);
}

}  // namespace
}  // namespace warpclust
