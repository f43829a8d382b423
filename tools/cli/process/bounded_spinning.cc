// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds how long threads of libgomp spin before they sleep. By default they
// spin for 3 to 15 ms after each parallel region, which slows down other work
// and a phase of one thread on the other hyper-thread of the core.
//
// libgomp reads the bound once, in a constructor of its own. The tools link it
// statically: then this constructor, which has a priority, runs before that
// one, which has none.

#include <cstdlib>

namespace {

// About 50 us: regions that follow each other at once find their threads awake.
// Chosen in tools/benchmarks/BENCHMARKS.md.
constexpr char kSpinCount[] = "2000";

[[gnu::constructor(101)]] void BoundSpinning() {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("GOMP_SPINCOUNT", kSpinCount, /*overwrite=*/0);
}

}  // namespace
