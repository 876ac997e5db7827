/**
 * Keeps JSON texts out of an answer until it is text itself: to parse a page of leads and to serialise it again would be more
 * work than the rest of the call. A placeholder stands for each, and the text replaces it in the response.
 */
export interface Splices {
  /** Keeps `json` and returns the placeholder for it. */
  hold(json: string): string
  /** `text` with the kept JSON in place of the placeholders. */
  filled(text: string): string
}

export function createSplices(): Splices {
  const held = new Map<string, string>()
  return {
    hold(json) {
      // Unguessable, so that no lead's text can contain it.
      const mark = crypto.randomUUID()
      held.set(`"${mark}"`, json)
      return mark
    },
    filled: (text) => (held.size === 0 ? text : filled(text, held)),
  }
}

/** Joins the parts once: a replacement each would copy the texts that were put in before. */
function filled(text: string, held: ReadonlyMap<string, string>): string {
  const places = [...held.keys()]
    .map((mark) => ({ mark, at: text.indexOf(mark) }))
    .filter(({ at }) => at >= 0)
  let whole = ""
  let from = 0
  for (const { mark, at } of places.sort((a, b) => a.at - b.at)) {
    whole += text.slice(from, at) + held.get(mark)
    from = at + mark.length
  }
  return whole + text.slice(from)
}
