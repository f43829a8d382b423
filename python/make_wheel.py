# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel: a zip file with a list of its files. What wheel.bzl runs.

The same files give the same bytes.
"""

import argparse
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

# Parts of glibc, and of GCC's run time that a process must have only once.
_OF_THE_SYSTEM = re.compile(
    r"(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|libcuda|ld-linux-x86-64)\.so"
)

# What PyPI takes.
_MOST_BYTES = 100_000_000

_METADATA = """\
Metadata-Version: 2.1
Name: warpclust
Version: {version}
Summary: Exact clustering of documents, signed networks and points, on CPUs and GPUs
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: sparse
Requires-Dist: scipy ; extra == "sparse"
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: License :: OSI Approved :: Apache Software License
Description-Content-Type: text/markdown

{readme}"""

_WHEEL = """\
Wheel-Version: 1.0
Generator: warpclust
Root-Is-Purelib: false
Tag: py3-none-linux_x86_64
"""


def needed_libraries(library):
    """Returns the paths of the shared libraries to pack, by name."""
    lines = subprocess.run(
        ["ldd", library], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.splitlines()
    paths = {}
    for line in lines:
        name, arrow, rest = line.strip().partition(" => ")
        if not arrow or _OF_THE_SYSTEM.match(name):
            continue
        path = rest.split(" (")[0]
        if not os.path.isfile(path):
            raise SystemExit(f"{library} needs {name}, which this machine does not have")
        paths[name] = path
    return paths


def stripped(path):
    """Returns the bytes of a shared library without what only debuggers read."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "library")
        shutil.copyfile(path, copy)
        subprocess.run(["strip", "--strip-unneeded", copy], check=True)
        with open(copy, "rb") as file:
            return file.read()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser()
    for name in ("out", "version_header", "local_version", "library", "license", "readme"):
        parser.add_argument("--" + name)
    parser.add_argument("sources", nargs="+")
    args = parser.parse_args()

    version = re.search(r'kVersion\[\] = "([^"]+)"', read(args.version_header).decode()).group(1)
    if args.local_version:
        version += "+" + args.local_version
    info = f"warpclust-{version}.dist-info"
    files = {f"warpclust/{os.path.basename(path)}": read(path) for path in args.sources}
    files["warpclust/lib/libwarpclust.so"] = stripped(args.library)
    for name, path in needed_libraries(args.library).items():
        files[f"warpclust/lib/{name}"] = stripped(path)
    files[f"{info}/LICENSE"] = read(args.license)
    files[f"{info}/METADATA"] = _METADATA.format(
        version=version, readme=read(args.readme).decode()
    ).encode()
    files[f"{info}/WHEEL"] = _WHEEL.encode()
    record = ""
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
        record += f"{name},sha256={digest.decode()},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

    path = os.path.join(args.out, f"warpclust-{version}-py3-none-linux_x86_64.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    size = os.path.getsize(path)
    if size > _MOST_BYTES:
        sys.exit(f"{path} has {size} bytes, more than {_MOST_BYTES}: name fewer --cuda_archs")


if __name__ == "__main__":
    main()
