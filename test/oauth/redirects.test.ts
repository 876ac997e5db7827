import { describe, expect, test } from "bun:test"
import { isRedirectUri, matchesRedirect } from "../../src/surfaces/oauth/client.ts"
import { words } from "../support/words.ts"

describe("an address for answers", () => {
  test.each(
    words(`
    https://claude.ai/api/mcp/auth_callback https://app.example:8443/cb?a=b http://localhost
    http://localhost/callback http://LOCALHOST:8787/callback http://127.0.0.1:33418/ http://[::1]:1/cb
    com.example.app:/callback com.example.app+dev://callback
  `),
  )("may be %s", (uri) => expect(isRedirectUri(uri)).toBe(true))

  test.each([
    "",
    "/callback",
    "localhost/callback",
    "http://app.example/cb",
    "http://127.0.0.2/cb",
    "http://0.0.0.0/cb",
    "http://localhost.example/cb",
    "http://localhost@app.example/cb",
    "https://user@app.example/cb",
    "https://user:pass@app.example/cb",
    "https://app.example/cb#fragment",
    "https://app.example\\@evil.example/cb",
    "https://app.example/a b",
    "https://app.example/\n",
    'https://app.example/"',
    "https://app.example/ü",
    "https://",
    "http://localhost:99999/",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "app.:/callback",
    ".app:/callback",
    "javascript:alert(1)//",
    "JavaScript://localhost/%0aalert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "ms-msdt:/id",
    "view-source:https://app.example",
    `https://app.example/${"x".repeat(2_000)}`,
  ])("may not be %j", (uri) => expect(isRedirectUri(uri)).toBe(false))

  test.each([
    ["http://localhost:5/callback", "http://localhost/callback"],
    ["http://localhost/callback", "http://localhost:8787/callback"],
    ["http://127.0.0.1:5", "http://127.0.0.1:33418/"],
    ["http://[::1]:5/a?b=c", "http://[::1]/a?b=c"],
    ["com.example.app:/cb", "com.example.app:/cb"],
  ])("%s is %s", (uri, registered) => expect(matchesRedirect(uri, [registered])).toBe(true))

  test.each([
    ["http://localhost:5/callback/", "http://localhost/callback"],
    ["http://localhost:5/Callback", "http://localhost/callback"],
    ["http://127.0.0.1/callback", "http://localhost/callback"],
    ["http://localhost:5/callback?x", "http://localhost/callback"],
    ["http://localhost:5/callback#x", "http://localhost/callback"],
    ["http://localhost:5@evil.example/callback", "http://localhost/callback"],
    ["http://localhost:/callback?", "http://localhost/callback"],
    ["https://app.example:444/cb", "https://app.example/cb"],
    ["https://app.example/cb/", "https://app.example/cb"],
    ["com.example.app://x:1/cb", "com.example.app://x/cb"],
  ])("%s is not %s", (uri, registered) => expect(matchesRedirect(uri, [registered])).toBe(false))
})
