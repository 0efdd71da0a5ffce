// Follows a run: the server sends each new entry as it is to be shown, escaped by its templates.
"use strict";

const AGAIN_AFTER = 3000;
const entries = document.querySelector("[data-live]");
const [thinking, lost, end] = ["thinking", "lost", "end"].map((id) => document.getElementById(id));

function atTheEnd() {
  const page = document.documentElement;
  return page.scrollHeight - page.scrollTop - page.clientHeight < 120;
}

function add(place, html) {
  const stay = atTheEnd();
  place.insertAdjacentHTML("beforeend", html);
  if (stay) window.scrollTo({ top: document.documentElement.scrollHeight });
}

function follow(address) {
  const events = new EventSource(address);
  const seen = (event) => { if (event.lastEventId) address.searchParams.set("after", event.lastEventId); };
  events.addEventListener("open", () => { lost.hidden = true; });
  events.addEventListener("error", () => {
    lost.hidden = false;
    // A browser comes back by itself when the line breaks, but not after a refusal (a proxy's 502).
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_AFTER, address);
  });
  events.addEventListener("thinking", (event) => {
    seen(event);
    thinking.innerHTML = event.data;
    thinking.hidden = false;
  });
  events.addEventListener("entry", (event) => {
    seen(event);
    thinking.hidden = true;
    add(entries, event.data);
  });
  events.addEventListener("end", (event) => {
    events.close();
    thinking.hidden = true;
    lost.hidden = true;
    add(end, event.data);
    document.getElementById("status").replaceChildren(end.querySelector(".badge").cloneNode(true));
  });
}

if (entries) follow(new URL(entries.dataset.live, location.href));
