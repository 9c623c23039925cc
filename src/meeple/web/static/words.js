// A hint's way and the last move drawn over the board, targets that another click takes instead, and folds of the log that stay open.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const NEAR = 44; // pixels between two places of a hint that need no arrow
  const make = (name, attributes, parent) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    parent.append(node);
    return node;
  };

  // Where the targets of a way lie on the stage, in its pixels; those that are not drawn are left out.
  const target = (stage, key) => stage.querySelector(`:scope > svg [data-t="${CSS.escape(key)}"]`);
  function boxes(stage, way, find = target) {
    const frame = stage.getBoundingClientRect();
    const found = [];
    way.forEach((key, at) => {
      const node = find(stage, key);
      const ring = node?.querySelector(":scope > .ring");
      const box = (ring || node)?.getBoundingClientRect();
      if (box && box.width) found.push({ at, x: box.x - frame.x, y: box.y - frame.y, width: box.width, height: box.height });
    });
    return found;
  }
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const away = (one, other) => Math.hypot(middle(one)[0] - middle(other)[0], middle(one)[1] - middle(other)[1]);

  // Between the edges of two boxes, so that the pieces there are seen; a little bent, so that two arrows do not lie on each other.
  function arrow(layer, from, to, tip = "m-tip") {
    const [mx, my] = middle(from), [bx, by] = middle(to);
    const length = Math.hypot(bx - mx, by - my);
    if (length < 12) return;
    const part = (box) => Math.min(length * 0.36, Math.min(box.width, box.height) * 0.32);
    const [ux, uy] = [(bx - mx) / length, (by - my) / length];
    const [ax, ay] = [mx + ux * part(from), my + uy * part(from)];
    const [ex, ey] = [bx - ux * part(to), by - uy * part(to)];
    const bend = Math.min(40, length * 0.14);
    const d = `M${ax} ${ay}Q${(ax + ex) / 2 - uy * bend} ${(ay + ey) / 2 + ux * bend} ${ex} ${ey}`;
    make("path", { d, class: "m-way-under" }, layer);
    make("path", { d, class: "m-way", "marker-end": `url(#${tip})` }, layer);
  }

  // A layer over the stage for arrows, with their tip.
  function cover(stage, name, tip) {
    const layer = make("svg", { class: name, "aria-hidden": "true", width: "100%", height: "100%" }, stage);
    const marker = make("marker", { id: tip, viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4.4, markerHeight: 4.4, orient: "auto-start-reverse" }, make("defs", {}, layer));
    make("path", { d: "M0 0L10 5L0 10z", class: "m-tip" }, marker);
    return layer;
  }

  // The last move stays to be seen until the next one: arrows between the places that it touched and that the drawing
  // still marks, and at the last of them the sign of who made it.
  const touched = (stage, key) => {
    const name = CSS.escape(key);
    const marked = stage.querySelectorAll(`:scope > svg .last:is([data-t="${name}"], [data-l="${name}"], [data-t$="-${name}"])`);
    return [...marked].find((node) => node.querySelector(":scope > .ring"));
  };
  function trail(stage) {
    const [mark, colour, ordered, ...way] = JSON.parse(stage.dataset.trail);
    const found = boxes(stage, way, touched);
    if (!found.length) return;
    const layer = cover(stage, "m-trail", "m-trail-tip");
    layer.style.setProperty("--seat", colour);
    const far = 0.3 * Math.hypot(stage.clientWidth, stage.clientHeight); // a longer arrow hides more than it shows
    found.slice(1).forEach((box, i) => { if (ordered && away(found[i], box) < far) arrow(layer, found[i], box, "m-trail-tip"); });
    const { x, y, width, height } = found.at(-1);
    make("circle", { cx: x + width / 2, cy: y + height, r: 9, class: "m-disc" }, layer);
    make("text", { x: x + width / 2, y: y + height + 4, class: "m-count" }, layer).textContent = mark;
  }

  // The ring of a target in its own shape, as the drawing lays it; a box round a target that has none.
  function outline(layer, stage, key, box, name) {
    const ring = target(stage, key)?.querySelector(":scope > .ring");
    const named = ring instanceof SVGUseElement ? stage.querySelector(ring.getAttribute("href")) : ring; // a shape that many share
    const shape = named?.matches("g, symbol") ? named.querySelector(".ring, path, polygon, rect, circle") : named;
    if (!(shape instanceof SVGGeometryElement)) {
      make("rect", { x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 10, class: name }, layer);
      return;
    }
    const drawn = shape.cloneNode();
    drawn.removeAttribute("id");
    for (const word of ["style", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill"]) drawn.removeAttribute(word);
    drawn.setAttribute("class", name);
    const [dx, dy] = ring === shape ? [0, 0] : [ring.x.baseVal.value, ring.y.baseVal.value];
    const { a, b, c, d, e, f } = layer.getScreenCTM().inverse().multiply(ring.getScreenCTM()).translate(dx, dy);
    drawn.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
    drawn.setAttribute("vector-effect", "non-scaling-stroke");
    layer.append(drawn);
  }

  function hint(stage) {
    const way = JSON.parse(stage.dataset.hint);
    const layer = cover(stage, "m-hint", "m-tip");
    const found = boxes(stage, way);
    // An arrow back to where the last one came from would lie on it: there the numbers tell enough.
    const returns = (i) => i > 0 && away(found[i - 1], found[i + 1]) < found[i + 1].width / 2;
    found.slice(1).forEach((box, i) => { if (!returns(i) && away(found[i], box) > NEAR) arrow(layer, found[i], box); });
    for (const box of found) {
      const done = box.at < Number(stage.dataset.followed);
      for (const name of ["m-round-under", done ? "m-round m-followed" : "m-round"]) outline(layer, stage, way[box.at], box, name);
    }
    const discs = [];
    for (const box of found) {
      let [x, y] = [Math.max(12, box.x), Math.max(12, box.y)];
      while (discs.some(([ox, oy]) => Math.hypot(ox - x, oy - y) < 22)) y += 23; // a place may be clicked twice: down its edge
      discs.push([x, y]);
      make("circle", { cx: x, cy: y, r: 11, class: "m-disc" }, layer);
      make("text", { x, y: y + 4.5, class: "m-count" }, layer).textContent = box.at < Number(stage.dataset.followed) ? "✓" : box.at + 1;
    }
  }

  // An analysis's moves, told apart by their lines and signs: the best one, the one made, and how the best one goes on.
  function ways(stage) {
    const discs = [];
    for (const { kind, mark, path } of JSON.parse(stage.dataset.ways)) {
      const layer = cover(stage, `m-hint m-${kind}`, `m-tip-${kind}`);
      const found = boxes(stage, path);
      if (!found.length) continue;
      found.slice(1).forEach((box, i) => { if (away(found[i], box) > NEAR / 2) arrow(layer, found[i], box, `m-tip-${kind}`); });
      if (kind !== "ghost") for (const box of found) for (const name of ["m-round-under", "m-round"]) outline(layer, stage, path[box.at], box, name);
      const last = found.at(-1);
      let [x, y] = [Math.max(14, last.x), Math.max(14, last.y)];
      while (discs.some(([ox, oy]) => Math.hypot(ox - x, oy - y) < 26)) x += 27;
      discs.push([x, y]);
      make("circle", { cx: x, cy: y, r: 13, class: "m-disc" }, layer);
      make("text", { x, y: y + 5, class: "m-count" }, layer).textContent = mark;
    }
  }

  // Draw what a stage shows over its picture, again where the targets lie elsewhere: by the window, or the zoom.
  function overlay(stage) {
    const { hint: way, trail: last, followed, ways: many } = stage.dataset;
    const found = many ? JSON.parse(many).map(({ path }) => boxes(stage, path))
      : way ? boxes(stage, JSON.parse(way)) : last ? boxes(stage, JSON.parse(last).slice(3), touched) : [];
    const now = many || way || last ? JSON.stringify([many, way, last, followed, found]) : "";
    if ((stage.overlaid ?? "") === now) return;
    stage.overlaid = now;
    stage.querySelectorAll(":scope > :is(.m-hint, .m-trail)").forEach((layer) => layer.remove());
    if (many) ways(stage);
    else if (way) hint(stage);
    else if (last) trail(stage);
  }
  const overlays = () => document.querySelectorAll(".m-board .m-stage").forEach(overlay);
  setInterval(overlays, 120);

  const known = new WeakSet(), open = new Set();
  function look() {
    overlays(); // at once: each new picture comes without
    for (const board of document.querySelectorAll(".m-board")) {
      const stage = board.querySelector(".m-stage[data-switches]");
      if (!stage || known.has(stage)) continue;
      known.add(stage);
      for (const key of JSON.parse(stage.dataset.switches)) stage.querySelector(`:scope > svg [data-t="${CSS.escape(key)}"]`)?.classList.add("m-switch");
    }
    for (const fold of document.querySelectorAll(".m-log details[data-fold]")) {
      if (known.has(fold)) continue;
      known.add(fold);
      fold.open = open.has(fold.dataset.fold);
      fold.addEventListener("toggle", () => (fold.open ? open.add(fold.dataset.fold) : open.delete(fold.dataset.fold)));
    }
  }
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
  look();
})();
