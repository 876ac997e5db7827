/**
 * JSON texts on their way around the SDK. It would have a page of leads parsed, checked and written again, which costs
 * more than all the rest of a call; so a mark goes through it, and its text is put in at the end.
 */
export interface Splices {
  /** A text that stands for `json` until the response is made. */
  hold(json: string): string
  /** The response with the held texts in their places. */
  fill(response: Response): Promise<Response>
}

export function createSplices(): Splices {
  const held: [mark: string, json: string][] = []
  return {
    hold(json) {
      // Nobody who writes a lead can know it.
      const mark = crypto.randomUUID()
      held.push([mark, json])
      return mark
    },
    async fill(response) {
      if (held.length === 0) return response
      let text = await response.text()
      for (const [mark, json] of held) text = text.replace(`"${mark}"`, () => json)
      return new Response(text, response)
    },
  }
}
