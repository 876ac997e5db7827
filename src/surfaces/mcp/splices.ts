/**
 * JSON texts on their way around the SDK. It would have a page of leads parsed, checked and written again, which costs
 * more than all the rest of a call; so a mark goes through it, and its text is put in at the end.
 */
export interface Splices {
  /** A text that stands for `json` until the response is made. */
  hold(json: string): string
  /** A text with the held texts in their places. */
  filled(text: string): string
  /** The same for the body of a response. */
  fill(response: Response): Promise<Response>
}

export function createSplices(): Splices {
  const held = new Map<string, string>()
  return {
    hold(json) {
      // Nobody who writes a lead can know it.
      const mark = crypto.randomUUID()
      held.set(`"${mark}"`, json)
      return mark
    },
    filled: (text) => (held.size === 0 ? text : filled(text, held)),
    async fill(response) {
      if (held.size === 0) return response
      return new Response(filled(await response.text(), held), response)
    },
  }
}

/** Slices are joined once, as every replacement would copy what was put in before. */
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
