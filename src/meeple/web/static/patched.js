// Markup of which the server sends only what changed (web/patches.py). Editions are counted: one that is missing
// means that something was lost on the way, and the page is loaded anew rather than shown wrong.
export default {
  template: `<div></div>`,
  props: { innerHTML: String, edition: Number },
  data() {
    return { text: "", now: -1 };
  },
  mounted() {
    this.take();
  },
  updated() {
    this.take();
  },
  methods: {
    take() {
      if (this.edition > this.now) this.show(this.innerHTML, this.edition);
    },
    patch(base, edition, parts) {
      if (edition <= this.now) return;
      if (base !== this.now) return location.reload();
      this.show(parts.map((part) => (typeof part === "string" ? part : this.text.substr(part[0], part[1]))).join(""), edition);
    },
    show(text, edition) {
      this.text = text;
      this.now = edition;
      this.$el.innerHTML = text;
    },
  },
};
