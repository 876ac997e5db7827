/** An answer with its JSON read; `body` is undefined when there is none. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any
}
