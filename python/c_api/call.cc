// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "python/c_api/call.h"

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "base/version.h"
#include "kernels/memory/gpu_array.h"
#include "python/c_api/call_thread.h"
#include "python/c_api/result_storage.h"

namespace warpclust {
namespace {

thread_local std::string last_error;

absl::Status WithoutExceptions(absl::FunctionRef<absl::Status()> job) {
  try {
    return job();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("not enough memory");
  } catch (const std::length_error&) {
    return absl::ResourceExhaustedError("not enough memory");
  } catch (const std::exception& error) {
    return absl::InternalError(error.what());
  } catch (...) {
    return absl::InternalError("an exception of unknown type");
  }
}

warpclust_status Record(const absl::Status& status) {
  if (status.ok()) return WARPCLUST_OK;
  last_error = std::string(status.message());
  return static_cast<warpclust_status>(status.code());
}

absl::Status Run(const warpclust_run& run,
                 absl::FunctionRef<absl::Status(const CallOptions&)> job,
                 const CallHooks& hooks) {
  CallOptions options;
  if (run.device != nullptr) {
    ASSIGN_OR_RETURN(options.device, ParseDevice(run.device));
  }
  options.num_threads = run.num_threads;
  options.num_gpus = std::max(1, run.num_gpus);
  if (run.num_gpus < 0 || (run.num_gpus > 1 && !hooks.several_gpus)) {
    return absl::InvalidArgumentError(
        absl::StrCat("num_gpus: expected ",
                     run.num_gpus < 0 ? "0 or more" : "1 for this function",
                     ", found ", run.num_gpus));
  }
  if (run.num_gpus > 1 && options.device == Device::kCpu) {
    return absl::InvalidArgumentError(absl::StrCat(
        "num_gpus: expected 1 with device=\"cpu\", found ", run.num_gpus));
  }
  WorkShare work;
  options.work = &work;
  if (run.progress == nullptr) return job(options);

  absl::Status status;
  bool stopped = false;
  RunInCallThread(
      [&] { status = WithoutExceptions([&] { return job(options); }); },
      [&] {
        if (stopped) return;
        const double share = hooks.share ? hooks.share() : work.Share();
        if (run.progress(share, run.progress_data) == 0) return;
        stopped = true;
        work.RequestStop();
        if (hooks.stop) hooks.stop();
      });
  return status;
}

}  // namespace

warpclust_status Call(absl::FunctionRef<absl::Status()> job) noexcept {
  return Record(WithoutExceptions(job));
}

warpclust_status Call(const warpclust_run* run,
                      absl::FunctionRef<absl::Status(const CallOptions&)> job,
                      const CallHooks& hooks) noexcept {
  return Call(
      [&] { return Run(run == nullptr ? warpclust_run() : *run, job, hooks); });
}

}  // namespace warpclust

const char* warpclust_version(void) { return warpclust::kVersion; }

int32_t warpclust_abi_version(void) { return WARPCLUST_ABI_VERSION; }

const char* warpclust_last_error(void) { return warpclust::last_error.c_str(); }

void warpclust_free(void* storage) {
  delete static_cast<warpclust::ResultStorage*>(storage);
}

warpclust_status warpclust_copy_from_gpu(void* to, const void* from,
                                         int64_t bytes) {
  return warpclust::Call(
      [&] { return warpclust::CopyGpuArray("array", from, bytes, to); });
}

warpclust_status warpclust_resolve_device(const char* requested,
                                          const char** device) {
  return warpclust::Call([&]() -> absl::Status {
    ASSIGN_OR_RETURN(
        const warpclust::Device asked,
        warpclust::ParseDevice(requested == nullptr ? "auto" : requested));
    ASSIGN_OR_RETURN(const warpclust::Device found,
                     warpclust::ResolveDevice(asked));
    *device = found == warpclust::Device::kCuda ? "cuda" : "cpu";
    return absl::OkStatus();
  });
}
