// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// The decision graph: density against dependent distance, with the thresholds
// as lines to drag, one by one or together by their corner.

const GRAB = 9;

class DecisionPlot extends PointPlot {
  constructor(data, change) {
    super('decision-plot', 'density ρ', 'dependent distance δ');
    this.data = data;
    this.change = change;
    this.logRho = false;
    this.logDelta = false;
    this.rhoMax = Math.max(1, d3.max(data.rho));
    this.deltaMax = d3.max(data.shownDelta) || 1;
    this.deltaLeast = this.deltaMax;
    for (const delta of data.shownDelta) {
      if (delta > 0 && delta < this.deltaLeast) this.deltaLeast = delta;
    }
    this.region = this.cuts.append('rect').attr('class', 'region');
    this.rhoCut = this.cuts.append('line').attr('class', 'cut');
    this.deltaCut = this.cuts.append('line').attr('class', 'cut');
    this.rhoName = this.cuts.append('text').attr('class', 'cut-label');
    this.deltaName = this.cuts.append('text').attr('class', 'cut-label');
    this.handle = this.cuts.append('circle').attr({class: 'handle', r: 6});
  }

  makeScales({left, top, right, bottom}) {
    this.x = this.logRho
      ? d3.scale.log().domain([0.7, this.rhoMax * 1.5])
      : d3.scale.linear().domain([0, this.rhoMax * 1.05]);
    this.y = this.logDelta
      ? d3.scale.log().domain([this.deltaLeast / 1.6, this.deltaMax * 1.6])
      : d3.scale.linear().domain([0, this.deltaMax * 1.07]);
    this.x.range([left, right]);
    this.y.range([bottom, top]);
  }

  // Zero has no logarithm: it lies on the edge.
  xOf(rho) {
    return this.x(Math.max(rho, this.x.domain()[0]));
  }
  yOf(delta) {
    return this.y(Math.max(delta, this.y.domain()[0]));
  }

  drawBase() {
    const {rho, shownDelta, ranking, n} = this.data;
    this.place(n, (i) => this.xOf(rho[i]), (i) => this.yOf(shownDelta[i]));
    const target = this.beginPoints();
    const draw = (points, count, radius) => this.painter.draw(
      target, points, count, this.px, this.py, [themeColor('--point')], () => 0, radius * this.ratio, 0.75);
    const radius = Math.max(1.1, pointRadius(n) * 0.8);
    draw(null, n, radius);
    // Likely peaks stay visible among very many points.
    if (radius < 2.4) draw(ranking, Math.min(n, 200), 2.4);
    this.painter.end(target);
  }

  drawChoice(choice, state) {
    const {rho, shownDelta} = this.data;
    const {left, top, right, bottom} = this.inner;
    this.selection = state.selection;
    const byThresholds = state.selection.mode === 'thresholds';
    const clampX = (v) => Math.min(right, Math.max(left, v));
    const clampY = (v) => Math.min(bottom, Math.max(top, v));
    this.xCut = clampX(this.xOf(state.selection.rhoMin));
    this.yCut = clampY(this.yOf(state.selection.deltaMin));
    this.rhoCut.attr({x1: this.xCut, x2: this.xCut, y1: top, y2: bottom});
    this.deltaCut.attr({x1: left, x2: right, y1: this.yCut, y2: this.yCut})
      .classed('idle', !byThresholds);
    this.region.attr({
      x: this.xCut, y: top, width: right - this.xCut,
      height: (byThresholds ? this.yCut : bottom) - top,
    });
    this.handle.attr({cx: this.xCut, cy: byThresholds ? this.yCut : bottom});
    const late = this.xCut > right - 80;
    this.rhoName.attr({x: this.xCut + (late ? -6 : 6), y: top + 16, 'text-anchor': late ? 'end' : 'start'})
      .text('ρ ≥ ' + formatNumber(state.selection.rhoMin));
    this.deltaName.attr({
      x: late ? this.xCut - 12 : this.xCut + 12,
      y: this.yCut < top + 40 ? this.yCut + 16 : this.yCut - 7,
      'text-anchor': late ? 'end' : 'start',
    })
      .text(byThresholds ? 'δ ≥ ' + formatNumber(state.selection.deltaMin) : '');
    this.drawPeaks(choice, state, 5, (i) => [this.xOf(rho[i]), this.yOf(shownDelta[i])]);
  }

  hit(x, y) {
    const byThresholds = this.selection.mode === 'thresholds';
    const nearX = Math.abs(x - this.xCut) < GRAB;
    const nearY = Math.abs(y - this.yCut) < GRAB;
    return {rho: nearX, delta: nearY && (byThresholds || !nearX)};
  }

  cursor(x, y) {
    const {rho, delta} = this.hit(x, y);
    if (rho && delta) return 'move';
    return rho ? 'ew-resize' : delta ? 'ns-resize' : '';
  }

  // Dragging the line of delta changes to thresholds.
  grab(x, y) {
    const {rho, delta} = this.hit(x, y);
    if (!rho && !delta) return null;
    const offset = [x - this.xCut, y - this.yCut];
    return (toX, toY) => {
      const changed = {};
      if (rho) changed.rhoMin = this.rhoAt(toX - offset[0]);
      if (delta) {
        changed.mode = 'thresholds';
        changed.deltaMin = this.deltaAt(toY - offset[1]);
      }
      this.change(changed);
    };
  }

  rhoAt(x) {
    const {left, right} = this.inner;
    if (x <= left) return 0;
    const value = this.x.invert(Math.min(x, right));
    return Math.round(Math.max(0, this.logRho && value < 1 ? 0 : value));
  }
  deltaAt(y) {
    const {top, bottom} = this.inner;
    if (y >= bottom) return 0;
    const value = this.y.invert(Math.max(y, top));
    const step = this.logDelta
      ? 10 ** (Math.floor(Math.log10(value)) - 2)
      : pixelStep(this.deltaMax, bottom - top);
    return Math.max(0, roundTo(value, step));
  }
}
