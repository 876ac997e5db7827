// Asks for what the page shows first while the page's own scripts are on their way.
import { address, type Fetched, fetchText, firstRows, readView, SESSION_KEY } from "./core/first-request.ts"

declare global {
  /** Answers that were asked for before the page that shows them was there, by their address. */
  var leaddbAsked: Map<string, Promise<Fetched>> | undefined
}

/** The address of what the page asks for first; undefined for pages that wait for no single answer. */
function firstRequest(): string | undefined {
  const [, , page, item] = location.pathname.split("/")
  if (!page) return address("/stats")
  if (page !== "leads" || item) return page === "overview" ? address("/stats") : undefined
  const { selection, columns } = readView(new URLSearchParams(location.search))
  return address("/leads", firstRows(selection, columns))
}

// Behind a # is a code or an invitation, by which the page signs in first.
const url = location.hash === "" && localStorage.getItem(SESSION_KEY) !== null ? firstRequest() : undefined
if (url !== undefined) {
  const answer = fetchText(url)
  // The page that takes the answer handles its error; until then the browser would report it as unhandled.
  answer.catch(() => {})
  globalThis.leaddbAsked = new Map([[url, answer]])
}
