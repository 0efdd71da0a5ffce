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

// The place of a call's sub-agent; parallel calls are answered in any order.
function placeOf(call) {
  return call && [...document.querySelectorAll("[data-of]")].findLast((one) => one.dataset.of === call);
}

function addEntry(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  const first = made.content.firstElementChild;
  const call = placeOf(first?.dataset.answers);
  if (call && !call.nextElementSibling?.dataset.answers) call.insertAdjacentHTML("afterend", html);
  else add(placeOf(first?.dataset.inside) || entries, html);
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
    addEntry(event.data);
  });
  events.addEventListener("end", (event) => {
    events.close();
    thinking.hidden = true;
    lost.hidden = true;
    add(end, event.data);
    if (cancel) cancel.hidden = true;
    document.getElementById("status").replaceChildren(end.querySelector(".badge").cloneNode(true));
  });
}

async function ask(address, body) {
  const reply = await fetch(address, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body || {}),
  });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.error.message);
  return answer;
}

const cancel = document.getElementById("cancel");
if (cancel) {
  cancel.addEventListener("click", async () => {
    cancel.disabled = true;
    try {
      await ask(cancel.dataset.address);
    } catch (error) {
      document.getElementById("refused").textContent = error.message;
      cancel.disabled = false;
    }
  });
}

// The form comes with the end of a run, which may be live.
if (end) {
  end.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const config = { continueFrom: form.dataset.from };
    try {
      const run = await ask(form.dataset.address, { task: form.elements.task.value, config });
      location.assign(`/runs/${run.runId}/view`);
    } catch (error) {
      form.querySelector("[role=status]").textContent = error.message;
    }
  });
}

if (entries) follow(new URL(entries.dataset.live, location.href));
