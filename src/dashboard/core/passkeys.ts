import { t } from "./text.ts"
// What browsers have for passkeys, in the form in which the API speaks of them.

/** Whether this browser makes and uses passkeys at this address. */
export const hasPasskeys =
  typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential

type Json = Record<string, unknown>

export async function makePasskey(options: Json): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return answerOf(await navigator.credentials.create({ publicKey }))
}

export async function usePasskey(options: Json): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return answerOf(await navigator.credentials.get({ publicKey }))
}

function answerOf(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error(t("No passkey was given"))
  return credential.toJSON()
}

/** The message when the browser's own dialog was closed or had nothing to offer. */
export function passkeyProblem(error: unknown): string | undefined {
  if (!(error instanceof DOMException)) return undefined
  if (error.name === "NotAllowedError")
    return t("No passkey was given: the browser's window was closed, or has none for here")
  return t("The browser could not use a passkey: {message}", { message: error.message })
}
