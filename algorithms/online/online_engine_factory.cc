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

// A GPU decides three to two hundred times as many documents a second, but to
// begin with one takes 0.3 to 0.5 s, in which a core decides 50,000 to 300,000:
// a stream moves there when it has been as long as that, in a call that brings
// many at once. Later calls, however small, then stay.
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
    return MakeOnlineEngineCuda(choice.method, options, state,
                                method_options.batch, method_options.epsilon);
  }
  switch (choice.method) {
    case OnlineMethod::kSerial1:
      return MakeSerialClusterer1(options, state);
    case OnlineMethod::kSerial2:
      return MakeSerialClusterer2(options, state);
    case OnlineMethod::kBatched: {
      BatchedOptions batched_options;
      if (method_options.batch != 0) {
        batched_options.batch = method_options.batch;
      }
      batched_options.threads = method_options.threads;
      return MakeBatchedClusterer(options, state, batched_options);
    }
    case OnlineMethod::kApproximate: {
      MultipleDocumentOptions multiple_document_options;
      if (method_options.batch != 0) {
        multiple_document_options.batch = method_options.batch;
      }
      multiple_document_options.epsilon = method_options.epsilon;
      multiple_document_options.threads = method_options.threads;
      return MakeMultipleDocumentClusterer(options, state,
                                           multiple_document_options);
    }
    case OnlineMethod::kAuto:
    case OnlineMethod::kParallel1:
      break;
  }
  return absl::InternalError(absl::StrCat(
      "no method ", OnlineMethodName(choice.method), " on the CPU"));
}

}  // namespace warpclust
