// The list of leads as a person opens it, in our dashboard and in Directus's app: how long to the first rows, and how
// much is sent for them.
import { type Browser, chromium, type Page } from "playwright-core"
import { CHROMIUM, FLAGS } from "../../test/support/browser.ts"
import { signInToDirectus } from "./directus.ts"
import { allCompared } from "./duplicates/compared.ts"
import { FIRST_ROW, pageOf, shower, signedIn } from "./first-rows.ts"
import { type Check, check, note, ROUNDS, ratios, skipped, spread, takeTurns } from "./harness.ts"
import type { Service } from "./service.ts"

const WORK = "first rows of 100 k leads in the browser, nothing kept"

/** What opening a page took. */
interface Taken {
  ms: number[]
  megabytes: number[]
}

export async function compareApps(ours: Service, directus: { origin: string }): Promise<Check[]> {
  if (!CHROMIUM) return [skipped(27, WORK, "there is no Chromium")]
  await allCompared(ours.call)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] })
  try {
    const here: Taken = { ms: [], megabytes: [] }
    const there: Taken = { ms: [], megabytes: [] }
    await takeTurns(
      {
        ours: async () => opened(await signedIn(browser, ours), pageOf(ours, "/leads"), FIRST_ROW, here),
        directus: async () => {
          const page = await directusPage(browser, directus.origin)
          return opened(page, `${directus.origin}/admin/content/leads`, "tr.table-row", there)
        },
      },
      ROUNDS + 1,
    )
    // The first answers of a service and of a browser are not those of the page.
    for (const taken of [here.ms, here.megabytes, there.ms, there.megabytes]) taken.shift()
    return [
      check(27, `${WORK}: Directus / ours, time`, ratios(there.ms, here.ms), ">= 8", "x"),
      check(27, `${WORK}: Directus / ours, bytes`, ratios(there.megabytes, here.megabytes), ">= 100", "x"),
      note(`${WORK}: ours`, spread(here.ms), "ms"),
      note(`${WORK}: Directus`, spread(there.ms), "ms"),
      note(`${WORK}: ours, sent`, spread(here.megabytes), "MB"),
      note(`${WORK}: Directus, sent`, spread(there.megabytes), "MB"),
    ]
  } finally {
    await browser.close()
  }
}

async function directusPage(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await signInToDirectus((url, data) => context.request.post(url, { data }), origin)
  return context.newPage()
}

/** Opens an address in a page that keeps nothing of it yet, and closes its context. */
async function opened(page: Page, address: string, row: string, into: Taken): Promise<number> {
  const tools = await page.context().newCDPSession(page)
  let bytes = 0
  await tools.send("Network.enable")
  tools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const show = await shower(page, row)
  into.ms.push(await show(address))
  into.megabytes.push(bytes / 1e6)
  await page.context().close()
  return 0
}
