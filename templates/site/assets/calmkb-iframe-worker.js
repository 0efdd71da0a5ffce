/* Browsers refuse workers to pages opened from a folder. Material's search then looks for an
   `IFrameWorker`, which its offline plugin would fetch from another host; this one comes along. */

if (location.protocol === "file:") {
  const load = (page, url) =>
    new Promise((resolve, reject) => {
      const script = page.createElement("script");
      script.src = new URL(url, location.href).href;
      script.onload = resolve;
      script.onerror = reject;
      page.head.append(script);
    });

  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.inner = this.frame.contentWindow;
      const page = this.inner.document;
      page.open();
      page.write("<!doctype html><title>Search</title>");
      page.close();
      this.inner.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data }));
      this.inner.importScripts = (...urls) =>
        urls.reduce((done, next) => done.then(() => load(page, next)), Promise.resolve());
      this.ready = load(page, url);
    }

    postMessage(data) {
      this.ready.then(() =>
        this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data })),
      );
    }

    terminate() {
      this.frame.remove();
    }
  };
}
