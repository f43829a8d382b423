// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Colors of clusters. The k-th peak by gamma has the k-th color, so that a
// cluster keeps its color while others come and go.

// Distinct with the common kinds of color blindness, on white and on black
// (after Okabe and Ito).
const FIRST_COLORS = [
  '#1f78c8', '#e69f00', '#009e73', '#d55e00', '#cc79a7',
  '#56b4e9', '#8a63d2', '#a0a000', '#c23b4e', '#17becf',
];

// [r, g, b] of a color in OKLCH, hue in turns; equal lightness looks equal.
function oklch(lightness, chroma, turns) {
  const a = chroma * Math.cos(2 * Math.PI * turns);
  const b = chroma * Math.sin(2 * Math.PI * turns);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
  ].map((linear) => {
    const x = Math.min(1, Math.max(0, linear));
    return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
  });
}

const knownColors = FIRST_COLORS.map((hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)));

// [r, g, b] of the k-th peak. Beyond the first ten: hues by the golden angle,
// in three lightnesses.
function clusterColor(k) {
  while (knownColors.length <= k) {
    const next = knownColors.length;
    knownColors.push(oklch([0.66, 0.54, 0.76][next % 3], 0.145, next * 0.3819660113));
  }
  return knownColors[k];
}

function cssColor([r, g, b]) {
  return `rgb(${r},${g},${b})`;
}

// A custom property of page.css, as text and as [r, g, b].
function themeText(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
function themeColor(name) {
  const {r, g, b} = d3.rgb(themeText(name));
  return [r, g, b];
}
