// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_engine_factory.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/online/batched/batched_clusterer.h"
#include "algorithms/online/online_cuda.h"
#include "algorithms/online/paper/multiple_document_clusterer.h"
#include "algorithms/online/serial/serial_clusterers.h"

namespace warpclust {
namespace {

// A GPU decides 3 to 200 times as many documents per second as a core, but
// starting it takes as long as a core needs for 50,000 to 300,000 documents. So
// a stream moves there once it has had that many, in a call that brings many at
// once. Later calls stay there, however small.
constexpr int64_t kManyDocuments = 1 << 17;
constexpr int64_t kManyAtOnce = 1 << 12;

}  // namespace

OnlineChoice ChooseOnlineMethod(const OnlineMethodOptions& options,
                                bool has_gpu, int64_t num_before,
                                int64_t num_documents,
                                const OnlineChoice& current) {
  switch (options.method) {
    case OnlineMethod::kSerial1:
    case OnlineMethod::kSerial2:
      return {options.method, Device::kCpu};
    case OnlineMethod::kParallel1:
      return {options.method, Device::kCuda};
    case OnlineMethod::kAuto:
    case OnlineMethod::kBatched:
    case OnlineMethod::kMdc1:
    case OnlineMethod::kMdc2:
    case OnlineMethod::kApproximate:
      break;
  }
  const OnlineMethod method = options.method == OnlineMethod::kAuto
                                  ? OnlineMethod::kBatched
                                  : options.method;
  if (options.device != Device::kAuto) return {method, options.device};
  const bool on_gpu =
      has_gpu && (current.device == Device::kCuda ||
                  (num_documents >= kManyAtOnce &&
                   num_before + num_documents >= kManyDocuments));
  return {method, on_gpu ? Device::kCuda : Device::kCpu};
}

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngine(
    const OnlineChoice& choice, const OnlineOptions& options,
    const OnlineMethodOptions& method_options, const OnlineState& state) {
  if (choice.device == Device::kCuda) {
    return MakeOnlineEngineCuda(choice.method, options, state, method_options);
  }
  switch (choice.method) {
    case OnlineMethod::kSerial1:
      return MakeSerialClusterer1(options, state);
    case OnlineMethod::kSerial2:
      return MakeSerialClusterer2(options, state);
    case OnlineMethod::kBatched: {
      BatchedOptions batched;
      if (method_options.batch != 0) batched.batch = method_options.batch;
      batched.num_threads = method_options.num_threads;
      return MakeBatchedClusterer(options, state, batched);
    }
    case OnlineMethod::kMdc1:
    case OnlineMethod::kMdc2:
    case OnlineMethod::kApproximate:
      return MakeMultipleDocumentClusterer(
          options, state, DocumentsAtATime(choice.method, method_options));
    case OnlineMethod::kAuto:
    case OnlineMethod::kParallel1:
      break;
  }
  return absl::InternalError(absl::StrCat(
      "expected a method of the CPU, found ", OnlineMethodName(choice.method)));
}

}  // namespace warpclust
