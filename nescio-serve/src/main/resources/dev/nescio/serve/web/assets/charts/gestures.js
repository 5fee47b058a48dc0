// What pointers and keys do on the map: drag pans, Shift-drag or the select mode draws a rectangle, wheel and two fingers zoom.

const CLICK = 4;

/**
 * @param handlers {hover(x, y) or hover(null), tap(x, y), brush(rectangle or null, isDone), moved()}
 * @param selecting says whether a drag selects
 */
export function gestures(canvas, scatter, handlers, selecting, signal) {
  const pointers = new Map();
  let start = null;
  let brushing = false;
  let spread = 0;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };
  const rectangle = (a, b) => ({x0: Math.min(a.x, b.x), y0: Math.min(a.y, b.y), x1: Math.max(a.x, b.x), y1: Math.max(a.y, b.y)});
  const on = (type, listener, options = {}) => canvas.addEventListener(type, listener, {signal, ...options});

  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    start = place(event);
    brushing = pointers.size === 1 && (event.shiftKey || selecting());
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      spread = Math.hypot(a.x - b.x, a.y - b.y);
      handlers.brush(null, false);
    }
  });
  on('pointermove', (event) => {
    const now = place(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      handlers.hover(now.x, now.y);
      return;
    }
    pointers.set(event.pointerId, now);
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      const wide = Math.hypot(a.x - b.x, a.y - b.y);
      if (spread > 0) scatter.zoom(wide / spread, (a.x + b.x) / 2, (a.y + b.y) / 2);
      spread = wide;
      handlers.moved();
    } else if (brushing) handlers.brush(rectangle(start, now), false);
    else {
      scatter.pan(now.x - before.x, now.y - before.y);
      handlers.moved();
    }
  });
  const up = (event) => {
    if (!pointers.delete(event.pointerId) || event.type === 'pointercancel') return;
    const now = place(event);
    const still = Math.hypot(now.x - start.x, now.y - start.y) < CLICK;
    if (brushing) handlers.brush(still ? null : rectangle(start, now), true);
    else if (still) handlers.tap(now.x, now.y);
    brushing = false;
  };
  on('pointerup', up);
  on('pointercancel', up);
  on('pointerleave', () => handlers.hover(null));
  on(
    'wheel',
    (event) => {
      event.preventDefault();
      const {x, y} = place(event);
      scatter.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), x, y);
      handlers.moved();
    },
    {passive: false},
  );
  on('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 160 : 50;
    const action = {
      ArrowLeft: () => scatter.pan(step, 0),
      ArrowRight: () => scatter.pan(-step, 0),
      ArrowUp: () => scatter.pan(0, step),
      ArrowDown: () => scatter.pan(0, -step),
      '+': () => scatter.zoom(1.4),
      '=': () => scatter.zoom(1.4),
      '-': () => scatter.zoom(1 / 1.4),
      0: () => scatter.reset(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
    handlers.moved();
  });
}
