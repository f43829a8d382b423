// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What a tool does when the memory of the host runs out: it prints a message
// and ends with exit code 3.
//
// Libraries do not handle this case; std::bad_alloc may leave them, or end the
// process from one of their threads. Outputs of a TextWriter have no name until
// they are complete, so a tool can end at any moment (base/io/text_writer.h).
// Memory of a GPU that runs out is a status instead.

#ifndef WARPCLUST_TOOLS_CLI_PROCESS_OUT_OF_MEMORY_H_
#define WARPCLUST_TOOLS_CLI_PROCESS_OUT_OF_MEMORY_H_

#include <functional>

#include "absl/strings/string_view.h"

namespace warpclust {

// Create one at the beginning of a tool and keep it until the tool ends. From
// then on the process ends with exit code 3 and a message that begins with
// `tool` if an allocation fails in any thread, if nobody catches an exception,
// or if a library calls exit(), as OpenMP does when it cannot start a thread.
class ExitWhenOutOfMemory {
 public:
  explicit ExitWhenOutOfMemory(absl::string_view tool);
  ~ExitWhenOutOfMemory();
  // What messages begin with from now on. Before one, `wait_for_turn` is
  // called, which takes no memory: it need not return if another process of the
  // job says the same and ends this one.
  void SetName(absl::string_view tool, std::function<void()> wait_for_turn);
  ExitWhenOutOfMemory(const ExitWhenOutOfMemory&) = delete;
  ExitWhenOutOfMemory& operator=(const ExitWhenOutOfMemory&) = delete;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_PROCESS_OUT_OF_MEMORY_H_
