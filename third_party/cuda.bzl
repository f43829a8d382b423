# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""cuda_library, cuda_test, cuda_binary: CUDA code in Bazel.

All three are incompatible, and skipped by `//...`, unless //:cuda is set
(--config=cuda). Dependants may use them for their own .cu files.
"""

load("@local_cuda//:defs.bzl", "NVCC")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//third_party:build_settings.bzl", "BuildSettingInfo")
load("//third_party:cc.bzl", "cc_binary", "cc_test")

def _gencode_flags(archs, hopper):
    """Machine code for each architecture, PTX for the last (newer GPUs)."""
    flags = []
    for arch in archs:
        code = "90a" if hopper and arch == "90" else arch
        flags += ["-gencode", "arch=compute_{0},code=sm_{0}".format(code)]
    last = archs[-1]
    flags += ["-gencode", "arch=compute_{0},code=compute_{0}".format(last)]
    return flags

def _compile(ctx, src, toolchain, context):
    """Declares the nvcc action of one .cu file; returns the object."""
    object = ctx.actions.declare_file("_objs/{}/{}.o".format(
        ctx.label.name,
        src.basename[:-len(".cu")],
    ))
    if not NVCC:
        ctx.actions.run_shell(
            outputs = [object],
            command = "echo 'No CUDA toolkit found: set CUDA_HOME, or build " +
                      "without --config=cuda' >&2; exit 1",
            mnemonic = "CudaCompile",
        )
        return object

    args = ctx.actions.args()
    args.add_all(["-x", "cu", "-std=c++20", "-O3", "-DNDEBUG"])
    args.add_all(["-ccbin", toolchain.compiler_executable])
    args.add_all(["--expt-relaxed-constexpr", "--extended-lambda"])

    # a * b + c means the same on CPU and GPU: see copts.bzl.
    args.add_all(["--fmad=false", "-Xcompiler=-ffp-contract=off"])
    args.add_all(["-Xcompiler=-fPIC", "-Xcompiler=-Wall,-Wextra"])

    # nvcc mistakes `status = F();` for a discarded [[nodiscard]] absl::Status. Its
    # host compiler sees the same code and does not.
    args.add("-diag-suppress=2810")
    if ctx.attr._werror[BuildSettingInfo].value:
        args.add_all(["-Werror", "all-warnings"])
    args.add_all(_gencode_flags(
        ctx.attr._archs[BuildSettingInfo].value,
        ctx.attr.hopper,
    ))
    args.add_all(context.defines, format_each = "-D%s")
    args.add_all(ctx.attr.local_defines, format_each = "-D%s")

    # nvcc does not know -iquote; its host compiler does.
    args.add_all(context.quote_includes, format_each = "-Xcompiler=-iquote,%s")
    args.add_all(context.includes, format_each = "-I%s")
    args.add_all(context.system_includes, before_each = "-isystem")
    args.add_all(ctx.attr.copts)
    args.add_all(["-c", src, "-o", object])

    # nvcc names temporary files by its process number, which is the same in every
    # sandbox, and Bazel sets TMPDIR to one folder: two nvcc at a time would use each
    # other's files.
    ctx.actions.run_shell(
        command = """
            TMPDIR=$(mktemp -d) || exit 1
            export TMPDIR
            trap 'rm -rf "$TMPDIR"' EXIT
            "$@"
        """,
        arguments = [NVCC, args],
        inputs = depset(
            [src] + ctx.files.textual_hdrs,
            transitive = [context.headers, toolchain.all_files],
        ),
        outputs = [object],
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin"},
        mnemonic = "CudaCompile",
        progress_message = "Compiling %{input} with nvcc".replace("%{input}", src.short_path),
    )
    return object

def _cuda_library_impl(ctx):
    toolchain = ctx.attr._cc_toolchain[cc_common.CcToolchainInfo]
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    dep_infos = [dep[CcInfo] for dep in ctx.attr.deps + [ctx.attr._cudart]]

    # Compiles nothing: creates the context (headers, include paths).
    # cc_common.compile takes no .cuh: those go in as a context of their own.
    device_headers = [file for file in ctx.files.hdrs if file.extension == "cuh"]
    context, _ = cc_common.compile(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        public_hdrs = [file for file in ctx.files.hdrs if file.extension != "cuh"],
        compilation_contexts = [
            cc_common.create_compilation_context(headers = depset(device_headers)),
        ] + [info.compilation_context for info in dep_infos],
    )

    objects = depset([_compile(ctx, src, toolchain, context) for src in ctx.files.srcs])
    outputs = cc_common.create_compilation_outputs(
        objects = objects,
        pic_objects = objects,
    )
    linking, _ = cc_common.create_linking_context_from_compilation_outputs(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        compilation_outputs = outputs,
        linking_contexts = [info.linking_context for info in dep_infos],
        alwayslink = ctx.attr.alwayslink,
        disallow_dynamic_library = True,
    )
    runfiles = ctx.runfiles(files = ctx.files.data)
    for dep in ctx.attr.deps:
        runfiles = runfiles.merge(dep[DefaultInfo].default_runfiles)
    return [
        DefaultInfo(files = objects, runfiles = runfiles),
        CcInfo(compilation_context = context, linking_context = linking),
    ]

_cuda_library = rule(
    implementation = _cuda_library_impl,
    attrs = {
        "alwayslink": attr.bool(),
        "copts": attr.string_list(doc = "Further options for nvcc."),
        "data": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "hdrs": attr.label_list(allow_files = [".h", ".cuh"]),
        "hopper": attr.bool(
            doc = "Whether code for 90 is for sm_90a, which newer GPUs do not run.",
        ),
        "local_defines": attr.string_list(),
        "srcs": attr.label_list(allow_files = [".cu"]),
        "textual_hdrs": attr.label_list(
            allow_files = True,
            doc = "Files that only our own .cu files include.",
        ),
        "_archs": attr.label(default = Label("//:cuda_archs")),
        "_cc_toolchain": attr.label(
            default = Label("@bazel_tools//tools/cpp:current_cc_toolchain"),
        ),
        "_cudart": attr.label(default = Label("@local_cuda//:cudart")),
        "_werror": attr.label(default = Label("//:cuda_werror")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def _requires_cuda():
    # Labels, not strings: a dependant's call would resolve them in its own
    # repository.
    return select({
        str(Label("//:cuda_enabled")): [],
        "//conditions:default": [str(Label("//:cuda_required"))],
    })

def cuda_library(name, srcs = [], hdrs = [], deps = [], **kwargs):
    """A C++ library whose sources are CUDA.

    There is no device linking: a __device__ function is called in the file that
    defines it, or is inline in a .cuh header. `a * b + c` is never fused; write
    fma() or fmaf() where one rounding is meant. The runtime is linked statically.

    Args:
      name: the target.
      srcs: .cu files.
      hdrs: .h files, which name no CUDA type outside //kernels; .cuh files.
      deps: cc_library and cuda_library targets.
      **kwargs: copts (more nvcc options), local_defines, textual_hdrs, data,
        alwayslink, testonly, visibility, tags.
    """
    _cuda_library(
        name = name,
        srcs = srcs,
        hdrs = hdrs,
        deps = deps,
        target_compatible_with = _requires_cuda(),
        **kwargs
    )

# //:gpu_archive packs what is tagged gpu.
_ARCHIVED = [str(Label("//:__pkg__"))]

def cuda_test(name, size = "medium", tags = [], visibility = _ARCHIVED, **kwargs):
    """A cc_test, tagged gpu, that only exists with --config=cuda.

    It skips itself (GTEST_SKIP) on a machine without a GPU. Add it to
    GPU_ARCHIVE_TESTS in //third_party:gpu_archive_members.bzl.
    """
    cc_test(
        name = name,
        size = size,
        tags = tags + ["gpu"],
        target_compatible_with = _requires_cuda(),
        visibility = visibility,
        **kwargs
    )

def cuda_binary(name, tags = [], visibility = _ARCHIVED, **kwargs):
    """A cc_binary, tagged gpu, that only exists with --config=cuda."""
    cc_binary(
        name = name,
        tags = tags + ["gpu"],
        target_compatible_with = _requires_cuda(),
        visibility = visibility,
        **kwargs
    )
