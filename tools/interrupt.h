// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What a tool does about SIGINT, SIGTERM and SIGHUP while it writes: the
// temporaries of its outputs are removed, then it dies of the same signal, so
// that the caller sees an interrupted program. A signal that the caller of the
// tool ignores (nohup) stays ignored.
//
// Thread-safety: call from one thread, before the output is opened.

#ifndef WARPCLUST_TOOLS_INTERRUPT_H_
#define WARPCLUST_TOOLS_INTERRUPT_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// From now on such a signal removes the temporaries that a TextWriter of this
// process has for `path`. At most 8 paths; "-" and empty paths are ignored.
void RemoveTemporariesOnSignal(absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INTERRUPT_H_
