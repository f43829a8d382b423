// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_engine_factory.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/online/batched/batched_clusterer.h"
#include "algorithms/online/dense/dense_batched_clusterer.h"
#include "algorithms/online/dense/dense_serial_clusterer.h"
#include "algorithms/online/distributed/ranked_clusterer.h"
#include "algorithms/online/online_cuda.h"
#include "algorithms/online/paper/multiple_document_clusterer.h"
#include "algorithms/online/serial/serial_clusterers.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device_choice.h"

namespace warpclust {
namespace {

// A GPU decides 3 to 200 times as many documents per second as a core, if it
// gets many at once. Exact batches with terms need fewer, and merge there too.
constexpr int64_t kManyAtOnce = 1 << 12;
constexpr int64_t kManyInBatches = 1 << 9;

// How long a stream will be is not known. So it moves to a GPU once it has been
// so long that it had better been there from its start, start of CUDA included:
// then the whole takes at most twice as long as it could have. If CUDA runs
// already, that is almost at once.
bool PaysOnGpu(int64_t num_documents, int64_t many,
               const ExpectedSeconds& expected) {
  return num_documents >= many && FasterDevice(expected) == Device::kCuda;
}

// The GpuEngineMaker of ranks.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnGpu(
    const OnlineOptions& options, const OnlineState& state, int32_t batch) {
  OnlineMethodOptions method_options;
  method_options.batch = batch;
  return MakeOnlineEngineCuda(OnlineMethod::kBatched, options, state,
                              method_options);
}

}  // namespace

OnlineChoice ChooseOnlineMethod(const OnlineMethodOptions& options,
                                bool has_gpu, int64_t num_documents,
                                int64_t num_entries,
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
  // Later calls stay there, however small.
  const int64_t many =
      method == OnlineMethod::kBatched ? kManyInBatches : kManyAtOnce;
  const bool on_gpu =
      has_gpu && (current.device == Device::kCuda ||
                  PaysOnGpu(num_documents, many,
                            Expect(StreamJob{num_entries}, /*num_threads=*/0)));
  return {method, on_gpu ? Device::kCuda : Device::kCpu};
}

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngine(
    const OnlineChoice& choice, const OnlineOptions& options,
    const OnlineMethodOptions& method_options, const OnlineState& state) {
  BatchedOptions batched;
  if (method_options.batch != 0) batched.batch = method_options.batch;
  batched.num_threads = method_options.num_threads;
  if (method_options.has_ranks()) {
    RankedOptions ranked;
    ranked.batched = batched;
    ranked.may_be_alone = method_options.method == OnlineMethod::kAuto;
    ranked.on_gpu = choice.device == Device::kCuda;
    return MakeRankedClusterer(options, state, ranked, *method_options.ranks,
                               MakeOnGpu);
  }
  if (choice.device == Device::kCuda) {
    return MakeOnlineEngineCuda(choice.method, options, state, method_options);
  }
  switch (choice.method) {
    case OnlineMethod::kSerial1:
      return MakeSerialClusterer1(options, state);
    case OnlineMethod::kSerial2:
      return MakeSerialClusterer2(options, state);
    case OnlineMethod::kBatched:
      return MakeBatchedClusterer(options, state, batched);
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

absl::Status FollowOnlineClusterer(Communicator& ranks) {
  return FollowRankedClusterer(ranks);
}

absl::Status ValidateDenseOptions(const OnlineOptions& options,
                                  const OnlineMethodOptions& method_options) {
  if (options.truncated_mean) {
    return absl::InvalidArgumentError(
        "truncated_mean: expected documents with terms, found dense documents, "
        "of which all dimensions are kept");
  }
  const OnlineMethod method = method_options.method;
  if (method != OnlineMethod::kAuto && method != OnlineMethod::kSerial1 &&
      method != OnlineMethod::kBatched) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected the method auto, serial1 or batched for dense "
                     "documents, found ",
                     OnlineMethodName(method)));
  }
  return absl::OkStatus();
}

OnlineChoice ChooseDenseOnlineMethod(const OnlineMethodOptions& options,
                                     bool has_gpu, int64_t num_documents,
                                     const DenseStreamJob& job,
                                     const OnlineChoice& current) {
  if (options.method == OnlineMethod::kSerial1) {
    return {options.method, Device::kCpu};
  }
  if (options.device != Device::kAuto) {
    return {OnlineMethod::kBatched, options.device};
  }
  const bool on_gpu = has_gpu && (current.device == Device::kCuda ||
                                  PaysOnGpu(num_documents, kManyAtOnce,
                                            Expect(job, options.num_threads)));
  return {OnlineMethod::kBatched, on_gpu ? Device::kCuda : Device::kCpu};
}

absl::StatusOr<std::unique_ptr<DenseOnlineEngine>> MakeDenseOnlineEngine(
    const OnlineChoice& choice, const OnlineOptions& options,
    const OnlineMethodOptions& method_options, const OnlineState& state) {
  if (choice.method == OnlineMethod::kSerial1) {
    return MakeDenseSerialClusterer(options, state);
  }
  if (choice.device == Device::kCuda) {
    return MakeDenseOnlineEngineCuda(options, state, method_options);
  }
  DenseBatchedOptions batched;
  if (method_options.batch != 0) batched.batch = method_options.batch;
  batched.num_threads = method_options.num_threads;
  return MakeDenseBatchedClusterer(options, state, batched);
}

}  // namespace warpclust
