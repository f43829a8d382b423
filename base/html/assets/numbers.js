// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Numbers as people read them.

function formatNumber(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) return value.toExponential(3);
  if (Number.isInteger(value)) return d3.format(',')(value);
  return Number(value.toPrecision(6)).toLocaleString('en-US', {maximumFractionDigits: 9});
}

// The same for a decimal of any length.
function groupDigits(decimal) {
  return decimal.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}

function formatTick(value) {
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-3) return value.toExponential(0);
  if (size >= 1e12) return value.toExponential(1).replace('.0e', 'e');
  if (size >= 1e4) return d3.format('s')(Number(value.toPrecision(6)));
  return d3.format(',')(Number(value.toPrecision(6)));
}

// The power of ten below the width of a pixel, so that dragging gives round
// numbers.
function pixelStep(extent, pixels) {
  return 10 ** Math.floor(Math.log10(Math.max(extent, Number.MIN_VALUE * 1e10) / Math.max(1, pixels)));
}
function roundTo(value, step) {
  return Number((Math.round(value / step) * step).toPrecision(12));
}
