// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/block_buffers.h"

#include <mutex>
#include <utility>
#include <vector>

namespace warpclust {

struct BlockBuffers::Idle {
  struct Buffer {
    std::unique_ptr<char[]> bytes;
    int64_t capacity;
  };

  void Add(Buffer buffer) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!keeps_none) buffers.push_back(std::move(buffer));
  }

  std::mutex mutex;  // Guards all below.
  std::vector<Buffer> buffers;
  bool keeps_none = false;
};

BlockBuffers::BlockBuffers() : idle_(std::make_shared<Idle>()) {}
BlockBuffers::BlockBuffers(BlockBuffers&&) = default;
BlockBuffers& BlockBuffers::operator=(BlockBuffers&&) = default;
BlockBuffers::~BlockBuffers() = default;

void BlockBuffers::Add(int64_t capacity) {
  idle_->Add({std::make_unique<char[]>(capacity), capacity});
}

void BlockBuffers::KeepNone() {
  std::vector<Idle::Buffer> freed;  // After the lock is given back.
  const std::lock_guard<std::mutex> lock(idle_->mutex);
  freed.swap(idle_->buffers);
  idle_->keeps_none = true;
}

std::shared_ptr<char[]> BlockBuffers::Take(int64_t capacity) {
  Idle::Buffer buffer = {nullptr, 0};
  {
    const std::lock_guard<std::mutex> lock(idle_->mutex);
    if (!idle_->buffers.empty()) {
      buffer = std::move(idle_->buffers.back());
      idle_->buffers.pop_back();
    }
  }
  if (buffer.capacity < capacity) {
    buffer = {std::unique_ptr<char[]>(new char[capacity]), capacity};
  }
  // Not owned by the buffers: what is let go of later is freed.
  const auto let_go = [idle = std::weak_ptr<Idle>(idle_),
                       capacity = buffer.capacity](char* bytes) {
    std::unique_ptr<char[]> owned(bytes);
    if (const std::shared_ptr<Idle> kept = idle.lock()) {
      kept->Add({std::move(owned), capacity});
    }
  };
  return std::shared_ptr<char[]>(buffer.bytes.release(), let_go);
}

}  // namespace warpclust
