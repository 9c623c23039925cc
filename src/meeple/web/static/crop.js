// Pictures of the rules: each shows the part of the board that its paragraph tells of, which is what its move touches.
(() => {
  const MARGIN = 0.07, LEAST = 0.4; // of the whole picture's width: room around the part, and the least part of it
  const FADE = "9%"; // of the part, at an edge beyond which the board goes on
  const FLATTEST = 2.4, STEEPEST = 0.8; // width to height

  // What is touched, in the picture's own coordinates.
  function touched(svg) {
    const back = svg.getScreenCTM().inverse();
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const node of svg.querySelectorAll(".lit, .chosen")) {
      const seen = node.getBoundingClientRect();
      const [low, high] = [[seen.left, seen.top], [seen.right, seen.bottom]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(back));
      box.left = Math.min(box.left, low.x); box.right = Math.max(box.right, high.x);
      box.top = Math.min(box.top, low.y); box.bottom = Math.max(box.bottom, high.y);
    }
    return box.right > box.left ? box : null;
  }

  // A length around a middle, pushed back into the whole where it stands out.
  function within(low, high, length, start, size) {
    const long = Math.min(size, length);
    return [Math.min(start + size - long, Math.max(start, (low + high - long) / 2)), long];
  }

  function crop(svg) {
    const [x0, y0, wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
    const box = touched(svg);
    if (!box) return;
    const [left, above, right, below] = svg.parentNode.dataset.room.split(" ").map((share) => share * wide);
    box.left -= left; box.top -= above; box.right += right; box.bottom += below;
    const margin = 2 * MARGIN * wide;
    let width = Math.max(LEAST * wide, box.right - box.left + margin), height = box.bottom - box.top + margin;
    height = Math.max(height, width / FLATTEST);
    width = Math.max(width, height * STEEPEST);
    const [x, w] = within(box.left, box.right, width, x0, wide), [y, h] = within(box.top, box.bottom, height, y0, high);
    svg.setAttribute("viewBox", [x, y, w, h].map((n) => Math.round(n * 10) / 10).join(" "));
    hideCut(svg);
    fade(svg, { left: x > x0, above: y > y0, right: x + w < x0 + wide - 1, below: y + h < y0 + high - 1 });
  }

  // Where the board goes on beyond an edge, the picture fades out there: half a card is no mistake then.
  function fade(svg, cut) {
    svg.dataset.cut = Object.keys(cut).filter((edge) => cut[edge]).join(" ");
    for (const edge in cut) svg.style.setProperty(`--${edge}`, cut[edge] ? FADE : "0%");
  }

  // A word that the edge would cut says nothing: it is left out whole.
  function hideCut(svg) {
    const frame = svg.getBoundingClientRect();
    for (const node of svg.querySelectorAll("text")) {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      const isWhole = left >= frame.left - 1 && right <= frame.right + 1 && top >= frame.top - 1 && bottom <= frame.bottom + 1;
      if (!isWhole) node.style.visibility = "hidden";
    }
  }

  window.meepleCrop = () => document.querySelectorAll(".m-rule svg.board").forEach(crop);
})();
