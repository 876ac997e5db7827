/** Short, and nothing that could break out of a log line or a header. */
const HARMLESS = /^[\w.:~+/=@-]{1,128}$/

/**
 * Gives each request the id that its sender gave it, if that is harmless and not an API key, else one of our own: a
 * random word of this run and a number.
 */
export function createRequestIds(): (sent: string | null) => string {
  const run = crypto.randomUUID().slice(-12)
  let last = 0
  return (sent) => {
    const isKept = sent !== null && HARMLESS.test(sent) && !sent.includes("ldb_")
    return isKept ? sent : `${run}-${(++last).toString(36)}`
  }
}
