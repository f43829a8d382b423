# shellcheck shell=bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by docs_test.sh in the folder where commands run: makes the files that
# pages name from the bundled examples in examples/.

# Documents, and a month of headlines in two parts; a few of the first part are
# withdrawn, and two are corrected. posts.jsonl holds headlines without ids.
cp examples/encyclopedia.jsonl documents.jsonl
head -n 200 examples/headlines.jsonl >monday.jsonl
tail -n +201 examples/headlines.jsonl >tuesday.jsonl
sed -n '11,13s/.*"id": *"\([^"]*\)".*/\1/p' monday.jsonl >withdrawn.txt
sed -n '21,22s/"text": *"/&Corrected: /p' monday.jsonl >corrected.jsonl
head -n 20 monday.jsonl | sed 's/"id": *"[^"]*", *//' >posts.jsonl

# Points: all of them, and in two parts; three points are removed.
gzip -c examples/points.csv >points.csv.gz
head -n 700 examples/points.csv >monday.csv
tail -n +701 examples/points.csv >tuesday.csv
printf '%s\n' 3 14 159 >gone.txt

# A signed network with a loop, and one without.
gzip -c examples/tribes.txt >network.txt.gz
{ cat examples/tribes.txt && printf 'GAMA GAMA 1\n'; } | gzip -c >slashdot.txt.gz
