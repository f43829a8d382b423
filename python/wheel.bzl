# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""wheel: a folder with a wheel in it, and python_test, a test of that wheel."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def _wheel_impl(ctx):
    # The name of the file has the version, which only the action reads.
    out = ctx.actions.declare_directory(ctx.label.name)
    inputs = [
        ctx.file.version,
        ctx.file.library,
        ctx.file.license,
        ctx.file.readme,
    ]
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = [
            ctx.file._make.path,
            "--out=" + out.path,
            "--version_header=" + ctx.file.version.path,
            "--local_version=" + ctx.attr.local_version,
            "--library=" + ctx.file.library.path,
            "--license=" + ctx.file.license.path,
            "--readme=" + ctx.file.readme.path,
        ] + [file.path for file in ctx.files.srcs],
        inputs = inputs + ctx.files.srcs + [ctx.file._make],
        outputs = [out],
        mnemonic = "Wheel",
        use_default_shell_env = True,
    )
    return [DefaultInfo(
        files = depset([out]),
        runfiles = ctx.runfiles(files = [out]),
    )]

wheel = rule(
    implementation = _wheel_impl,
    attrs = {
        "library": attr.label(allow_single_file = True, mandatory = True),
        "license": attr.label(allow_single_file = True, mandatory = True),
        "local_version": attr.string(doc = "What follows the version, after a plus."),
        "readme": attr.label(allow_single_file = True, mandatory = True),
        "srcs": attr.label_list(allow_files = True),
        "version": attr.label(allow_single_file = True, mandatory = True),
        "_make": attr.label(default = Label("//python:make_wheel.py"), allow_single_file = True),
    },
    doc = "Makes a wheel of Python files and a shared library, with the libraries that " +
          "this one needs and that not every Linux has.",
)

def python_test(name, src, data = [], args = [], size = "medium"):
    """Runs a program with the wheel and Debian's NumPy, SciPy and scikit-learn.

    python_test.sh says when it is skipped.

    Args:
      name: the test.
      src: the program, in Python or shell.
      data: files that it reads.
      args: its arguments.
      size: as for sh_test.
    """
    sh_test(
        name = name,
        size = size,
        srcs = ["//python:python_test.sh"],
        args = ["$(location //python:wheel)", "$(location {})".format(src)] + args,
        data = [src, "//python:wheel"] + data,
        tags = ["no_tsan"],
    )
