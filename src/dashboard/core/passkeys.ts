// What both pages share where people sign in or join, and what browsers have for passkeys, as the API speaks of them.
import { useState } from "preact/hooks"
import { told } from "./said.ts"
import { t } from "./text.ts"

/** The provider that people sign in with, by its host; the page tells. */
export const { provider } = document.documentElement.dataset

/** Runs one way of signing in at a time; `problem` says why the last one failed. */
export function useSigningIn(before = "") {
  const [problem, setProblem] = useState(before)
  const [isBusy, setBusy] = useState(false)
  async function run(work: () => Promise<void>) {
    setBusy(true)
    setProblem("")
    try {
      await work()
    } catch (error) {
      setProblem(passkeyProblem(error) ?? told(error))
      setBusy(false)
    }
  }
  return { problem, isBusy, run }
}

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
function passkeyProblem(error: unknown): string | undefined {
  if (!(error instanceof DOMException)) return undefined
  if (error.name === "NotAllowedError")
    return t("No passkey was given: the browser's window was closed, or has none for here")
  return t("The browser could not use a passkey: {message}", { message: error.message })
}
