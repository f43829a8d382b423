// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankText: the text of all ranks of a job in one output, in the order of the
// ranks, or of each rank in an output of its own. No rank holds it all.
//
//   RankText text(run.ranks, run.output, run.WritesParts());
//   ... text.Add("a line\n"); ...
//   RETURN_IF_ERROR(text.End());

#ifndef WARPCLUST_TOOLS_RANKS_RANK_TEXT_H_
#define WARPCLUST_TOOLS_RANKS_RANK_TEXT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/communicator/communicator.h"
#include "base/io/text_writer.h"

namespace warpclust {

class RankText {
 public:
  // With `in_parts` each rank writes to its own output, otherwise rank 0 alone.
  RankText(Communicator& ranks, TextWriter& output, bool in_parts)
      : ranks_(ranks), output_(output), in_parts_(in_parts) {}

  // Any thread, one at a time, and no other call of the communicator meanwhile:
  // a rank that sends its text waits until rank 0 has written what comes
  // before.
  void Add(absl::string_view text);

  // All ranks call it once, last. The first error of a message; those of the
  // output are its own.
  absl::Status End();

 private:
  void Send();
  // Writes what the rank sends.
  absl::Status WriteTextOf(int rank);

  Communicator& ranks_;
  TextWriter& output_;
  const bool in_parts_;
  std::string unsent_;
  absl::Status status_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_RANKS_RANK_TEXT_H_
