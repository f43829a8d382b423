// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Plot: the base class of the three plots. Two canvases (points and marks) under
// an SVG with axes and cuts, scales made anew at each layout, and the point
// nearest to the pointer. Subclasses implement makeScales and draw.

const MARGIN = {left: 62, right: 16, top: 10, bottom: 44};

function formatNumber(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) return value.toExponential(3);
  if (Number.isInteger(value)) return d3.format(',')(value);
  return Number(value.toPrecision(6)).toLocaleString('en-US', {maximumFractionDigits: 9});
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

// A name of a point as a label in a plot.
const MAX_LABEL = 18;
function shortened(name) {
  const letters = Array.from(name);
  return letters.length <= MAX_LABEL ? name : letters.slice(0, MAX_LABEL - 1).join('') + '…';
}

// The places of the names of discs of `size`, each `width` pixels wide, 10 high
// and 2 deep: the first place around its disc that is within `bounds` and overlaps
// no earlier name, rather one that covers no disc, and best one to which its own
// disc is the nearest. A name without such a place is left out.
function placeNames(discs, size, bounds) {
  const taken = [];
  const apart = (a, b) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const distance = (box, {x, y}) =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  const boxes = discs.map(({x, y}) => ({left: x - size, right: x + size, top: y - size, bottom: y + size}));
  const near = size + 3;
  // Corners, then sides, then farther away: [side, baseline below the middle].
  const places = [
    [1, -size], [-1, -size], [1, size + 10], [-1, size + 10], [1, 4], [-1, 4],
    [0, -near - 2], [0, near + 10], [1, -size - 13], [-1, -size - 13], [1, size + 23], [-1, size + 23],
    [0, -near - 15], [0, near + 23],
  ];
  const placed = [];
  discs.forEach((disc, own) => {
    const {x, y, width} = disc;
    const free = places.map(([side, down]) => {
      const edge = x + side * near;
      const left = side > 0 ? edge : side < 0 ? edge - width : x - width / 2;
      return {edge, side, left, right: left + width, y: y + down, top: y + down - 10, bottom: y + down + 2};
    }).filter((c) => c.left >= bounds.left && c.right <= bounds.right &&
      c.top >= bounds.top && c.bottom <= bounds.bottom && taken.every((t) => apart(c, t)));
    const bare = free.filter((c) => boxes.every((box, k) => k === own || apart(c, box)));
    const chosen = bare.find((c) => discs.every((other) => distance(c, disc) <= distance(c, other))) ||
      bare[0] || free[0];
    if (!chosen) return;
    taken.push(chosen);
    const anchor = chosen.side > 0 ? 'start' : chosen.side < 0 ? 'end' : 'middle';
    placed.push({x: chosen.edge, y: chosen.y, anchor, text: disc.text});
  });
  return placed;
}

class Plot {
  constructor(id, xLabel, yLabel) {
    this.element = document.getElementById(id);
    this.labels = {x: xLabel, y: yLabel};
    this.base = this.element.appendChild(document.createElement('canvas'));
    this.marks = this.element.appendChild(document.createElement('canvas'));
    this.painter = new PointPainter();
    this.svg = d3.select(this.element).append('svg');
    this.xAxis = this.svg.append('g').attr('class', 'axis');
    this.yAxis = this.svg.append('g').attr('class', 'axis');
    this.frame = this.svg.append('rect').attr('class', 'frame');
    this.cuts = this.svg.append('g');
    this.names = this.svg.append('g');
    this.xText = this.svg.append('text').attr('class', 'axis-label').attr('text-anchor', 'middle');
    this.yText = this.svg.append('text').attr('class', 'axis-label').attr('text-anchor', 'middle');
    this.cells = null;
  }

  // Fits everything to the size of the element; false if that is too small.
  layout() {
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    this.inner = {
      left: MARGIN.left, top: MARGIN.top,
      right: width - MARGIN.right, bottom: height - MARGIN.bottom,
    };
    const {left, top, right, bottom} = this.inner;
    if (right - left < 40 || bottom - top < 40) return false;
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.base, this.marks]) {
      const w = Math.round(width * this.ratio);
      const h = Math.round(height * this.ratio);
      if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
      }
    }
    this.makeScales(this.inner);
    this.drawAxes();
    this.cells = null;
    return true;
  }

  drawAxes() {
    const {left, top, right, bottom} = this.inner;
    const axis = (scale, orient, room, count) => {
      const made = d3.svg.axis().scale(scale).orient(orient).innerTickSize(0)
        .outerTickSize(0).tickPadding(7);
      // A scale with base() is logarithmic; only few of its ticks get a label.
      if (scale.base) {
        return made.tickFormat(scale.tickFormat(Math.max(2, Math.floor(room / 60)), formatTick));
      }
      return made.ticks(count).tickFormat(formatTick);
    };
    this.xTicks = Math.max(2, Math.floor((right - left) / 80));
    this.yTicks = Math.max(2, Math.floor((bottom - top) / 48));
    this.xAxis.attr('transform', `translate(0,${bottom})`)
      .call(axis(this.x, 'bottom', right - left, this.xTicks));
    this.yAxis.attr('transform', `translate(${left},0)`)
      .call(axis(this.y, 'left', bottom - top, this.yTicks));
    this.frame.attr({x: left, y: top, width: right - left, height: bottom - top});
    this.xText.attr({x: (left + right) / 2, y: bottom + 36}).text(this.labels.x);
    this.yText.attr('transform', `translate(14,${(top + bottom) / 2}) rotate(-90)`).text(this.labels.y);
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
    const placed = placeNames(shown.reverse(), size, this.inner);
    const names = this.names.selectAll('text').data(placed);
    names.enter().append('text').attr('class', 'mark-label');
    names.exit().remove();
    names.attr({x: (d) => d.x, y: (d) => d.y, 'text-anchor': (d) => d.anchor}).text((d) => d.text);
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

  // Calls grab(x, y), which returns null or a function of (x, y) for each move;
  // hover(x, y); click(x, y); leave(); release(); and cursor(x, y).
  listen({grab, hover, click, leave, cursor, release}) {
    const node = this.svg.node();
    let drag = null;
    let pressed = null;
    const position = (event) => {
      const box = node.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    node.addEventListener('pointerdown', (event) => {
      const [x, y] = position(event);
      drag = grab ? grab(x, y) : null;
      pressed = [x, y];
      if (drag) {
        if (event.isTrusted) node.setPointerCapture(event.pointerId);
        event.preventDefault();
        leave();
      }
    });
    node.addEventListener('pointermove', (event) => {
      const [x, y] = position(event);
      if (drag) {
        drag(x, y);
      } else {
        node.style.cursor = (cursor && cursor(x, y)) || 'default';
        hover(x, y, event);
      }
    });
    node.addEventListener('pointerup', (event) => {
      const [x, y] = position(event);
      if (!drag && pressed && Math.hypot(x - pressed[0], y - pressed[1]) < 4) click(x, y);
      const dragged = drag !== null;
      drag = null;
      pressed = null;
      if (dragged && release) release();
    });
    node.addEventListener('pointercancel', () => { drag = null; pressed = null; });
    node.addEventListener('pointerleave', () => { if (!drag) leave(); });
  }
}
