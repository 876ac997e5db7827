/**
 * Carries JSON texts past the SDK, which would parse, check and serialise a page of leads again: more work than the rest of
 * the call. A placeholder passes through the SDK, and the text replaces it in the response.
 */
export interface Splices {
  /** Keeps `json` and returns the placeholder for it. */
  hold(json: string): string
  /** `text` with the kept JSON in place of the placeholders. */
  filled(text: string): string
  /** Like `filled`, for the body of a response. */
  fill(response: Response): Promise<Response>
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
    async fill(response) {
      if (held.size === 0) return response
      return new Response(filled(await response.text(), held), response)
    },
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
