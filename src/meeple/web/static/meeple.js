// What the page does by itself: report clicks, drags, keys and hovers on a board, and let pieces glide.
// It knows no rule: targets that may be clicked carry the class "lit".
(() => {
  const GLIDE = 180;
  const TUMBLE = 300;
  const FINGER = 14; // pixels round a target that a finger may miss it by
  const SPEEDS = { off: 0, fast: .5, normal: 1, slow: 2.5 };
  const tempo = () => SPEEDS[JSON.parse(localStorage.getItem("meeple") || "{}").speed] ?? 1;
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || tempo() === 0;
  const say = (board, detail) => board.dispatchEvent(new CustomEvent("meeple", { detail }));
  const targetAt = (node) => (node && node.closest ? node.closest("[data-t]") : null);
  const boardOf = (node) => (node && node.closest ? node.closest(".m-board") : null);
  const version = (board) => Number(board.querySelector("[data-version]")?.dataset.version ?? -1);

  function press(board, target) {
    if (target && /\b(lit|chosen|m-switch)\b/.test(target.getAttribute("class"))) {
      say(board, { kind: "click", target: target.dataset.t, version: version(board) });
    } else if (board.querySelector(".lit")) {
      board.classList.remove("m-shake");
      void board.offsetWidth;
      board.classList.add("m-shake");
    }
  }

  let held = null;
  document.addEventListener("pointerdown", (event) => {
    const board = boardOf(event.target);
    const target = board && targetAt(event.target);
    const pans = board && meepleZoom.pans(board, event.target); // a drag moves the view, not a piece
    held = !pans && target && target.classList.contains("lit") ? { board, key: target.dataset.t } : null;
  });
  document.addEventListener("pointerup", (event) => {
    if (!held) return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const target = targetAt(under);
    const { board, key } = held;
    held = null;
    if (target && boardOf(target) === board && target.dataset.t !== key) {
      say(board, { kind: "drag", target: key, to: target.dataset.t, version: version(board) });
    }
  });
  document.addEventListener("click", (event) => {
    const board = boardOf(event.target);
    if (board) press(board, event.pointerType === "touch" ? nearest(board, event) : targetAt(event.target));
  });
  // A finger is wide: one that falls beside what is lit means the nearest of it.
  function nearest(board, event) {
    const hit = targetAt(event.target);
    if (hit && (hit.classList.contains("lit") || hit.classList.contains("chosen"))) return hit;
    let best = hit, least = FINGER;
    for (const node of board.querySelectorAll(".m-stage .lit")) {
      const box = node.getBoundingClientRect();
      const away = Math.hypot(Math.max(box.left - event.clientX, 0, event.clientX - box.right), Math.max(box.top - event.clientY, 0, event.clientY - box.bottom));
      if (away < least) { least = away; best = node; }
    }
    return best;
  }

  let hovered = null;
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const board = boardOf(event.target);
    const target = board && targetAt(event.target);
    const key = target && target.classList.contains("lit") ? target.dataset.t : null;
    if (key === hovered) return;
    hovered = key;
    const at = board || document.querySelector(".m-board");
    if (at) say(at, { kind: "hover", target: key, version: version(at) });
  });

  // Keys: arrows walk over what is lit, Enter chooses, Escape steps back; with Shift, or where nothing is lit, arrows
  // walk through the match.
  function walk(board, way) {
    const lit = [...board.querySelectorAll(".lit")];
    if (!lit.length) return;
    const centre = (node) => { const r = node.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
    const now = document.activeElement && lit.includes(document.activeElement) ? document.activeElement : null;
    if (!now) return lit[0].focus();
    const [x, y] = centre(now);
    let best = null, least = Infinity;
    for (const node of lit) {
      if (node === now) continue;
      const [dx, dy] = [centre(node)[0] - x, centre(node)[1] - y];
      const along = dx * way[0] + dy * way[1];
      const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (along > 1 && along + 2 * aside < least) { least = along + 2 * aside; best = node; }
    }
    if (best) best.focus();
  }
  const SCROLLS = /^(Arrow|Home$|End$|Page| $)/; // keys that scroll the log, or move the slider, while it has the focus
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.());
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || document.querySelector(".q-dialog")) return;
    const board = document.querySelector(".m-board");
    if (!board || (SCROLLS.test(event.key) && event.target.closest(".m-log, .q-slider"))) return;
    if (WAYS[event.key] && !event.shiftKey && board.querySelector(".lit")) { walk(board, WAYS[event.key]); event.preventDefault(); }
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight" || event.key === "Home" || event.key === "End") {
      say(board, { kind: "key", target: event.key, version: version(board) }); event.preventDefault();
    } else if ((event.key === "Enter" || event.key === " ") && targetAt(event.target)) { press(board, targetAt(event.target)); event.preventDefault(); }
    else if (event.key === "f") fill();
    else if (event.key === "Escape" || /^[uhrp?]$/.test(event.key)) say(board, { kind: "key", target: event.key, version: version(board) });
  });

  // A picture comes whole; what was there before under the same key glides from its old place.
  function places(board) {
    const found = new Map();
    for (const node of board.querySelectorAll(".m-stage [data-p]")) found.set(node.dataset.p, node.getBoundingClientRect());
    return found;
  }
  function spots(board) {
    const found = new Map();
    for (const node of board.querySelectorAll(".m-stage [data-t]")) found.set(node.dataset.t, node.getBoundingClientRect());
    return found;
  }
  const rolls = (board) => new Set([...board.querySelectorAll(".m-stage [data-r]")].map((node) => node.dataset.r));
  // Dice that were not there before tumble, once, when the match went on.
  function tumble(board, old, stage) {
    if (old.flown === undefined || Number(stage.dataset.flown) <= Number(old.flown)) return;
    for (const node of board.querySelectorAll(".m-stage > svg [data-r]")) {
      if (old.rolls.has(node.dataset.r)) continue;
      node.style.transformBox = "fill-box";
      node.style.transformOrigin = "center";
      const turn = Math.random() < .5 ? -1 : 1;
      node.animate(
        [{ transform: `translateY(-60%) rotate(${turn * 300}deg) scale(.7)` }, { transform: `translateY(8%) rotate(${turn * 40}deg)`, offset: .7 }, { transform: "none" }],
        { duration: TUMBLE * tempo(), easing: "ease-out" });
    }
  }
  function glide(board, old) {
    const stage = board.querySelector(".m-stage");
    if (!stage || still()) return;
    tumble(board, old, stage);
    for (const node of board.querySelectorAll(".m-stage [data-p]")) {
      const was = old.places.get(node.dataset.p);
      if (!was) { if (old.places.size) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: GLIDE * tempo() }); continue; }
      const is = node.getBoundingClientRect();
      const [dx, dy] = [was.x - is.x, was.y - is.y];
      if (Math.abs(dx) + Math.abs(dy) < 1) continue;
      const scale = 1 / (node.parentNode.getScreenCTM?.().a || 1);
      node.animate([{ transform: `translate(${dx * scale}px, ${dy * scale}px)` }, { transform: "none" }], { duration: GLIDE * tempo(), easing: "ease-out" });
    }
    if (stage.dataset.turn !== "theirs" && stage.dataset.flown !== old.flown && old.flown !== undefined) {
      // What somebody else did last is shown once more, by its rings.
      for (const ring of board.querySelectorAll(".m-stage > svg .last > .ring")) {
        ring.animate([1, .1, 1, .1, 1].map((opacity) => ({ opacity })), { duration: 900 * tempo() });
      }
    }
    const flight = stage.dataset.flight ? JSON.parse(stage.dataset.flight) : null;
    if (flight && stage.dataset.flown !== old.flown && old.flown !== undefined) {
      const from = old.spots.get(flight[0]), to = spots(board).get(flight[1]);
      if (from && to) {
        const dot = document.createElement("div");
        const size = Math.max(14, Math.min(36, from.width, from.height));
        dot.style.cssText = `position:fixed;z-index:50;pointer-events:none;border-radius:30%;width:${size}px;height:${size}px;background:${flight[2]};left:${from.x + from.width / 2 - size / 2}px;top:${from.y + from.height / 2 - size / 2}px;box-shadow:0 2px 6px rgba(0,0,0,.4)`;
        document.body.append(dot);
        const move = `translate(${to.x + to.width / 2 - from.x - from.width / 2}px, ${to.y + to.height / 2 - from.y - from.height / 2}px)`;
        dot.animate([{ transform: "none" }, { transform: move, opacity: .5 }], { duration: (GLIDE + 80) * tempo(), easing: "ease-out" }).onfinish = () => dot.remove();
      }
    }
  }
  function watch(board) {
    const taken = () => ({ places: places(board), spots: spots(board), rolls: rolls(board), flown: board.querySelector(".m-stage")?.dataset.flown });
    let old = taken();
    new MutationObserver(() => {
      const focused = old.focus;
      meepleZoom.apply(board);
      glide(board, old);
      old = { ...taken(), focus: focused };
      if (focused && document.activeElement === document.body) {
        const again = board.querySelector(`.lit[data-t="${CSS.escape(focused)}"]`) || board.querySelector(".lit");
        if (again) again.focus({ preventScroll: true });
      }
    }).observe(board, { childList: true });
    board.addEventListener("focusin", (event) => { const target = targetAt(event.target); if (target) old.focus = target.dataset.t; });
  }
  const known = new WeakSet();
  const look = () => document.querySelectorAll(".m-board").forEach((board) => { if (!known.has(board)) { known.add(board); watch(board); } });
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
  look();

  // Clocks count down here; the server decides.
  setInterval(() => {
    for (const node of document.querySelectorAll(".m-time[data-left]")) {
      const left = node.dataset.runs === "yes" ? node.dataset.left - (performance.now() - (node.began ??= performance.now())) / 1000 : Number(node.dataset.left);
      const whole = Math.max(0, Math.ceil(left));
      node.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
      node.classList.toggle("m-low", left < 20);
    }
  }, 250);
  setInterval(() => {
    for (const list of document.querySelectorAll(".m-log")) {
      const here = list.querySelector(".m-here");
      const now = here && `${here.dataset.n} ${list.clientHeight}`; // a list that was laid out anew shows its place again
      if (!here || (list.seen === now && list.shown === here)) continue; // a line that was put there anew, too
      [list.seen, list.shown] = [now, here];
      const pane = list.scrollHeight > list.clientHeight ? list : list.closest(".m-more"); // never the page itself
      if (!pane) continue;
      const [row, frame] = [here.getBoundingClientRect(), pane.getBoundingClientRect()];
      if (row.bottom > frame.bottom) pane.scrollTop += row.bottom - frame.bottom;
      else if (row.top < frame.top) pane.scrollTop -= frame.top - row.top;
    }
  }, 300);
  document.addEventListener("scroll", ({ target }) => {
    if (target.matches?.(".m-log, .m-more")) target.toggleAttribute("data-above", target.scrollTop > 4);
  }, true);
  // Days are written as the browser's people write them.
  setInterval(() => {
    for (const node of document.querySelectorAll("time[data-at]:not([title])")) {
      const at = new Date(1000 * node.dataset.at);
      node.textContent = at.toLocaleDateString(undefined, { dateStyle: innerWidth < 820 ? "short" : "medium" });
      node.title = at.toLocaleString();
    }
  }, 300);
  window.meeple = {
    become: (told) => meeple.post("/games/code", told),
    post: async (path, told) => {
      const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(told) });
      return answer.ok ? (await answer.json()).fault : "The server refused that.";
    },
    prefs: () => ({ dark: matchMedia("(prefers-color-scheme: dark)").matches, width: innerWidth, saved: JSON.parse(localStorage.getItem("meeple") || "{}") }),
    keep: (choices, then) => {
      const all = JSON.parse(localStorage.getItem("meeple") || "{}");
      localStorage.setItem("meeple", JSON.stringify({ ...all, ...choices }));
      if (then) location.assign(then);
    },
    fill,
    // Where fingers type, the system's own way of sending a link; else it is copied.
    share: (url) => navigator.share && matchMedia("(pointer: coarse)").matches ? navigator.share({ title: "Meeple", url }).catch(() => {}) : meeple.copy(url),
    copy: (text) => navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(),
  };
})();
