// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunInCallThread: a job in a thread of its own, while the calling thread
// watches it. Languages such as Python and R call back, and handle Ctrl-C, only
// in the thread that called.
//
// The thread is kept for the next job of the same caller: OpenMP's threads
// belong to it, and starting them costs more than a short job. It handles no
// signals. After fork(), the child starts a new one.

#ifndef WARPCLUST_PYTHON_C_API_CALL_THREAD_H_
#define WARPCLUST_PYTHON_C_API_CALL_THREAD_H_

#include "absl/functional/function_ref.h"

namespace warpclust {

// Runs `job`, which throws nothing; calls `watch` every 0.05 s until it ends.
// Called by `watch`, it runs its job in the calling thread, unwatched.
void RunInCallThread(absl::FunctionRef<void()> job,
                     absl::FunctionRef<void()> watch);

}  // namespace warpclust

#endif  // WARPCLUST_PYTHON_C_API_CALL_THREAD_H_
