// What is sent.

/** A request as it goes over the wire. `target` is the path and the query. */
export interface Sent {
  surface: "rest" | "mcp"
  method: string
  target: string
  headers: [string, string][]
  body?: Uint8Array<ArrayBuffer> | undefined
  /** Which operation it is about, for the counts. */
  about: string
}

/** Keys of an account, by role, and one that expired. */
export type Keys = Record<"owner" | "editor" | "viewer" | "expired", string>
