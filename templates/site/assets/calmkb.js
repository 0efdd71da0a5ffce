/* What a page made from records does beyond HTML: copies a command, narrows a list. Without it all
   can be read. */

"use strict"

/** A button beside each command that copies it. */
function addCopyButtons() {
  if (!navigator.clipboard) return
  for (const command of document.querySelectorAll(".calm-command")) {
    const button = document.createElement("button")
    const say = (word) => {
      button.textContent = word
      button.setAttribute("aria-label", `${word} ${command.textContent}`)
    }
    button.className = "calm-copy"
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(command.textContent)
      say("Copied")
      setTimeout(() => say("Copy"), 2000)
    })
    say("Copy")
    command.after(button)
  }
}

const PERIODS = [["Last 4 weeks", 28], ["Last 12 weeks", 84], ["Last year", 365]]

/** The words of a row that a list can be narrowed to. */
function wordsOf(row, kind) {
  const words = (one) => one.textContent.replace(/^ · /, "").trim()
  return [...row.querySelectorAll(kind == "state" ? ".calm-badge" : `.calm-facet--${kind}`)].map(words)
}

function addChoice(bar, name, options) {
  const label = document.createElement("label")
  const select = document.createElement("select")
  const any = name == "Period" ? "Any time" : "All"
  for (const [text, value] of [[any, ""], ...options]) select.add(new Option(text, value))
  label.append(`${name} `, select)
  bar.append(label)
  return select
}

/** Choices above a list of troubles: by state, project, person and time. */
function addFilters(list) {
  const rows = [...list.querySelectorAll(".calm-issues li")]
  if (rows.length < 2) return
  const bar = document.createElement("div")
  bar.className = "calm-filter"
  const choices = new Map()
  for (const kind of ["state", "project", "person"]) {
    const found = [...new Set(rows.flatMap((row) => wordsOf(row, kind)))]
    if (found.length < 2) continue
    if (kind != "state") found.sort((a, b) => a.localeCompare(b))
    const name = kind[0].toUpperCase() + kind.slice(1)
    choices.set(kind, addChoice(bar, name, found.map((word) => [word, word])))
  }
  choices.set("period", addChoice(bar, "Period", PERIODS))
  const result = document.createElement("p")
  result.className = "calm-filter__result calm-meta"
  result.setAttribute("role", "status")
  bar.append(result)
  const fits = (row) => [...choices].every(([kind, { value }]) => {
    if (!value) return true
    if (kind != "period") return wordsOf(row, kind).includes(value)
    const last = row.querySelector("time")
    return last && Date.now() - Date.parse(last.dateTime) <= value * 86400000
  })
  const narrow = () => {
    const active = [...choices.values()].some((choice) => choice.value)
    for (const row of rows) row.hidden = !fits(row)
    for (const fold of list.querySelectorAll(".calm-folded")) fold.open = active || fold.open
    const shown = rows.filter((row) => !row.hidden).length
    result.textContent = active ? `${shown} of ${rows.length} shown` : ""
    const address = new URL(location.href)
    for (const [kind, { value }] of choices) {
      if (value) address.searchParams.set(kind, value)
      else address.searchParams.delete(kind)
    }
    if (address.href != location.href) history.replaceState(null, "", address)
  }
  const asked = new URLSearchParams(location.search)
  for (const [kind, choice] of choices) {
    choice.value = asked.get(kind) ?? ""
    if (choice.selectedIndex < 0) choice.value = ""
    choice.addEventListener("change", narrow)
  }
  list.prepend(bar)
  narrow()
}

/** The section of a page that is not in the bar itself stays marked, as of a theme or a memory. */
function markSection() {
  if (document.querySelector(".md-tabs__item--active")) return
  const near = { next: "sessions", tags: "memories" }
  const links = [...document.querySelectorAll(".md-tabs__link")]
  const root = new URL(links[0]?.href ?? ".", location.href)
  const folder = location.href.slice(root.href.length).split("/")[0]
  const section = new URL(`${near[folder] ?? folder}/`, root).href
  const link = links.slice(1).find((one) => one.href.startsWith(section))
  link?.closest(".md-tabs__item").classList.add("md-tabs__item--active")
}

addCopyButtons()
markSection()
document.querySelectorAll(".calm-filtered").forEach(addFilters)
