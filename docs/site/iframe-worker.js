// Browsers start no workers for pages that are opened as files, and search is one: it runs in a hidden frame there.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.append(this.frame);
      const inside = this.frame.contentWindow;
      // The frame has this name already, for messages to itself; a worker's goes to the page.
      inside.postMessage = data => send(this, data, event => this.onmessage?.(event));
      const script = inside.document.createElement("script");
      this.ready = new Promise(done => script.addEventListener("load", done));
      script.src = new URL(url, location.href).href;
      inside.document.body.append(script);
    }
    postMessage(data) {
      this.ready.then(() => send(this.frame.contentWindow, data));
    }
    terminate() {
      this.frame.remove();
    }
  };
  // Messages are copies, and arrive later: never while the sender is still at work.
  const send = (target, data, also) => {
    const event = new MessageEvent("message", { data: structuredClone(data) });
    setTimeout(() => {
      target?.dispatchEvent(event);
      also?.(event);
    });
  };
}
