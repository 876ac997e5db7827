import { useState } from "preact/hooks"
import { post } from "./core/api.ts"
import { hasPasskeys, passkeyProblem, usePasskey } from "./core/passkeys.ts"
import { told } from "./core/said.ts"
import { signedIn } from "./core/session.ts"
import { t, tx } from "./core/text.ts"
import type { Session } from "./core/types.ts"
import { Button } from "./parts/bits.tsx"
import { Input } from "./parts/fields.tsx"

/** The provider that people sign in with, by its host; the page tells. */
const { provider } = document.documentElement.dataset

const here = () => location.pathname + location.search

/** Signing in with whatever a person has. */
export function SignInPage({ problem: before }: { problem: string }) {
  const [problem, setProblem] = useState(before)
  const [isBusy, setBusy] = useState(false)
  async function signIn(work: () => Promise<Session>) {
    setBusy(true)
    setProblem("")
    try {
      signedIn(await work())
    } catch (error) {
      setProblem(passkeyProblem(error) ?? told(error))
      setBusy(false)
    }
  }
  return (
    <main class="gate">
      <div class="card">
        <p class="logo large">
          lead<b>db</b>
        </p>
        <h1>{t("Sign in")}</h1>
        {(problem || before) && (
          <p class="problem" role="alert">
            {problem || before}
          </p>
        )}
        {provider && (
          <a class="button primary wide" href={`/oidc/sign-in?to=${encodeURIComponent(here())}`}>
            {t("Sign in with {provider}", { provider })}
          </a>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const typed = String(new FormData(event.currentTarget).get("secret")).trim()
            void signIn(() =>
              post<Session>("/sessions", typed.startsWith("ldb_") ? { key: typed } : { code: typed }),
            )
          }}
        >
          <Input
            label={t("One-time code or API key")}
            hint={tx("On the machine of the service, {code} prints a link that signs in.", {
              code: <code>leaddb open</code>,
            })}
            name="secret"
            type="password"
            autocomplete="off"
            required
            spellcheck={false}
          />
          <button class="primary wide" disabled={isBusy}>
            {t("Sign in")}
          </button>
        </form>
        <p class="or">
          <span>{t("or as a member")}</span>
        </p>
        {hasPasskeys && (
          <Button
            label={t("Use a passkey")}
            class="wide"
            disabled={isBusy}
            onClick={() =>
              signIn(async () => {
                const options = await post<Record<string, unknown>>("/sessions/challenge")
                return post<Session>("/sessions", { passkey: await usePasskey(options) })
              })
            }
          />
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            const body = { name: String(form.get("name")), password: String(form.get("password")) }
            void signIn(() => post<Session>("/sessions", body))
          }}
        >
          <Input label={t("Name")} name="name" autocomplete="username" required />
          <Input
            label={t("Password")}
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
          <button class="wide" disabled={isBusy}>
            {t("Sign in with password")}
          </button>
        </form>
      </div>
    </main>
  )
}
