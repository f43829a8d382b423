// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Plot: the base class of all plots. An SVG with axes, a frame and names, scales
// made anew at each layout, and pointer events. Subclasses implement makeScales.

const MARGIN = {left: 62, right: 16, top: 10, bottom: 44};

// The ticks of a logarithmic scale that get a label: the roundest first, none
// nearer than `gap` pixels to another.
function labeledTicks(scale, gap) {
  const chosen = [];
  const ticks = scale.ticks();
  for (const digit of [1, 2, 5, 3, 7, 4, 6, 8, 9]) {
    for (const tick of ticks) {
      const first = Math.round(tick / 10 ** Math.floor(Math.log10(tick) + 1e-9));
      if (first === digit && chosen.every((other) => Math.abs(scale(other) - scale(tick)) >= gap)) {
        chosen.push(tick);
      }
    }
  }
  return chosen;
}

class Plot {
  constructor(id, xLabel, yLabel) {
    this.element = document.getElementById(id);
    this.labels = {x: xLabel, y: yLabel};
    this.svg = d3.select(this.element).append('svg');
    this.xAxis = this.svg.append('g').attr('class', 'axis');
    this.yAxis = this.svg.append('g').attr('class', 'axis');
    this.frame = this.svg.append('rect').attr('class', 'frame');
    this.cuts = this.svg.append('g');
    this.names = this.svg.append('g');
    this.xText = this.svg.append('text').attr('class', 'axis-label').attr('text-anchor', 'middle');
    this.yText = this.svg.append('text').attr('class', 'axis-label').attr('text-anchor', 'middle');
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
    this.makeScales(this.inner);
    this.drawAxes();
    return true;
  }

  drawAxes() {
    const {left, top, right, bottom} = this.inner;
    const axis = (scale, orient, count) => {
      const made = d3.svg.axis().scale(scale).orient(orient).innerTickSize(0)
        .outerTickSize(0).tickPadding(7);
      // A scale of times names its ticks itself.
      if (scale.domain()[0] instanceof Date) return made.ticks(count);
      // A scale with base() is logarithmic.
      if (scale.base) made.tickValues(labeledTicks(scale, orient === 'left' ? 24 : 60));
      return made.ticks(count).tickFormat(formatTick);
    };
    this.xTicks = Math.max(2, Math.floor((right - left) / 80));
    this.yTicks = Math.max(2, Math.floor((bottom - top) / 48));
    this.xAxis.attr('transform', `translate(0,${bottom})`)
      .call(axis(this.x, 'bottom', this.xTicks));
    this.yAxis.attr('transform', `translate(${left},0)`)
      .call(axis(this.y, 'left', this.yTicks));
    this.frame.attr({x: left, y: top, width: right - left, height: bottom - top});
    this.xText.attr({x: (left + right) / 2, y: bottom + 36}).text(this.labels.x);
    this.yText.attr('transform', `translate(14,${(top + bottom) / 2}) rotate(-90)`).text(this.labels.y);
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
