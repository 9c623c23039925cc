// Pan and zoom: wheel, pinch, drag, keys and buttons change the viewBox of a board's field (or of the whole picture
// where it names none), and the view stays where it was left when the picture is drawn anew.
(() => {
  const MOST = 6, STEP = 1.4, SLOP = 6; // times; times a key press; pixels before a press is a drag
  const TAPS = 350; // milliseconds between two taps that are one double tap
  const views = new WeakMap(); // by board: the middle of what is shown, in the field's own measure, and how large
  const fieldsOf = (board) => [...board.querySelectorAll("svg.board")].map((svg) => svg.querySelector("svg.field") || svg);
  const boardOf = (node) => (node && node.closest ? node.closest(".m-board") : null);
  const isLit = (node) => Boolean(node && node.closest && node.closest(".lit, .chosen"));
  const numbers = (words) => words.split(" ").map(Number);

  // The whole field, as drawn; a drawing that grows says where its measure begins and how long its unit is.
  function wholeOf(field) {
    field.whole ??= numbers(field.getAttribute("viewBox"));
    const [x, y, width, height] = field.whole;
    const [x0, y0, unit] = numbers(field.dataset.measure || "0 0 1");
    return { x, y, width, height, x0, y0, unit };
  }
  const scaleOf = (board) => views.get(board)?.scale ?? 1;

  function apply(board) {
    const view = views.get(board);
    for (const field of fieldsOf(board)) {
      const whole = wholeOf(field);
      const scale = view ? Math.max(1, view.size * (whole.width / whole.unit)) : 1;
      const [width, height] = [whole.width / scale, whole.height / scale];
      const within = (middle, low, size, part) => Math.min(low + size - part, Math.max(low, middle - part / 2));
      const x = view ? within(view.x * whole.unit + whole.x0, whole.x, whole.width, width) : whole.x;
      const y = view ? within(view.y * whole.unit + whole.y0, whole.y, whole.height, height) : whole.y;
      field.setAttribute("viewBox", [x, y, width, height].map((n) => Math.round(n * 100) / 100).join(" "));
    }
    board.classList.toggle("m-zoomed", Boolean(view));
  }

  // A point of the screen in the field's coordinates.
  function pointAt(field, x, y) {
    const at = new DOMPoint(x, y).matrixTransform(field.getScreenCTM().inverse());
    return { x: at.x, y: at.y };
  }
  function shown(field) {
    const [x, y, width, height] = numbers(field.getAttribute("viewBox"));
    return { x, y, width, height };
  }

  function show(board, middle, scale) {
    const field = fieldsOf(board)[0];
    if (!field) return;
    const whole = wholeOf(field);
    const bounded = Math.min(MOST, scale);
    if (bounded < 1.02) views.delete(board);
    else {
      const [x, y] = [(middle.x - whole.x0) / whole.unit, (middle.y - whole.y0) / whole.unit];
      views.set(board, { x, y, scale: bounded, size: bounded * whole.unit / whole.width });
    }
    apply(board);
  }

  // Zoom by a factor; what lies under a point of the screen stays there.
  function zoomAt(board, x, y, factor) {
    const field = fieldsOf(board)[0];
    if (!field) return;
    const fixed = pointAt(field, x, y), now = shown(field), whole = wholeOf(field);
    const scale = Math.min(MOST, Math.max(1, (whole.width / now.width) * factor));
    const part = whole.width / scale / now.width;
    const middle = (low, size, at) => at + (low + size / 2 - at) * part;
    show(board, { x: middle(now.x, now.width, fixed.x), y: middle(now.y, now.height, fixed.y) }, scale);
  }
  function zoom(board, factor) {
    const box = fieldsOf(board)[0]?.getBoundingClientRect();
    if (!box) return;
    if (factor === 0) { views.delete(board); apply(board); return; }
    const field = fieldsOf(board)[0], now = shown(field);
    const [x, y] = !views.has(board) && field.dataset.middle ? numbers(field.dataset.middle) : [now.x + now.width / 2, now.y + now.height / 2];
    show(board, { x, y }, (wholeOf(field).width / now.width) * factor);
  }
  function panBy(board, dx, dy) {
    const field = fieldsOf(board)[0], now = shown(field), unit = field.getScreenCTM().a;
    show(board, { x: now.x + now.width / 2 - dx / unit, y: now.y + now.height / 2 - dy / unit }, wholeOf(field).width / now.width);
  }
  const isInField = (board, node) => fieldsOf(board).some((field) => field.contains(node));

  document.addEventListener("wheel", (event) => {
    const board = boardOf(event.target);
    const field = board && fieldsOf(board)[0];
    if (!field || !isInField(board, event.target)) return;
    const isField = field.classList.contains("field");
    const isOut = event.deltaY > 0;
    if (!event.ctrlKey && (!isField || (isOut && !views.has(board)))) return; // the page scrolls
    event.preventDefault();
    zoomAt(board, event.clientX, event.clientY, Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.006));
  }, { passive: false });

  // Fingers and the mouse: one moves a field that is zoomed, two pinch any.
  const held = new Map();
  let moved = false, span = 0, lastTap = { time: -Infinity, x: 0, y: 0 };
  const spread = () => { const [a, b] = [...held.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  document.addEventListener("pointerdown", (event) => {
    const board = boardOf(event.target);
    if (event.isPrimary) { held.clear(); moved = false; }
    if (!board || !isInField(board, event.target) || event.button > 0) return;
    held.set(event.pointerId, { board, x: event.clientX, y: event.clientY });
    if (held.size === 2) { span = spread(); moved = true; }
  }, true);
  document.addEventListener("pointermove", (event) => {
    const finger = held.get(event.pointerId);
    if (!finger) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    if (held.size === 1) {
      if (!views.has(finger.board) || (!moved && Math.hypot(dx, dy) < SLOP)) return;
      moved = true;
      panBy(finger.board, dx, dy);
      [finger.x, finger.y] = [event.clientX, event.clientY];
    } else if (held.size === 2) {
      const other = [...held.entries()].find(([id]) => id !== event.pointerId)[1];
      [finger.x, finger.y] = [event.clientX, event.clientY];
      panBy(finger.board, dx / 2, dy / 2);
      const wide = spread();
      if (span > 0) zoomAt(finger.board, (finger.x + other.x) / 2, (finger.y + other.y) / 2, wide / span);
      span = wide;
    }
  });
  document.addEventListener("touchmove", (event) => {
    if (event.touches.length === 2 && boardOf(event.target) && event.cancelable) event.preventDefault(); // no scrolling
  }, { passive: false });
  const release = (event) => { held.delete(event.pointerId); };
  document.addEventListener("pointerup", release, true);
  document.addEventListener("pointercancel", release, true);

  // A press that moved the board is no click; two quick ones beside all targets go near, or back to the whole.
  document.addEventListener("click", (event) => {
    const board = boardOf(event.target);
    if (!board) return;
    if (moved) { moved = false; event.stopImmediatePropagation(); event.preventDefault(); return; }
    if (isLit(event.target) || !isInField(board, event.target)) return;
    const again = event.timeStamp - lastTap.time < TAPS && Math.hypot(event.clientX - lastTap.x, event.clientY - lastTap.y) < 30;
    lastTap = again ? { time: -Infinity, x: 0, y: 0 } : { time: event.timeStamp, x: event.clientX, y: event.clientY };
    if (!again) return;
    if (views.has(board)) zoom(board, 0); else zoomAt(board, event.clientX, event.clientY, 2);
  }, true);

  // A target that keys come to is brought into view.
  document.addEventListener("focusin", (event) => {
    const board = boardOf(event.target);
    if (!board || !views.has(board) || !isInField(board, event.target)) return;
    const field = fieldsOf(board)[0], seen = shown(field), box = event.target.getBoundingClientRect();
    const at = pointAt(field, box.x + box.width / 2, box.y + box.height / 2);
    const inside = at.x > seen.x && at.x < seen.x + seen.width && at.y > seen.y && at.y < seen.y + seen.height;
    if (!inside) show(board, at, scaleOf(board));
  });

  const KEYS = { "+": STEP, "=": STEP, "-": 1 / STEP, "0": 0 };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || document.querySelector(".q-dialog")) return;
    const board = document.querySelector(".m-board");
    if (board) zoom(board, KEYS[event.key]);
  });

  window.meepleZoom = { apply, by: (factor) => { const board = document.querySelector(".m-board"); if (board) zoom(board, factor); }, pans: (board, node) => views.has(board) && isInField(board, node) };
})();
