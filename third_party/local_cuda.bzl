# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""@local_cuda: the CUDA toolkit of this machine, if there is one.

It is searched in $CUDA_HOME, $CUDA_PATH, beside the nvcc on $PATH and in
/usr/local/cuda. Without a toolkit the labels still exist; building them fails with
one sentence.

  //:defs.bzl   NVCC, the compiler's absolute path, or "" without a toolkit
  //:headers    CUDA's C headers (cuda_runtime_api.h and the like) for .cc files;
                .cu files need nothing, nvcc finds its own
  //:cudart     the static CUDA runtime
"""

_NO_CUDA_SENTENCE = (
    "No CUDA toolkit found: set CUDA_HOME, or build without --config=cuda"
)

_WITH_CUDA = """\
load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "headers",
    hdrs = glob(["include/*.h", "include/crt/*.h", "include/crt/*.hpp", "include/*.hpp"]),
    includes = ["include"],
)

cc_library(
    name = "cudart",
    srcs = ["libcudart_static.a"],
    linkopts = ["-ldl", "-lpthread", "-lrt"],
    deps = [":headers"],
)
"""

_WITHOUT_CUDA = """\
load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

genrule(
    name = "missing",
    outs = ["missing.cc"],
    cmd = "echo '{sentence}' >&2; exit 1",
)

cc_library(
    name = "headers",
    srcs = ["missing.cc"],
)

cc_library(
    name = "cudart",
    deps = [":headers"],
)
"""

def _find_toolkit(repository_ctx):
    candidates = []
    for variable in ["CUDA_HOME", "CUDA_PATH"]:
        value = repository_ctx.os.environ.get(variable)
        if value:
            candidates.append(value)
    nvcc = repository_ctx.which("nvcc")
    if nvcc:
        candidates.append(str(nvcc.realpath.dirname.dirname))
    candidates.append("/usr/local/cuda")
    for candidate in candidates:
        if repository_ctx.path(candidate + "/bin/nvcc").exists:
            return candidate
    return None

def _local_cuda_impl(repository_ctx):
    home = _find_toolkit(repository_ctx)
    if not home:
        repository_ctx.file("BUILD", _WITHOUT_CUDA.format(sentence = _NO_CUDA_SENTENCE))
        repository_ctx.file("defs.bzl", "NVCC = \"\"\n")
        return
    repository_ctx.symlink(home + "/include", "include")
    for folder in ["lib64", "lib", "targets/x86_64-linux/lib"]:
        archive = repository_ctx.path("{}/{}/libcudart_static.a".format(home, folder))
        if archive.exists:
            repository_ctx.symlink(archive, "libcudart_static.a")
            break
    repository_ctx.file("BUILD", _WITH_CUDA)
    repository_ctx.file("defs.bzl", "NVCC = \"{}/bin/nvcc\"\n".format(home))

local_cuda = repository_rule(
    implementation = _local_cuda_impl,
    configure = True,
    environ = ["CUDA_HOME", "CUDA_PATH", "PATH"],
    local = True,
)
