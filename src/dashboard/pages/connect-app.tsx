import { useEffect } from "preact/hooks"
import { post } from "../core/api.ts"
import { useLoaded } from "../core/loading.ts"
import { HOME } from "../core/router.ts"
import { t } from "../core/text.ts"

/** Leads back to the page on which an app asks to connect, with the proof of who is signed in. */
export function ConnectAppPage({ request }: { request: string }) {
  const { data, error } = useLoaded(
    () => post<{ app: string; location: string }>("/sessions/app", { request }),
    [],
  )
  useEffect(() => {
    if (data) location.replace(data.location)
  }, [data])
  if (!error) return null
  return (
    <main class="gate">
      <div class="card">
        <h1>{t("The app cannot be connected from here")}</h1>
        <p role="alert">{t("Connect it once more in the app: a link like this works for 10 minutes.")}</p>
        <p>
          <a href={HOME}>{t("Go to the dashboard")}</a>
        </p>
      </div>
    </main>
  )
}
