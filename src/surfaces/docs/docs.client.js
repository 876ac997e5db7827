// The script of the API reference: runs in browsers. What a person types stays in this tab.
document.documentElement.classList.add("js")

/** Where the API is, seen from this page: also behind a proxy that puts it under a path. */
const base = new URL("api/v1", location.href).href
for (const place of document.querySelectorAll(".base")) place.textContent = base

const KEY = "leaddb-key"
const keyInput = document.getElementById("key")
keyInput.value = sessionStorage.getItem(KEY) ?? ""
keyInput.addEventListener("input", () => sessionStorage.setItem(KEY, keyInput.value.trim()))

/** Copies what an element says. Browsers keep the clipboard from pages that came over plain HTTP from elsewhere. */
async function copy(element) {
  if (navigator.clipboard) return navigator.clipboard.writeText(element.textContent)
  getSelection().selectAllChildren(element)
  document.execCommand("copy")
}

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    await copy(button.nextElementSibling)
    button.textContent = "Copied"
    setTimeout(() => {
      button.textContent = "Copy"
    }, 1500)
  })
}

/** The request that a form describes. */
function requestOf(form) {
  const { method, path } = form.dataset
  const query = new URLSearchParams()
  let filled = path
  for (const field of form.querySelectorAll("[data-in]")) {
    const value = field.value.trim()
    if (field.dataset.in === "path") filled = filled.replace(`{${field.name}}`, encodeURIComponent(value))
    else for (const line of value.split("\n")) if (line !== "") query.append(field.name, line)
  }
  const body = form.elements.namedItem("body")?.value
  const headers = { "X-API-Key": keyInput.value.trim() }
  if (body !== undefined) headers["Content-Type"] = form.dataset.type
  return [base + filled + (query.size > 0 ? `?${query}` : ""), { method, headers, body }]
}

async function send(form) {
  const outcome = form.querySelector(".outcome")
  const shown = form.querySelector(".answer")
  if (keyInput.value.trim() === "") {
    outcome.textContent = "Paste an API key at the top first."
    keyInput.focus()
    return
  }
  outcome.textContent = "Sending..."
  shown.hidden = true
  const began = performance.now()
  try {
    const response = await fetch(...requestOf(form))
    const bytes = await response.blob()
    const took = Math.round(performance.now() - began)
    outcome.classList.toggle("bad", !response.ok)
    const status = document.createElement("b")
    status.textContent = `${response.status} ${response.statusText}`
    outcome.replaceChildren(status, ` in ${took} ms, request ${response.headers.get("x-request-id")}`)
    await show(shown, response, bytes)
  } catch (error) {
    outcome.classList.add("bad")
    outcome.textContent = `Nothing came back: ${error.message}`
  }
}

async function show(place, response, bytes) {
  const disposition = response.headers.get("content-disposition")
  place.hidden = bytes.size === 0
  if (disposition) {
    const link = document.createElement("a")
    link.href = URL.createObjectURL(bytes)
    link.download = /filename="([^"]+)"/.exec(disposition)?.[1] ?? "leads"
    link.textContent = `Save ${link.download} (${bytes.size.toLocaleString("en-US")} bytes)`
    place.replaceChildren(link)
    return
  }
  const text = await bytes.text()
  place.textContent = response.headers.get("content-type")?.includes("json")
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text
}

for (const form of document.querySelectorAll(".try form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void send(form)
  })
}

// The contents: folded away where they stand above the text, searched, and following what is being read.
const contents = document.getElementById("contents")
const narrow = matchMedia("(max-width: 56rem)")
const fold = () => {
  contents.open = !narrow.matches
}
narrow.addEventListener("change", fold)
fold()
contents.addEventListener("click", (event) => {
  if (narrow.matches && event.target.closest("a")) contents.open = false
})

document.getElementById("find").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(" ").filter(Boolean)
  for (const group of contents.querySelectorAll(".group")) {
    let found = 0
    for (const item of group.querySelectorAll("li")) {
      const text = `${item.textContent} ${item.firstElementChild.title}`.toLowerCase()
      item.hidden = !words.every((word) => text.includes(word))
      if (!item.hidden) found++
    }
    group.hidden = found === 0
  }
})

const links = [...contents.querySelectorAll("li a")]
const parts = links.map((link) => document.getElementById(link.hash.slice(1)))
let current

/** Marks what is being read: the last part that begins in the upper quarter of the window, or above it. */
function mark() {
  const at = parts.findLastIndex((part) => part.getBoundingClientRect().top <= innerHeight / 4)
  if (links[at] === current) return
  current?.removeAttribute("aria-current")
  current = links[at]
  current?.setAttribute("aria-current", "true")
  if (!narrow.matches) current?.scrollIntoView({ block: "nearest" })
}
let isMarking = false
addEventListener(
  "scroll",
  () => {
    if (isMarking) return
    isMarking = true
    requestAnimationFrame(() => {
      isMarking = false
      mark()
    })
  },
  { passive: true },
)
mark()

/** A link to an object opens it. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener("hashchange", openTarget)
openTarget()
