import type { AttemptLine, Reads, StoreReads } from "../../store/contract/store.ts"
import { excerpt } from "../../text/text.ts"
import { command } from "./command.ts"
import { ACCOUNT, ADMIN, chooseAccount, existingPlace, withReads } from "./database.ts"

/** How often the file is asked whether anything was written. */
const LOOK_MS = 200
/** Attempts read at a time. */
const PAGE = 500
const URL_WIDTHS = { least: 24, most: 60 }
const HEAD = ["TIME UTC", "EVENT", "URL", "STATUS", "CODE", "MS", "ERROR"]

export const tailWebhooks = command({
  name: "webhooks tail",
  about: "Show webhook deliveries as they are made, until Ctrl-C",
  options: {
    account: {
      ...ACCOUNT,
      about: "the account's id, or its name if no other has it; all accounts when left out",
    },
    ...ADMIN,
    json: { ...ADMIN.json, about: "print one JSON document a line" },
  },
  async run({ data, database, json: isForPrograms, account: named }, _, io) {
    const stop = Promise.race([io.stopRequested(), io.outClosed()])
    return withReads(existingPlace({ data, database }), async (reads) => {
      const account = named === undefined ? undefined : await chooseAccount(reads.read.accounts, named)
      const width = await urlWidth(reads.read, account?.key)
      if (!isForPrograms) io.out(line(HEAD, width))
      await follow(reads, account?.key, stop, (attempt) => {
        io.out(isForPrograms ? document(attempt) : line(cells(attempt), width))
      })
      return 0
    })
  },
})

/** Hands over every attempt that is recorded from now on, in order, until `stop`. */
async function follow(
  { read, changedElsewhere }: StoreReads,
  account: number | undefined,
  stop: Promise<void>,
  take: (attempt: AttemptLine) => void,
): Promise<void> {
  let isStopped = false
  const stopped = stop.then(() => {
    isStopped = true
  })
  let turn = await read.outbox.lastTurn()
  while (!isStopped) {
    if (await changedElsewhere()) turn = await takeAfter(read, turn, account, take)
    await Promise.race([stopped, Bun.sleep(LOOK_MS)])
  }
}

async function takeAfter(
  read: Reads,
  turn: number,
  account: number | undefined,
  take: (attempt: AttemptLine) => void,
): Promise<number> {
  for (let last = turn; ; ) {
    const page = await read.outbox.attempts(last, PAGE, account)
    for (const attempt of page) take(attempt)
    last = page.at(-1)?.turn ?? last
    if (page.length < PAGE) return last
  }
}

function document({ turn: _, ...attempt }: AttemptLine): string {
  return `${JSON.stringify(attempt)}\n`
}

/** Wide enough for the webhooks there are: a line that was printed cannot be aligned anew. */
async function urlWidth(read: Reads, account: number | undefined): Promise<number> {
  const accounts = account === undefined ? (await read.accounts.list()).map(({ key }) => key) : [account]
  let width = URL_WIDTHS.least
  for (const key of accounts) {
    for (const { url } of await read.webhooks.list(key)) width = Math.max(width, url.length)
  }
  return Math.min(width, URL_WIDTHS.most)
}

function cells({
  at,
  event,
  url,
  status,
  code,
  milliseconds,
  error,
  attempts,
  next_attempt_at,
}: AttemptLine) {
  const next = next_attempt_at === null ? "none left" : `next ${clockTime(next_attempt_at)}`
  const problem = error === null ? "" : `${error} (attempt ${attempts}, ${next})`
  return [
    clockTime(at),
    event,
    url,
    status,
    code === null ? "-" : String(code),
    String(milliseconds),
    problem,
  ]
}

function clockTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19)
}

function line(
  [time = "", event = "", url = "", status = "", code = "", ms = "", problem = ""]: string[],
  width: number,
) {
  const shown = [
    time,
    event.padEnd(13),
    excerpt(url, width).padEnd(width),
    status.padEnd(9),
    code.padStart(4),
    ms.padStart(5),
    problem,
  ]
  // Answers of receivers and names given by clients may contain anything, so control characters are removed.
  return `${shown
    .join("  ")
    .trimEnd()
    .replaceAll(/\p{Cc}/gu, "\ufffd")}\n`
}
