// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/rank_text.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"
#include "tools/cli/process/temporary_directory.h"

namespace warpclust {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Rank 1 has none; the others less, more and much more than travels at a time.
std::vector<std::string> PiecesOf(int rank) {
  std::vector<std::string> pieces;
  const int count = rank == 1 ? 0 : 3 + 2000 * rank;
  for (int k = 0; k < count; ++k) {
    pieces.push_back(
        std::string(k * 7 % 5000, static_cast<char>('a' + k % 26)));
    pieces.push_back(absl::StrCat(rank, " ", k, "\n"));
  }
  return pieces;
}

std::string TextOf(int rank) { return absl::StrJoin(PiecesOf(rank), ""); }

TEST(RankTextTest, FollowsTheOrderOfRanks) {
  for (const int num_ranks : {1, 2, 5}) {
    for (const bool in_parts : {false, true}) {
      const absl::StatusOr<TemporaryDirectory> folder =
          TemporaryDirectory::Create("rank_text");
      ASSERT_TRUE(folder.ok()) << folder.status();
      const auto path_of = [&](int rank) {
        return absl::StrCat(folder->path(), "/", rank);
      };
      const absl::Status status =
          RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
            ASSIGN_OR_RETURN(TextWriter output,
                             TextWriter::Open(path_of(ranks.rank())));
            RankText text(ranks, output, in_parts);
            for (const std::string& piece : PiecesOf(ranks.rank())) {
              text.Add(piece);
            }
            RETURN_IF_ERROR(text.End());
            return output.Close();
          });
      ASSERT_TRUE(status.ok()) << status;
      std::string all;
      for (int rank = 0; rank < num_ranks; ++rank) {
        all += TextOf(rank);
        if (!in_parts) continue;
        EXPECT_TRUE(ReadFile(path_of(rank)) == TextOf(rank)) << rank;
      }
      if (in_parts) continue;
      EXPECT_TRUE(ReadFile(path_of(0)) == all) << num_ranks;
    }
  }
}

TEST(RankTextTest, LostRanksAreErrors) {
  const absl::Status status =
      RunOnThreads(2, [&](Communicator& ranks) -> absl::Status {
        if (ranks.rank() == 1) return absl::InternalError("lost");
        ASSIGN_OR_RETURN(TextWriter output, TextWriter::Open("/dev/null"));
        RankText text(ranks, output, /*in_parts=*/false);
        EXPECT_FALSE(text.End().ok());
        return absl::OkStatus();
      });
  EXPECT_EQ(status.message(), "lost");
}

}  // namespace
}  // namespace warpclust
