// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BlockBuffers: buffers for the blocks of one input, used again once their last
// owner lets go of them. The system clears every page of fresh memory and, when
// many threads give memory back, stops all of them: that took longer than
// copying a file.
//
//   BlockBuffers buffers;
//   std::shared_ptr<char[]> buffer = buffers.Take(1 << 20);
//
// Thread-safe, also that buffers are let go of, which any thread may do even
// after the BlockBuffers are gone. Memory: as many buffers as were owned at
// once, until KeepNone or the destruction. Move-only.

#ifndef WARPCLUST_BASE_IO_LINES_BLOCK_BUFFERS_H_
#define WARPCLUST_BASE_IO_LINES_BLOCK_BUFFERS_H_

#include <cstdint>
#include <memory>

namespace warpclust {

class BlockBuffers {
 public:
  BlockBuffers();
  BlockBuffers(BlockBuffers&&);
  BlockBuffers& operator=(BlockBuffers&&);
  ~BlockBuffers();

  // Adds an idle buffer, all of it present in memory.
  void Add(int64_t capacity);
  // Frees what is idle, and later each buffer as it is let go of or added.
  void KeepNone();
  // A buffer of at least `capacity` bytes, which are not initialized.
  std::shared_ptr<char[]> Take(int64_t capacity);

 private:
  struct Idle;
  std::shared_ptr<Idle> idle_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_LINES_BLOCK_BUFFERS_H_
