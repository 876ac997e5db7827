export interface Change {
  id: string
  lead_id: string
  action: string
  batch_id: string
  actor_id: string
  created_at: number
  diff: Record<string, [unknown, unknown]>
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** The events of a stream, as they come. */
export async function openStream(url: string, key: string, more: Record<string, string> = {}) {
  const headers = { ...(key !== "" && { "X-API-Key": key }), Accept: "text/event-stream", ...more }
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  let touches = 0
  async function next(): Promise<{ id: string; change: Change } | undefined> {
    for (;;) {
      const end = rest.indexOf("\n\n")
      if (end < 0) {
        const { done, value } = await reader.read()
        if (done) return undefined
        rest += value
        continue
      }
      const lines = rest.slice(0, end).split("\n")
      rest = rest.slice(end + 2)
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      if (field("event") === "touched") touches++
      if (field("event") !== "change") continue
      return { id: field("id")!, change: JSON.parse(field("data")!) }
    }
  }
  return { response, next, touches: () => touches, close: () => abort.abort() }
}
