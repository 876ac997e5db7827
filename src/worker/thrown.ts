/** An error as it can be sent from thread to thread. */
export interface Thrown {
  message: string
  stack: string | undefined
  /** SQLite's name of the error. */
  code: string | undefined
}

export function asThrown(thrown: unknown): Thrown {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { message, stack } = error
  return { message, stack, code: "code" in error ? String(error.code) : undefined }
}

export function asError({ message, stack, code }: Thrown): Error {
  return Object.assign(new Error(message), { stack, ...(code !== undefined && { code }) })
}
