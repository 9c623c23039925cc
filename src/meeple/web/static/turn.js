// Whose turn it is, for those who look elsewhere: in the tab's title, by a sound, by a notice of the system.
(() => {
  const FIGURES = { mine: [660, 880], over: [660, 523, 392] }; // hertz, one after the other
  const saved = () => window.meeple.prefs().saved;
  let audio = null, was = null, base = null;

  document.addEventListener("pointerdown", () => { if (saved().sound && !audio && window.AudioContext) audio = new AudioContext(); });
  function play(notes) {
    if (!saved().sound || !window.AudioContext) return;
    audio ??= new AudioContext();
    notes.forEach((hertz, n) => {
      const tone = audio.createOscillator(), loud = audio.createGain(), at = audio.currentTime + n * .14;
      tone.frequency.value = hertz;
      loud.gain.setValueAtTime(.0001, at);
      loud.gain.exponentialRampToValueAtTime(.12, at + .02);
      loud.gain.exponentialRampToValueAtTime(.0001, at + .2);
      tone.connect(loud).connect(audio.destination);
      tone.start(at);
      tone.stop(at + .22);
    });
  }
  function notice(words) {
    if (!saved().notify || !document.hidden || !window.Notification || Notification.permission !== "granted") return;
    const shown = new Notification(words, { tag: "meeple" });
    shown.onclick = () => { window.focus(); shown.close(); };
  }
  function look() {
    const stage = document.querySelector(".m-stage[data-turn], .m-curtain[data-turn]");
    const now = stage ? stage.dataset.turn : null;
    if (now === was || !now) return;
    base ??= document.title;
    document.title = now === "mine" ? `● Your turn · ${base}` : base;
    if (was && FIGURES[now]) {
      play(FIGURES[now]);
      notice(now === "mine" ? `It is your turn: ${base}` : `The match is over: ${base}`);
    }
    was = now;
  }
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ["data-turn"] });
  window.addEventListener("load", () => {
    window.meeple.allowNotices = async () => (window.Notification ? await Notification.requestPermission() : "denied");
    look();
  });
})();
