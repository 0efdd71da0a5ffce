// Follows a run: the server sends each new entry as it is to be shown, escaped by its templates.
"use strict";

const entries = document.querySelector("[data-live]");

function atTheEnd() {
  const page = document.documentElement;
  return page.scrollHeight - page.scrollTop - page.clientHeight < 120;
}

function follow() {
  const thinking = document.getElementById("thinking");
  const lost = document.getElementById("lost");
  const end = document.getElementById("end");
  const events = new EventSource(entries.dataset.live);
  const add = (place, html) => {
    const stay = atTheEnd();
    place.insertAdjacentHTML("beforeend", html);
    if (stay) window.scrollTo({ top: document.documentElement.scrollHeight });
  };
  events.addEventListener("open", () => { lost.hidden = true; });
  events.addEventListener("error", () => { lost.hidden = false; });
  events.addEventListener("thinking", (event) => {
    thinking.innerHTML = event.data;
    thinking.hidden = false;
  });
  events.addEventListener("entry", (event) => {
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

if (entries) follow();
