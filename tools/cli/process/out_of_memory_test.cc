// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// tests/limits_test.sh runs the tools in little memory.

#include "tools/cli/process/out_of_memory.h"

#include <stdlib.h>

#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

// As operator new does; that of the sanitizers does not call the handler.
void FailAllocation() { std::get_new_handler()(); }

TEST(OutOfMemoryDeathTest, TheToolSaysSoAndEndsWithThree) {
  EXPECT_EXIT(
      {
        const ExitWhenOutOfMemory exit_when_out_of_memory("sample");
        FailAllocation();
      },
      testing::ExitedWithCode(3), "^sample: not enough memory; try ");
}

TEST(OutOfMemoryDeathTest, InAnyThread) {
  EXPECT_EXIT(
      {
        const ExitWhenOutOfMemory exit_when_out_of_memory("sample");
        std::thread(FailAllocation).join();
      },
      testing::ExitedWithCode(3), "^sample: not enough memory; try ");
}

TEST(OutOfMemoryDeathTest, WhateverIsThrown) {
  EXPECT_EXIT(
      {
        const ExitWhenOutOfMemory exit_when_out_of_memory("sample");
        std::thread([] { throw std::bad_alloc(); }).join();
      },
      testing::ExitedWithCode(3), "^sample: not enough memory; try ");
  EXPECT_EXIT(
      {
        const ExitWhenOutOfMemory exit_when_out_of_memory("sample");
        // As std::thread does if there is no memory for the stack.
        std::thread([] {
          throw std::system_error(
              std::make_error_code(std::errc::resource_unavailable_try_again));
        }).join();
      },
      testing::ExitedWithCode(3), "^sample: not enough memory; try ");
  EXPECT_EXIT(
      {
        const ExitWhenOutOfMemory exit_when_out_of_memory("sample");
        std::thread([] { throw std::length_error("vector"); }).join();
      },
      testing::ExitedWithCode(3), "^sample: unexpected error: vector");
}

TEST(OutOfMemoryDeathTest, ALibraryThatExits) {
  EXPECT_EXIT(
      {
        const ExitWhenOutOfMemory exit_when_out_of_memory("sample");
        exit(1);
      },
      testing::ExitedWithCode(3), "^sample: not enough memory; try ");
  EXPECT_EXIT(
      {
        { const ExitWhenOutOfMemory exit_when_out_of_memory("sample"); }
        exit(1);
      },
      testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace warpclust
