// A phone's sheet: its handle opens the log and more, by a tap, a key, or a drag.
(() => {
  const OPENS = 40; // pixels of a drag that open or close it
  const sheetOf = (node) => node.closest(".m-sheet");
  const isOpen = (sheet) => sheet.hasAttribute("data-open");

  function set(sheet, open) {
    sheet.toggleAttribute("data-open", open);
    sheet.querySelector(".m-handle").setAttribute("aria-expanded", String(open));
  }

  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest && event.target.closest(".m-handle");
    if (!handle) return;
    const sheet = sheetOf(handle), more = sheet.querySelector(".m-more");
    drag = { sheet, more, y: event.clientY, from: more.getBoundingClientRect().height, by: 0 };
    handle.setPointerCapture(event.pointerId);
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag.by = drag.y - event.clientY;
    drag.sheet.classList.add("m-dragged");
    drag.more.style.maxHeight = `${Math.max(0, drag.from + drag.by)}px`;
  });
  function drop() {
    if (!drag) return;
    const { sheet, more, by } = drag;
    drag = null;
    sheet.classList.remove("m-dragged");
    more.style.maxHeight = "";
    if (Math.abs(by) > OPENS) set(sheet, by > 0);
    sheet.wasDragged = Math.abs(by) > 6; // the click that follows is none
  }
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  document.addEventListener("click", (event) => {
    const handle = event.target.closest && event.target.closest(".m-handle");
    if (!handle) return;
    const sheet = sheetOf(handle);
    if (!sheet.wasDragged) set(sheet, !isOpen(sheet));
    sheet.wasDragged = false;
  });
  document.addEventListener("keydown", (event) => {
    const sheet = event.key === "Escape" && document.querySelector(".m-sheet[data-open]");
    if (!sheet || getComputedStyle(sheet.querySelector(".m-handle")).display === "none") return;
    set(sheet, false);
    event.stopImmediatePropagation();
  }, true);
})();
