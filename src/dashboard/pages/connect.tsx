import { useState } from "preact/hooks"
import { post } from "../core/api.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { isOwner } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { attempt, copy } from "../core/toast.ts"
import { Head } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"

/** Ready entries for programs that work with the leads; only the key is left to be put in. */
export default function Connect() {
  const [key, setKey] = useState("")
  const makeKey = () =>
    attempt(async () => {
      const name = `Connect ${new Date().toISOString().slice(0, 10)}`
      const made = await post<{ key: string }>("/api-keys", { name, role: "editor" })
      setKey(made.key)
    })
  const filled = (text: string) => (key === "" ? text : text.replaceAll("YOUR_KEY", key))
  const { data } = useLoaded(async () => {
    const response = await fetch("/", { headers: { Accept: "application/json" } })
    return (await response.json()) as { api: string; mcp: string }
  }, [])
  const api = `${location.origin}/api/v1`
  const mcp = data?.mcp ?? "http://localhost:8081/mcp"
  // Agents show what they would do before they do harm.
  const guarded = `${mcp}?guard=plan`
  return (
    <div class="page narrow">
      <Head title={t("Connect")} />
      {key === "" ? (
        <p class="note-line">
          {tx("Replace {code} with an API key.", { code: <code>YOUR_KEY</code> })}{" "}
          {isOwner.value ? (
            <button type="button" class="primary" onClick={makeKey}>
              {t("Create a key and fill it in")}
            </button>
          ) : (
            t("An owner creates keys. AI clients that can sign in need none.")
          )}
        </p>
      ) : (
        <p class="note-line" role="status">
          {tx("The key is filled in below. It is shown only now; you can revoke it in {a}.", {
            a: <a href={href("keys")}>{t("Keys")}</a>,
          })}
        </p>
      )}
      <Snippet title={t("A program or a form, by curl")} text={filled(curlText(api))} />
      <Snippet
        title={t("Claude, Cursor and other AI clients (MCP)")}
        note={t("The entry for their MCP settings. Clients that can sign in need the address alone.")}
        text={filled(
          JSON.stringify(
            {
              mcpServers: {
                leaddb: { type: "http", url: guarded, headers: { Authorization: "Bearer YOUR_KEY" } },
              },
            },
            null,
            2,
          ),
        )}
      />
      <p class="add-links">
        {installLinks(mcp).map(([client, url]) => (
          <a class="button small" href={url}>
            {t("Add to {client}", { client })}
          </a>
        ))}
      </p>
      <Snippet
        title={t("Claude Code")}
        text={filled(
          `claude mcp add --transport http leaddb "${guarded}" --header "Authorization: Bearer YOUR_KEY"`,
        )}
      />
      <Snippet
        title={t("Claude Desktop and clients that start programs (stdio)")}
        text={filled(
          JSON.stringify(
            {
              mcpServers: {
                leaddb: {
                  command: "leaddb",
                  args: ["mcp", "--guard", "plan"],
                  env: { LEADDB_API_KEY: "YOUR_KEY" },
                },
              },
            },
            null,
            2,
          ),
        )}
      />
      <Snippet title={t("Python")} text={filled(pythonText(api))} />
      <Snippet
        title="n8n"
        note={t("An HTTP Request node: paste this as its cURL import.")}
        text={filled(curlText(api))}
      />
      <Snippet
        title={t("Everything new and changed, from here on")}
        text={filled(`curl '${api}/changes?order=asc&wait=25' -H "X-API-Key: YOUR_KEY"`)}
      />
      <p class="muted">
        <a href="/docs" target="_blank" rel="noreferrer">
          {t("API reference")}
        </a>{" "}
        · <a href="/api/v1/openapi.json">{t("OpenAPI document")}</a>
      </p>
    </div>
  )
}

/** Links that add the MCP server to a client, which signs in through the browser. */
function installLinks(mcp: string): [client: string, url: string][] {
  const server = { type: "http", url: mcp }
  return [
    [
      "Cursor",
      `cursor://anysphere.cursor-deeplink/mcp/install?name=leaddb&config=${encodeURIComponent(btoa(JSON.stringify({ url: mcp })))}`,
    ],
    ["VS Code", `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "leaddb", ...server }))}`],
    ["Claude", "https://claude.ai/settings/connectors?modal=add-custom-connector"],
  ]
}

function curlText(api: string): string {
  const lead = '{"name": "Ada Lovelace", "source": "form", "email": "ada@example.com"}'
  return `curl '${api}/leads' -H "X-API-Key: YOUR_KEY" -H "Content-Type: application/json" \\\n  -d '${lead}'`
}

function pythonText(api: string): string {
  return `import json, urllib.request

request = urllib.request.Request(
    "${api}/leads",
    data=json.dumps({"name": "Ada Lovelace", "source": "python"}).encode(),
    headers={"X-API-Key": "YOUR_KEY", "Content-Type": "application/json"},
)
print(urllib.request.urlopen(request).read().decode())`
}

function Snippet({ title, note, text }: { title: string; note?: string; text: string }) {
  return (
    <section class="card tile">
      <header class="card-head">
        <h2>{title}</h2>
        <button
          type="button"
          class="small"
          aria-label={t("Copy: {title}", { title })}
          onClick={() => copy(text, t("Text"))}
        >
          <Icon name="copy" size={14} />
          {t("Copy")}
        </button>
      </header>
      {note && <p class="muted">{note}</p>}
      <pre class="snippet" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}
