# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""precompiled_headers: headers that nearly every file includes, parsed once.

Parsing Abseil's and GoogleTest's headers takes most of the time of a compilation.
With --//:precompiled_headers (set in .bazelrc), cc.bzl puts a target of this rule
into the srcs of each C++ target, and `-include` of its header into the copts.

g++ uses the precompiled form if it was made with the same options; otherwise, like
other compilers, it reads the header itself. A file must still include what it uses:
dependants build without this.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

def _impl(ctx):
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    ctx.actions.write(header, "".join(["#include <{}>\n".format(h) for h in ctx.attr.headers]))
    outputs = [header]
    toolchain = find_cpp_toolchain(ctx)
    if "clang" not in toolchain.compiler:
        features = cc_common.configure_features(
            ctx = ctx,
            cc_toolchain = toolchain,
            requested_features = ctx.features,
            unsupported_features = ctx.disabled_features,
        )
        cpp = ctx.fragments.cpp
        variants = {"plain": []}
        if ctx.attr.openmp:
            variants["openmp"] = ["-fopenmp"]
        for variant, option in variants.items():
            # g++ tries all files of this folder. Bazel requires headers to end in .h.
            output = ctx.actions.declare_file("{}.gch/{}.h".format(header.basename, variant))
            options = cc_common.get_memory_inefficient_command_line(
                feature_configuration = features,
                action_name = CPP_COMPILE_ACTION_NAME,
                variables = cc_common.create_compile_variables(
                    feature_configuration = features,
                    cc_toolchain = toolchain,
                    user_compile_flags = cpp.copts + cpp.cxxopts + ctx.attr.copts + option,
                    use_pic = True,
                ),
            )
            ctx.actions.run(
                executable = toolchain.compiler_executable,
                arguments = options + ["-x", "c++-header", header.path, "-o", output.path],
                inputs = depset([header], transitive = [toolchain.all_files]),
                outputs = [output],
                mnemonic = "CppPrecompile",
                progress_message = "Precompiling " + output.short_path,
            )
            outputs.append(output)
    return [DefaultInfo(files = depset(outputs))]

precompiled_headers = rule(
    implementation = _impl,
    attrs = {
        "copts": attr.string_list(),
        "headers": attr.string_list(doc = "Headers of the system, as in an #include."),
        "openmp": attr.bool(doc = "Also for files compiled with -fopenmp."),
        "_cc_toolchain": attr.label(
            default = Label("@bazel_tools//tools/cpp:current_cc_toolchain"),
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
