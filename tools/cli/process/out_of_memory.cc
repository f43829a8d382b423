// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/out_of_memory.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

struct Speaker {
  std::string prefix;
  std::function<void()> wait_for_turn;
};
// Allocated in advance: later there is no memory. Never freed: another thread
// may be printing.
const Speaker* speaker = nullptr;
bool tool_is_running = false;

[[noreturn]] void ExitUnavailable(const char* what, const char* advice) {
  if (speaker->wait_for_turn != nullptr) speaker->wait_for_turn();
  // In one piece: other processes may write too.
  std::array<iovec, 4> parts;
  size_t next = 0;
  for (const char* part : {speaker->prefix.c_str(), what, advice, "\n"}) {
    parts[next++] = {const_cast<char*>(part), strlen(part)};
  }
  // Several threads may come here at once. Not exit(), which would run
  // destructors that other threads still need.
  [[maybe_unused]] const ssize_t written =
      writev(STDERR_FILENO, parts.data(), parts.size());
  _exit(3);
}

[[noreturn]] void OutOfMemory() {
  ExitUnavailable("not enough memory",
                  "; try fewer --threads, a smaller input, or a higher memory "
                  "limit (ulimit -v)");
}

// OpenMP ends the process with exit code 1 if a thread cannot be started.
void ExitFromLibrary() {
  if (tool_is_running) OutOfMemory();
}

[[noreturn]] void Terminate() {
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
      OutOfMemory();
    } catch (const std::system_error& error) {
      // No memory for the stack of a thread.
      if (error.code() == std::errc::resource_unavailable_try_again) {
        OutOfMemory();
      }
      ExitUnavailable("unexpected error: ", error.what());
    } catch (const std::exception& error) {
      ExitUnavailable("unexpected error: ", error.what());
    } catch (...) {
    }
  }
  ExitUnavailable("unexpected error: ", "unknown exception");
}

}  // namespace

ExitWhenOutOfMemory::ExitWhenOutOfMemory(absl::string_view tool) {
  SetName(tool, nullptr);
  tool_is_running = true;
  std::set_new_handler(OutOfMemory);
  std::set_terminate(Terminate);
  std::atexit(ExitFromLibrary);
}

void ExitWhenOutOfMemory::SetName(absl::string_view tool,
                                  std::function<void()> wait_for_turn) {
  speaker = new Speaker{absl::StrCat(tool, ": "), std::move(wait_for_turn)};
}

ExitWhenOutOfMemory::~ExitWhenOutOfMemory() { tool_is_running = false; }

}  // namespace warpclust
