import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { bundleOf } from "../connect/bundle.ts"
import { post } from "../core/api.ts"
import { download } from "../core/download.ts"
import { day } from "../core/format.ts"
import { useGet, useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { isOwner } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { attempt, copy } from "../core/toast.ts"
import type { NetworkAnswer } from "../core/types.ts"
import { Button, Card, Head } from "../parts/bits.tsx"
import { Input, Select } from "../parts/fields.tsx"
import { Network } from "../parts/network.tsx"

const ANY_FOLDER = "/path/to/data"

/** Ready entries for programs that work with the leads; only the key is left to be put in. */
export default function Connect() {
  const [key, setKey] = useState("")
  const makeKey = () =>
    attempt(async () => {
      const name = `${t("Connect")} ${day(Date.now() / 1000)}`
      const made = await post<{ key: string }>("/api-keys", { name, role: "editor", guard: "plan" })
      setKey(made.key)
    })
  const filled = (text: string) => (key === "" ? text : text.replaceAll("YOUR_KEY", key))
  const { data } = useLoaded(async () => {
    const response = await fetch("/", { headers: { Accept: "application/json" } })
    return (await response.json()) as { api: string; mcp: string }
  }, [])
  const network = useGet<NetworkAnswer>("/network")
  const [chosen, setOrigin] = useState("")
  const [folder, setFolder] = useState("")
  const origins = [...new Set([location.origin, ...(network.data?.addresses ?? [])])]
  const origin = chosen || location.origin
  const api = `${origin}/api/v1`
  const mcp = mcpAt(data?.mcp ?? "http://localhost:8081/mcp", chosen)
  // Agents show what they would do before they do harm.
  const guarded = `${mcp}?guard=plan`
  return (
    <div class="page narrow">
      <Head title={t("Connect")} />
      <KeyLine isMade={key !== ""} onMake={makeKey} />
      {origins.length > 1 && (
        <Select
          label={t("Address in the entries")}
          hint={t("Programs on other machines need the address on the network.")}
          value={origin}
          options={origins}
          onChange={setOrigin}
        />
      )}
      <Snippet title={t("A program or a form, by curl")} text={filled(curlText(api))} />
      <Snippet
        title={t("Claude, Cursor and other AI clients (MCP)")}
        note={t("The entry for their MCP settings. Clients that can sign in need the address alone.")}
        text={filled(mcpEntry(guarded))}
      />
      <p class="row add-links">
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
      <Bundle mcp={guarded} apiKey={key} />
      <Snippet
        title={t("Desktop clients that start programs (stdio)")}
        note={t("On this machine. The program opens the database itself, also while the service runs.")}
        text={filled(stdioText(folder))}
      >
        <Input
          label={t("Data folder")}
          hint={t("The start of the service names it, such as /home/ada/leads/data.")}
          value={folder}
          placeholder={ANY_FOLDER}
          onText={(value) => setFolder(value.trim())}
        />
      </Snippet>
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
      <Network />
      <p class="muted">
        <a href="/docs" target="_blank" rel="noreferrer">
          {t("API reference")}
        </a>{" "}
        · <a href="/api/v1/openapi.json">{t("OpenAPI document")}</a>
      </p>
    </div>
  )
}

/** Offers to make a key for the entries, and says what became of it. */
function KeyLine({ isMade, onMake }: { isMade: boolean; onMake: () => void }) {
  if (isMade)
    return (
      <p class="note-line" role="status">
        {tx("The key is filled in below. It is shown only now; you can revoke it in {a}.", {
          a: <a href={href("keys")}>{t("Keys")}</a>,
        })}
      </p>
    )
  return (
    <p class="note-line">
      {tx("Replace {code} with an API key.", { code: <code>YOUR_KEY</code> })}{" "}
      {isOwner.value ? (
        <Button label={t("Create a key and fill it in")} class="primary" onClick={onMake} />
      ) : (
        t("An owner creates keys. AI clients that can sign in need none.")
      )}
    </p>
  )
}

const entryOf = (leaddb: object) => JSON.stringify({ mcpServers: { leaddb } }, null, 2)

const mcpEntry = (url: string) =>
  entryOf({ type: "http", url, headers: { Authorization: "Bearer YOUR_KEY" } })

/** A bundle that Claude Desktop installs with one click. */
function Bundle({ mcp, apiKey }: { mcp: string; apiKey: string }) {
  return (
    <Card title={t("Claude Desktop")}>
      <p class="muted">
        {apiKey === ""
          ? t("Download the bundle and open it. Claude Desktop asks for an API key.")
          : t("Download the bundle and open it. It contains the key: delete it once it is installed.")}
      </p>
      <p>
        <Button
          icon="import"
          label={t("Download the bundle")}
          onClick={() => download(bundleOf({ mcp, key: apiKey }), "leaddb.mcpb", "application/zip")}
        />
      </p>
    </Card>
  )
}

/** The MCP address by which machines reach it that reach `origin`; as it is where none is chosen. */
function mcpAt(mcp: string, origin: string): string {
  if (origin === "" || origin === location.origin) return mcp
  const address = new URL(mcp)
  address.hostname = new URL(origin).hostname
  return address.href
}

const stdioText = (folder: string) =>
  entryOf({
    command: "leaddb",
    args: ["mcp", "--guard", "plan"],
    env: { LEADDB_DATA: folder || ANY_FOLDER, LEADDB_API_KEY: "YOUR_KEY" },
  })

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

interface SnippetProps {
  title: string
  note?: string
  text: string
  children?: ComponentChildren
}

function Snippet({ title, note, text, children }: SnippetProps) {
  return (
    <Card
      title={title}
      more={
        <Button
          icon="copy"
          label={t("Copy")}
          class="small"
          aria-label={t("Copy: {title}", { title })}
          onClick={() => copy(text, t("Text"))}
        />
      }
    >
      {note && <p class="muted">{note}</p>}
      {children}
      <pre class="snippet" tabIndex={0}>
        {text}
      </pre>
    </Card>
  )
}
