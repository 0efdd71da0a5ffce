/* What the search does beyond the theme's: it says what a hit is, narrows to a kind or a project where
   that leaves some hits and not all, and takes a word that is there for one that is not. */

"use strict"

;(() => {
  const KINDS = ["Memory", "Trouble", "Session", "Reflection"]
  const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  const PROJECTS_OFFERED = 6
  const SHORTEST_WORD = 4
  const input = document.querySelector(".md-search__input")
  const panel = document.querySelector(".md-search-result")
  if (!input || !panel) return

  /** The index that the theme searches: of a copy on a disk it is a script, as the theme loads it. */
  const read = (base) => {
    if (location.protocol != "file:") {
      return fetch(new URL(`${base}/search/search_index.json`, location.href)).then((one) => one.json())
    }
    return new Promise((done) => {
      const script = document.createElement("script")
      script.src = new URL(`${base}/search/search_index.js`, location.href)
      script.addEventListener("load", () => done(window.__index))
      document.head.append(script)
    })
  }
  let asked
  const index = () => (asked ??= read(JSON.parse(document.querySelector("#__config").textContent).base))

  const terms = (tag) => tag.split(/[\s\-+:~^*"]+/).filter(Boolean).map((word) => `+tags:${word}`)
  const words = () => input.value.split(/\s+/).filter(Boolean)
  const search = (query) => {
    input.value = query.join(" ")
    input.focus()
    input.dispatchEvent(new KeyboardEvent("keyup"))
    show()
  }

  /** A button as the theme's arrow keys reach it: a link whose score is below that of any hit. */
  const button = (label, act) => {
    const link = document.createElement("a")
    const text = document.createElement("span")
    text.dataset.mdScore = "-1"
    text.textContent = label
    link.append(text)
    link.setAttribute("role", "button")
    link.href = "#"
    link.tabIndex = -1
    link.addEventListener("click", (event) => {
      event.preventDefault()
      event.stopPropagation()
      act()
    })
    return link
  }

  const bar = document.createElement("p")
  const hint = document.createElement("p")
  bar.className = "calm-narrow"
  hint.className = "calm-hint"
  hint.setAttribute("role", "status")
  panel.querySelector(".md-search-result__meta").after(bar, hint)

  /** One kind and one project at a time; the same again takes it away. */
  const narrow = (tag, others) => {
    const own = terms(tag)
    const gone = new Set(others.flatMap(terms))
    const on = own.every((term) => words().includes(term))
    search([...words().filter((word) => !gone.has(word)), ...(on ? [] : own)])
  }

  const chips = []
  const offer = (tags) => {
    for (const tag of tags) {
      const chip = button(tag, () => narrow(tag, tags))
      chip.className = "calm-chip"
      Object.assign(chip, { tag, tags })
      chips.push(chip)
    }
  }
  const isOn = ({ tag }) => terms(tag).every((term) => words().includes(term))

  /** Each document with its words in small letters, and its tags as they are read. */
  let texts
  const pages = ({ docs }) =>
    (texts ??= docs.map(({ title, text, tags }) => ({
      said: `${title} ${text}`.replace(/<[^>]*>/g, " ").toLowerCase(),
      tags: (tags ?? []).map(plain),
    })))

  /** The documents that hold one of the words, as the theme finds them. */
  const holding = (found, typed) => {
    const wanted = typed
      .filter((word) => !word.startsWith("+tags:"))
      .map((word) => word.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    const start = new RegExp(`(?:^|${found.config.separator})(?:${wanted.join("|")})`, "u")
    return wanted.length ? pages(found).filter(({ said }) => start.test(said)) : []
  }

  /** Whether a chip is on, or would leave some of the hits that the other chips leave, and not all. */
  const filters = (chip, hits) => {
    const others = chips.filter((one) => one.tags != chip.tags && isOn(one))
    const left = hits.filter(({ tags }) => others.every((one) => tags.includes(one.tag)))
    const own = left.filter(({ tags }) => tags.includes(chip.tag)).length
    return isOn(chip) || (own > 0 && own < left.length)
  }

  /** The words that are looked for in place of those in the box, where nothing holds these. */
  let forgiven = []
  const show = async () => {
    const typed = words()
    const hits = typed.length ? holding(await index(), forgiven.length ? forgiven : typed) : []
    const wanted = chips.filter((chip) => filters(chip, hits))
    for (const chip of wanted) chip.setAttribute("aria-pressed", String(isOn(chip)))
    const same = wanted.length == bar.children.length && wanted.every((chip, at) => chip == bar.children[at])
    if (!same && typed.join() == words().join()) bar.replaceChildren(...wanted)
  }

  const plain = (tag) => new DOMParser().parseFromString(tag, "text/html").body.textContent
  const projectsOf = ({ docs }) => {
    const counts = new Map()
    for (const { tags } of docs) {
      if (!KINDS.includes(tags?.[0])) continue
      for (const tag of tags.slice(1)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    }
    const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, PROJECTS_OFFERED)
    return most.map(([tag]) => plain(tag))
  }

  /** Every word of the index, and how often it stands there. */
  let known
  const vocabulary = ({ docs }) => {
    if (known) return known
    known = new Map()
    for (const { title, text } of docs) {
      for (const [word] of `${title} ${text}`.replace(/<[^>]*>/g, " ").toLowerCase().matchAll(/[\p{L}\p{N}_]{4,}/gu)) {
        known.set(word, (known.get(word) ?? 0) + 1)
      }
    }
    return known
  }

  /** Letters to change, drop, add or swap (optimal string alignment), or `most` + 1 where more. */
  const distance = (a, b, most) => {
    if (Math.abs(a.length - b.length) > most) return most + 1
    let before = []
    let last = Array.from({ length: b.length + 1 }, (_, at) => at)
    for (let i = 1; i <= a.length; i++) {
      const row = [i]
      for (let j = 1; j <= b.length; j++) {
        const cost = a[i - 1] == b[j - 1] ? 0 : 1
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
          row[j] = Math.min(row[j], before[j - 2] + 1)
        }
      }
      if (Math.min(...row) > most) return most + 1
      before = last
      last = row
    }
    return last[b.length]
  }

  const nearest = (word, found) => {
    const most = word.length < 8 ? 1 : 2
    let best = ["", most + 1, 0]
    for (const [other, count] of found) {
      const apart = distance(word, other, most)
      if (apart < best[1] || (apart == best[1] && apart <= most && count > best[2])) best = [other, apart, count]
    }
    return best[0]
  }

  /** What was typed with words that the index has, for those that it has not; else nothing. */
  const corrected = (typed, found) => {
    let changed = false
    const better = typed.map((word) => {
      const plain = word.toLowerCase()
      if (plain.length < SHORTEST_WORD || !/^[\p{L}\p{N}_]+$/u.test(plain)) return word
      for (const other of found.keys()) if (other.startsWith(plain)) return word
      const other = nearest(plain, found)
      changed ||= !!other
      return other || word
    })
    return changed ? better : []
  }

  /** A word without the brackets and stops around it, which the theme would look for as part of it. */
  const bare = (word) => (word.startsWith("+tags:") ? word : word.replace(/^[([{<]+|[)\]}>.,;:!?]+$/g, "") || word)

  /** Has the theme look for other words than stand in the box: it reads the box at once. */
  let asking = false
  const ask = (query) => {
    const own = input.value
    asking = true
    input.value = query.join(" ")
    input.dispatchEvent(new KeyboardEvent("keyup"))
    input.value = own
    asking = false
  }

  /** Where nothing holds what was typed, the hits of the nearest words are shown; else offered. */
  const suggest = async () => {
    const typed = words()
    const asked = typed.map(bare)
    const found = await index()
    const better = asked.length ? corrected(asked, vocabulary(found)) : []
    if (typed.join() != words().join()) return
    hint.replaceChildren()
    const none = better.length && !holding(found, asked).length
    forgiven = none ? better : asked.join() != typed.join() ? asked : []
    if (better.length) {
      const said = better.filter((word) => !word.startsWith("+tags:")).join(" ")
      const link = button(said, () => search(better))
      if (none) hint.append("Nothing has these words. Showing ", link, ".")
      else hint.append("Did you mean ", link, "?")
    }
    if (forgiven.length) ask(forgiven)
    await show()
  }

  /** A line over each hit: what it is, of which project and day; the day is in its address. */
  const nameHits = () => {
    for (const link of panel.querySelectorAll(".md-search-result__link")) {
      const tags = [...link.querySelectorAll(".md-tag")].map((tag) => tag.textContent)
      if (!KINDS.includes(tags[0]) || link.querySelector(".calm-hit")) continue
      const day = /\/(\d{4})-(\d\d)-(\d\d)t\d{6}z-/.exec(link.href)
      const hit = document.createElement("span")
      hit.className = "calm-hit"
      if (day) tags.push(`${Number(day[3])} ${MONTHS[day[2] - 1]} ${day[1]}`)
      hit.textContent = tags.join(" · ")
      link.querySelector(".md-tags").remove()
      link.querySelector("article").prepend(hit)
    }
  }

  let waiting
  const typed = () => {
    if (asking) return
    forgiven = []
    show()
    clearTimeout(waiting)
    waiting = setTimeout(suggest, 300)
  }
  input.addEventListener("keyup", typed)
  input.form.addEventListener("reset", () => setTimeout(typed))
  input.addEventListener("focus", async () => {
    const found = await index()
    offer(KINDS.filter((kind) => found.docs.some(({ tags }) => tags?.[0] == kind)))
    const projects = projectsOf(found)
    if (projects.length > 1) offer(projects)
    show()
  }, { once: true })
  // Words that come with the address are looked for as soon as the theme says that it is ready.
  new MutationObserver((_, first) => {
    first.disconnect()
    if (input.value) typed()
  }).observe(panel.querySelector(".md-search-result__meta"), { childList: true })
  new MutationObserver(nameHits).observe(panel.querySelector(".md-search-result__list"), { childList: true, subtree: true })
})()
