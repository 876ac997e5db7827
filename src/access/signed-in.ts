/** The answer of an operation that begins or ends the session of a browser: the surface makes a cookie of it. */
export class SignedIn {
  constructor(
    /** The body of the answer; undefined for none. */
    readonly body: object | undefined,
    /** The new session's token, which is kept nowhere else; null when the session has ended. */
    readonly token: string | null,
    /** Seconds that the cookie may live. */
    readonly lifetime = 0,
  ) {}
}
