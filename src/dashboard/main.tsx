import { signal } from "@preact/signals"
import { render } from "preact"
import { useEffect } from "preact/hooks"
import { t } from "./core/text.ts"
import { Loaded } from "./parts/bits.tsx"
import "./style/index.css"
import { ApiError, isOffline, post } from "./core/api.ts"
import { go, HOME, place } from "./core/router.ts"
import { told } from "./core/said.ts"
import { loadSession, mayBeSignedIn, session, signedIn } from "./core/session.ts"
import type { Session } from "./core/types.ts"
import { pageHere, programOf } from "./pages.ts"
import "./shared.ts"
import { Shell } from "./shell.tsx"

/** The one-time code or the invitation behind the address; taken out of it at once, so that it stays nowhere. */
function takeSecret(): string {
  const secret = decodeURIComponent(location.hash.slice(1))
  if (secret !== "") history.replaceState(null, "", location.pathname + location.search)
  return secret
}

const secret = takeSecret()
/** Behind the address of a person who comes back from the provider with a session. */
const FROM_PROVIDER = "oidc"

const problem = signal("")
const isJoining = place.value[0] === "join"
/** An app that asks to connect leads here, with its request in place of a code. */
const isConnecting = place.value[0] === "connect-app"

const RETRY_MS = 2_000

/** Loaded for those who are signed out alone. */
const signInPage = () =>
  import("./sign-in.tsx").then(
    ({ SignInPage }) => SignInPage,
    () => new Promise<never>(() => setTimeout(() => location.reload(), RETRY_MS)),
  )
const joinPage = () => import("./pages/join.tsx").then(({ JoinPage }) => JoinPage)
const connectAppPage = () => import("./pages/connect-app.tsx").then(({ ConnectAppPage }) => ConnectAppPage)

/** How long the first frame waits for the script of the page and the answer that was asked for early. */
const TOGETHER_MS = 100

// All that the page will need is asked for at once, not one after the other; first what people wait for (early.ts).
if (!isJoining && !isConnecting && secret === "" && mayBeSignedIn()) {
  const page = pageHere()
  // What comes at about the same time is laid out once. What goes wrong is told when the page is shown.
  const parts = Promise.allSettled([page && programOf(page), ...(globalThis.leaddbAsked?.values() ?? [])])
  void Promise.race([parts, new Promise((resolve) => setTimeout(resolve, TOGETHER_MS))]).then(show)
} else show()
if (!isJoining) void begin()

function App() {
  if (place.value[0] === "join") return <Loaded key="join" load={joinPage} props={{ invite: secret }} />
  if (session.value === null)
    return <Loaded key="sign-in" load={signInPage} props={{ problem: problem.value }} />
  if (isConnecting && session.value)
    return <Loaded key="connect" load={connectAppPage} props={{ request: secret }} />
  if (session.value === undefined && isOffline.value) return <Away />
  return session.value || mayBeSignedIn() ? <Shell /> : null
}

async function begin(): Promise<void> {
  if (secret === "" || isConnecting) return loadSession()
  if (secret === FROM_PROVIDER) return loadSession(true)
  try {
    signedIn(await post<Session>("/sessions", { code: secret }))
    if (place.value.length === 0) go(HOME, "replace")
  } catch (error) {
    // Whoever is signed in already loses nothing by an old link.
    await loadSession()
    if (session.value === null && error instanceof ApiError) problem.value = told(error)
  }
}

function Away() {
  useEffect(() => {
    const timer = setInterval(() => void loadSession(), 2_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <main class="gate">
      <div class="card">
        <h1>{t("The service cannot be reached")}</h1>
        <p role="status">{t("Trying again every two seconds.")}</p>
      </div>
    </main>
  )
}

function show() {
  render(<App />, document.getElementById("root")!)
}
