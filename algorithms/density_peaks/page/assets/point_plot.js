// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// PointPlot: the base class of the three plots. Two canvases (points and marks)
// under the SVG, and the point nearest to the pointer. Subclasses draw.

class PointPlot extends Plot {
  constructor(id, xLabel, yLabel) {
    super(id, xLabel, yLabel);
    const addCanvas = () => this.element.insertBefore(document.createElement('canvas'), this.svg.node());
    this.base = addCanvas();
    this.marks = addCanvas();
    this.painter = new PointPainter();
    this.cells = null;
  }

  layout() {
    if (!super.layout()) return false;
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.base, this.marks]) {
      const w = Math.round(this.element.clientWidth * this.ratio);
      const h = Math.round(this.element.clientHeight * this.ratio);
      if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
      }
    }
    this.cells = null;
    return true;
  }

  // Clears the painter's canvas and draws the grid.
  beginPoints() {
    const {left, top, right, bottom} = this.inner;
    const scaled = (value) => value * this.ratio;
    // On a logarithmic scale only at powers of ten.
    const lines = (scale, count) => scale.ticks(count).filter((tick) => (
      !scale.base || Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9))
      .map((tick) => scaled(scale(tick)));
    return this.painter.begin(this.base, themeColor('--panel'), {
      grid: themeColor('--faint'),
      columns: lines(this.x, this.xTicks),
      rows: lines(this.y, this.yTicks),
      box: [left, top, right, bottom].map(scaled),
    });
  }

  // Computes the device pixels of points from scale functions of an index.
  place(count, xOf, yOf) {
    if (!this.px || this.px.length !== count) {
      this.px = new Float32Array(count);
      this.py = new Float32Array(count);
    }
    for (let i = 0; i < count; ++i) {
      this.px[i] = xOf(i) * this.ratio;
      this.py[i] = yOf(i) * this.ratio;
    }
    this.cells = null;
  }

  clearMarks() {
    const context = this.marks.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.marks.width, this.marks.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    return context;
  }

  // Draws a disc with a rim for each peak, with names if the peaks are few.
  drawPeaks(choice, state, radius, places, rim = themeText('--panel')) {
    const context = this.clearMarks();
    const few = choice.peaks.length <= 40;
    const size = choice.peaks.length > 400 ? radius * 0.6 : radius;
    const shown = [];
    for (let k = choice.peaks.length - 1; k >= 0; --k) {
      const [x, y] = places(choice.peaks[k], k);
      context.globalAlpha = state.highlight < 0 || state.highlight === choice.peaks[k] ? 1 : 0.25;
      context.beginPath();
      context.arc(x, y, size, 0, 2 * Math.PI);
      context.fillStyle = cssColor(clusterColor(k));
      context.fill();
      if (size > 2.5) {
        context.lineWidth = 1.5;
        context.strokeStyle = rim;
        context.stroke();
      }
      if (few) shown.push({x, y, text: this.labelOf(choice, k)});
    }
    // As in the style of mark-label. Its outline is 1.5 pixels wide.
    context.font = `650 11px ${getComputedStyle(document.documentElement).fontFamily}`;
    for (const disc of shown) disc.width = context.measureText(disc.text).width + 3;
    // The first peaks choose their places first.
    showNames(this.names, placeNames(shown.reverse(), size, this.inner));
  }

  // The number of a cluster, and the name of its peak if points have names.
  labelOf(choice, k) {
    const number = String(choice.numbers[k]);
    const {names} = this.data;
    return names ? `${number} ${shortened(names[choice.peaks[k]])}`.trim() : number;
  }

  // The index of the placed point nearest to a position in CSS pixels, or -1 if
  // no point is within reach. Sorts the points into cells on first use.
  nearest(x, y, reach = 14) {
    if (!this.px) return -1;
    const side = reach * this.ratio;
    const columns = Math.ceil(this.base.width / side) + 1;
    const rows = Math.ceil(this.base.height / side) + 1;
    const column = (v) => Math.min(columns - 1, Math.max(0, Math.floor(v / side)));
    const row = (v) => Math.min(rows - 1, Math.max(0, Math.floor(v / side)));
    const n = this.px.length;
    if (!this.cells) {
      const starts = new Int32Array(columns * rows + 1);
      const cellOf = new Int32Array(n);
      for (let i = 0; i < n; ++i) {
        cellOf[i] = row(this.py[i]) * columns + column(this.px[i]);
        ++starts[cellOf[i] + 1];
      }
      for (let c = 0; c < columns * rows; ++c) starts[c + 1] += starts[c];
      const ends = starts.slice();
      const members = new Int32Array(n);
      for (let i = 0; i < n; ++i) members[ends[cellOf[i]]++] = i;
      this.cells = {starts, members};
    }
    const px = x * this.ratio;
    const py = y * this.ratio;
    let best = -1;
    let bestSquare = side * side;
    for (let r = row(py - side); r <= row(py + side); ++r) {
      for (let c = column(px - side); c <= column(px + side); ++c) {
        const cell = r * columns + c;
        for (let m = this.cells.starts[cell]; m < this.cells.starts[cell + 1]; ++m) {
          const i = this.cells.members[m];
          const square = (this.px[i] - px) ** 2 + (this.py[i] - py) ** 2;
          if (square < bestSquare) {
            bestSquare = square;
            best = i;
          }
        }
      }
    }
    return best;
  }
}
