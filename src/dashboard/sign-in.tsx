import { post } from "./core/api.ts"
import { hasPasskeys, provider, usePasskey, useSigningIn } from "./core/passkeys.ts"
import { signedIn } from "./core/session.ts"
import { t, tx } from "./core/text.ts"
import type { Session } from "./core/types.ts"
import { Button } from "./parts/bits.tsx"
import { Form, Input } from "./parts/fields.tsx"

const here = () => location.pathname + location.search

/** Signing in with whatever a person has. */
export function SignInPage({ problem: before }: { problem: string }) {
  const { problem, isBusy, run } = useSigningIn(before)
  const signIn = (body: () => Promise<object>) =>
    run(async () => signedIn(await post<Session>("/sessions", await body())))
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
        <Form
          class={undefined}
          staysOpen
          onSend={(sent) =>
            signIn(async () => {
              const typed = sent.text("secret")
              return typed.startsWith("ldb_") ? { key: typed } : { code: typed }
            })
          }
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
        </Form>
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
                return { passkey: await usePasskey(options) }
              })
            }
          />
        )}
        <Form
          class={undefined}
          staysOpen
          onSend={(sent) => signIn(async () => ({ name: sent.get("name"), password: sent.get("password") }))}
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
        </Form>
      </div>
    </main>
  )
}
