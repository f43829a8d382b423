// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// The points in the plane, colored by cluster.

// Two extents within this ratio are drawn to one scale.
const MAX_ASPECT = 3;

class PointsPlot extends PointPlot {
  constructor(data) {
    super('points-plot', data.meta.x.label, data.meta.y.label);
    this.data = data;
  }

  makeScales({left, top, right, bottom}) {
    const {x, y, dimensions} = this.data.meta;
    let width = x.max - x.min;
    let height = y.max - y.min;
    // Without any extent: a window around the value.
    if (!(width > 0)) width = height > 0 ? height : Math.abs(x.min) || 1;
    if (!(height > 0)) height = width;
    const ratio = (width / (right - left)) / (height / (bottom - top));
    if (dimensions > 1 && ratio < MAX_ASPECT && ratio > 1 / MAX_ASPECT) {
      if (ratio > 1) height *= ratio; else width /= ratio;
    }
    const around = (axis, extent) => {
      const middle = axis.min / 2 + axis.max / 2;
      return [middle - extent * 0.53, middle + extent * 0.53];
    };
    this.x = d3.scale.linear().domain(around(x, width)).range([left, right]);
    this.y = d3.scale.linear().domain(around(y, height)).range([bottom, top]);
  }

  // The places of the points, which only a layout changes.
  drawBase() {
    const {x, y, meta, n} = this.data;
    const line = (axis, scale) => {
      const from = scale(axis.min);
      const extent = scale(axis.max) - from;
      return extent === 0 ? () => from : (t) => from + t * extent;
    };
    const xAt = line(meta.x, this.x);
    const yAt = line(meta.y, this.y);
    this.place(n, (i) => xAt(x[i]), (i) => yAt(y[i]));
  }

  drawChoice(choice, state) {
    const {n, rho} = this.data;
    const panel = themeColor('--panel');
    const noiseColor = themeColor('--noise');
    const chosen = choice.peaks.indexOf(state.highlight);
    // One color per cluster, then noise.
    const colors = choice.peaks.map((_, k) => (chosen < 0 || k === chosen
      ? clusterColor(k)
      : clusterColor(k).map((v, c) => Math.round(0.14 * v + 0.86 * panel[c]))));
    colors.push(noiseColor);
    const noise = colors.length - 1;
    const {owner} = choice;
    const rhoMin = state.grayNoise ? state.selection.rhoMin : 0;
    const radius = pointRadius(n) * this.ratio;
    const opacity = pointOpacity(n);
    const target = this.beginPoints();
    const draw = (colorOf) => this.painter.draw(
      target, null, n, this.px, this.py, colors, colorOf, radius, opacity);
    // Noise lies below, the highlighted cluster on top.
    if (rhoMin > 0) draw((i) => (rho[i] < rhoMin ? noise : -1));
    if (chosen < 0) {
      draw((i) => (rho[i] < rhoMin ? -1 : owner[i]));
    } else {
      draw((i) => (rho[i] < rhoMin || owner[i] === chosen ? -1 : owner[i]));
      draw((i) => (rho[i] < rhoMin || owner[i] !== chosen ? -1 : chosen));
    }
    this.painter.end(target);
    this.drawPeaks(choice, state, 5.5, (i) => [this.px[i] / this.ratio, this.py[i] / this.ratio], '#fff');
  }
}
