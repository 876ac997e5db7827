import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { AppError } from "../../src/runtime/errors.ts"
import { prepare } from "../../src/store/sqlite/connection/database.ts"
import { asStorageError, createPendingWrites } from "../../src/store/sqlite/queue/transaction.ts"
import { createWriteQueue } from "../../src/store/sqlite/queue/write-queue.ts"
import { temporaryFolder } from "../support/folder.ts"

const opened: { db: Database; reader: Database; folder: string }[] = []
afterEach(() => {
  for (const { db, reader, folder } of opened.splice(0)) {
    reader.close()
    db.close()
    rmSync(folder, { recursive: true })
  }
})

/** A queue in front of a file with one table, and a second connection that sees what is committed. */
function openQueue() {
  const folder = temporaryFolder()
  const file = join(folder, "q.db")
  const db = new Database(file, { create: true, readwrite: true, strict: true })
  db.run("PRAGMA journal_mode = WAL")
  db.run("PRAGMA busy_timeout = 50")
  db.run("CREATE TABLE t (name TEXT PRIMARY KEY, filler BLOB)")
  const reader = new Database(file, { readonly: true })
  opened.push({ db, reader, folder })
  const all = (from: Database) =>
    from
      .query<{ name: string }, []>("SELECT name FROM t ORDER BY rowid")
      .all()
      .map(({ name }) => name)
  return {
    db,
    file,
    queue: createWriteQueue(db),
    put: (name: string, bytes = 0) => db.query("INSERT INTO t VALUES (?, zeroblob(?))").run(name, bytes),
    committed: () => all(reader),
    own: () => all(db),
  }
}

/** An attempt that fails after its work. */
const lost = (queue: ReturnType<typeof createWriteQueue>, work: () => Promise<unknown>) =>
  queue.attempt(() => work().then(() => Promise.reject(new Error("no")))).catch(() => {})

describe("a group", () => {
  test("takes every write that waits when it begins, in their order, into one commit", async () => {
    const { queue, put, committed } = openQueue()
    const writes = Array.from({ length: 50 }, (_, i) => queue.enqueue(async () => put(`w${i}`) && i))
    expect(queue.stats.depth()).toBe(50)
    expect(await Promise.all(writes)).toEqual(Array.from({ length: 50 }, (_, i) => i))
    expect(queue.stats).toMatchObject({ groups: 1, writes: 50 })
    expect(queue.stats.depth()).toBe(0)
    expect(committed()).toEqual(Array.from({ length: 50 }, (_, i) => `w${i}`))
  })

  test("holds at most 256 writes", async () => {
    const { queue, put } = openQueue()
    await Promise.all(Array.from({ length: 600 }, (_, i) => queue.enqueue(async () => put(`w${i}`))))
    expect(queue.stats).toMatchObject({ groups: 3, writes: 600 })
  })

  test("a write alone is a group", async () => {
    const { queue, put } = openQueue()
    await queue.enqueue(async () => put("a"))
    await queue.enqueue(async () => put("b"))
    expect(queue.stats).toMatchObject({ groups: 2, writes: 2 })
  })

  test("lets nobody else see anything before all of it is on disk", async () => {
    const { queue, put, committed, own } = openQueue()
    const seen: unknown[] = []
    const writes = ["a", "b", "c"].map((name) =>
      queue.enqueue(async () => {
        seen.push([own(), committed()])
        put(name)
        await new Promise(setImmediate)
      }),
    )
    await writes[0]
    expect(committed()).toEqual(["a", "b", "c"])
    await Promise.all(writes)
    expect(seen).toEqual([
      [[], []],
      [["a"], []],
      [["a", "b"], []],
    ])
  })

  test("runs one work after the other, however long one waits", async () => {
    const { queue, put } = openQueue()
    const steps: string[] = []
    await Promise.all(
      ["a", "b"].map((name) =>
        queue.enqueue(async () => {
          steps.push(`${name} begins`)
          put(name)
          for (let i = 0; i < 5; i++) await new Promise(setImmediate)
          steps.push(`${name} ends`)
        }),
      ),
    )
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends"])
  })

  test("what is queued during one goes into the next", async () => {
    const { queue, put, committed } = openQueue()
    let later: Promise<unknown> | undefined
    await queue.enqueue(async () => {
      put("a")
      later = queue.enqueue(async () => put("b"))
    })
    expect(committed()).toEqual(["a"])
    await later
    expect(committed()).toEqual(["a", "b"])
    expect(queue.stats.groups).toBe(2)
  })
})

describe("a failing write", () => {
  test.each(["rejects", "throws before it returns a promise", "breaks a constraint"])(
    "that %s is rejected alone; its neighbours are unharmed",
    async (how) => {
      const { queue, put, committed } = openQueue()
      const results = await Promise.allSettled([
        queue.enqueue(async () => put("a")),
        queue.enqueue(() => {
          put("lost")
          if (how.startsWith("throws")) throw new Error("no")
          if (how.startsWith("breaks")) put("a")
          return Promise.reject(new Error("no"))
        }),
        queue.enqueue(async () => put("b")),
      ])
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
      expect(committed()).toEqual(["a", "b"])
      expect(queue.stats.groups).toBe(1)
    },
  )

  test("alone leaves nothing, and the queue goes on", async () => {
    const { queue, put, committed, db } = openQueue()
    const error = new AppError("conflict", "taken")
    const failing = queue.enqueue(async () => {
      put("lost")
      throw error
    })
    expect(await failing.catch((thrown) => thrown)).toBe(error)
    expect(db.inTransaction).toBe(false)
    await queue.enqueue(async () => put("a"))
    expect(committed()).toEqual(["a"])
  })

  test("what is not an Error is passed on as it is", async () => {
    const { queue } = openQueue()
    expect(await queue.enqueue(() => Promise.reject("text")).catch((thrown) => thrown)).toBe("text")
    expect(await queue.enqueue(() => Promise.reject(undefined)).catch((thrown) => [thrown])).toEqual([
      undefined,
    ])
  })

  test("every write of a group may fail", async () => {
    const { queue, put, committed } = openQueue()
    const results = await Promise.allSettled(
      ["a", "b"].map((name) =>
        queue.enqueue(async () => {
          put(name)
          throw new Error(name)
        }),
      ),
    )
    expect(results.map((result) => result.status === "rejected" && result.reason.message)).toEqual(["a", "b"])
    expect(committed()).toEqual([])
  })
})

// Both ways in which a work can run: alone, without a savepoint, and among others.
describe.each(["alone", "among others"])("an attempt in a work %s", (how) => {
  function run<T>({ queue, put }: ReturnType<typeof openQueue>, work: () => Promise<T>): Promise<T> {
    if (how === "alone") return queue.enqueue(work)
    const before = queue.enqueue(async () => put("before"))
    const result = queue.enqueue(work)
    const after = queue.enqueue(async () => put("after"))
    return Promise.all([result, before, after]).then(([value]) => value)
  }
  const around = (...names: string[]) => (how === "alone" ? names : ["before", ...names, "after"])

  test("that fails after it wrote undoes only itself", async () => {
    const opened = openQueue()
    const { queue, put, committed, own } = opened
    const seen = await run(opened, async () => {
      put("a")
      await lost(queue, async () => put("lost"))
      put("b")
      return own()
    })
    expect(seen).not.toContain("lost")
    expect(committed()).toEqual(around("a", "b"))
  })

  test("gives its value or its error to the work", async () => {
    const opened = openQueue()
    const { queue, put, committed } = opened
    const outcome = await run(opened, async () => {
      const value = await queue.attempt(async () => put("a") && "value")
      const error = await queue
        .attempt(() => Promise.reject(new Error("no")))
        .catch((thrown) => thrown.message)
      const sync = await queue
        .attempt(() => {
          throw new Error("at once")
        })
        .catch((thrown) => thrown.message)
      return [value, error, sync]
    })
    expect(outcome).toEqual(["value", "no", "at once"])
    expect(committed()).toEqual(around("a"))
  })

  test("inside an attempt undoes what it should, at every depth", async () => {
    const opened = openQueue()
    const { queue, put, committed } = opened
    await run(opened, async () => {
      await queue.attempt(async () => {
        put("a")
        await lost(queue, async () => put("lost 1"))
        put("b")
      })
      await lost(queue, async () => {
        put("lost 2")
        await queue.attempt(async () => put("lost 3"))
        await lost(queue, async () => put("lost 4"))
      })
      put("c")
    })
    expect(committed()).toEqual(around("a", "b", "c"))
  })

  test("of a hundred keeps exactly those that succeed", async () => {
    const opened = openQueue()
    const { queue, put, committed } = opened
    const kept = await run(opened, async () => {
      const names: string[] = []
      for (let i = 0; i < 100; i++) {
        const name = `w${i}`
        await queue
          .attempt(async () => {
            put(name)
            if (i % 3 === 0) put("w1")
            if (i % 7 === 0) throw new Error("no")
            names.push(name)
          })
          .catch(() => {})
      }
      return names
    })
    expect(kept).toHaveLength(Array.from({ length: 100 }, (_, i) => i).filter((i) => i % 3 && i % 7).length)
    expect(committed()).toEqual(around(...kept))
  })

  test("whose work fails in the end leaves nothing of it", async () => {
    const opened = openQueue()
    const { queue, put, committed } = opened
    const work = run(opened, async () => {
      put("a")
      await lost(queue, async () => put("b"))
      await queue.attempt(async () => put("c"))
      throw new Error("the end")
    })
    expect(await work.catch((error) => error.message)).toBe("the end")
    // A neighbour may still be on its way.
    await queue.enqueue(async () => {})
    expect(committed()).toEqual(around())
  })
})

describe.each(["alone", "among others"])("an insert that is put off, %s", (how) => {
  function openPending() {
    const opened = openQueue()
    const pending = createPendingWrites()
    const queue = createWriteQueue(opened.db, { pending })
    const insert = prepare(opened.db, "INSERT INTO t (name) VALUES (?)")
    const neighbour = () =>
      how === "alone" ? [] : [queue.enqueue(async () => pending.insert(insert, "neighbour"))]
    return { ...opened, queue, pending, putOff: (name: string) => pending.insert(insert, name), neighbour }
  }
  const and = (...names: string[]) => (how === "alone" ? names : [...names, "neighbour"]).toSorted()

  test("waits until the work is done or looks for it", async () => {
    const { queue, pending, putOff, committed, own, neighbour } = openPending()
    const work = queue.enqueue(async () => {
      putOff("a")
      pending.markPending(1)
      pending.flushFor(2)
      expect(own()).toEqual([])
      pending.flushFor(1)
      expect(own()).toEqual(["a"])
      putOff("b")
      pending.flushFor()
      expect(own()).toEqual(["a"])
    })
    await Promise.all([work, ...neighbour()])
    expect(committed().toSorted()).toEqual(and("a", "b"))
  })

  test("is undone with the attempt that put it off, and with no other", async () => {
    const { queue, putOff, committed, neighbour } = openPending()
    const work = queue.enqueue(async () => {
      await queue.attempt(async () => putOff("a"))
      await lost(queue, async () => putOff("lost"))
      putOff("b")
    })
    await Promise.all([work, ...neighbour()])
    expect(committed().toSorted()).toEqual(and("a", "b"))
  })

  test("and breaks a constraint fails its own work", async () => {
    const { queue, put, putOff, committed, neighbour } = openPending()
    await queue.enqueue(async () => put("taken"))
    const work = queue.enqueue(async () => {
      putOff("lost")
      putOff("taken")
    })
    const [failed, ...rest] = await Promise.allSettled([work, ...neighbour()])
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "SQLITE_CONSTRAINT_PRIMARYKEY" } })
    expect(rest.every(({ status }) => status === "fulfilled")).toBe(true)
    expect(committed().toSorted()).toEqual(and("taken"))
    await queue.enqueue(async () => putOff("next"))
    expect(committed().toSorted()).toEqual(and("next", "taken"))
  })
})

describe("a full disk", () => {
  /** No more than a few pages beyond what is there. */
  const fill = (db: Database, pages: number) => {
    const { page_count } = db.query<{ page_count: number }, []>("PRAGMA page_count").get()!
    db.run(`PRAGMA max_page_count = ${page_count + pages}`)
  }

  test.each([1, 5])(
    "with %p writes refuses with storage_full what was not saved, and goes on when there is room",
    async (writes) => {
      const { queue, put, committed, db } = openQueue()
      await queue.enqueue(async () => put("first"))
      fill(db, 20)
      const results = await Promise.allSettled(
        Array.from({ length: writes }, (_, i) =>
          queue.enqueue(async () => put(`w${i}`, i === writes - 1 ? 1_000_000 : 10)),
        ),
      )
      const saved = results.flatMap(({ status }, i) => (status === "fulfilled" ? `w${i}` : []))
      expect(committed()).toEqual(["first", ...saved])
      expect(results.at(-1)!.status).toBe("rejected")
      for (const result of results) {
        if (result.status === "rejected")
          expect(result.reason).toMatchObject({ kind: "storage_full", status: 507 })
      }
      expect(db.inTransaction).toBe(false)
      await queue.enqueue(async () => put("small"))
      db.run("PRAGMA max_page_count = 1000000")
      await queue.enqueue(async () => put("large", 1_000_000))
      expect(committed().slice(-2)).toEqual(["small", "large"])
    },
  )

  test.each(["alone", "among others"])("while a work is done again, %s, is told as such", async (how) => {
    const { queue, put, committed, db } = openQueue()
    fill(db, 20)
    let runs = 0
    const neighbour = how === "alone" ? [] : [queue.enqueue(async () => put("neighbour"))]
    const work = queue.enqueue(async () => {
      put("a")
      await lost(queue, async () => put("b"))
      if (++runs > 1) put("too large", 1_000_000)
    })
    const [failed, ...rest] = await Promise.allSettled([work, ...neighbour])
    expect(failed).toMatchObject({ status: "rejected", reason: { kind: "storage_full" } })
    expect(committed()).toEqual(rest.some(({ status }) => status === "fulfilled") ? ["neighbour"] : [])
    await queue.enqueue(async () => put("later"))
    expect(committed()).toContain("later")
  })
})

describe("another process that holds the file", () => {
  /** Takes the write lock in a process of its own; `release` lets it commit. */
  async function hold(file: string) {
    const program = `
      import { Database } from "bun:sqlite"
      const db = new Database(${JSON.stringify(file)})
      db.run("BEGIN IMMEDIATE")
      db.run("INSERT INTO t VALUES ('theirs', NULL)")
      process.stdout.write("held")
      for await (const _ of Bun.stdin.stream()) break
      db.run("COMMIT")
      db.close()`
    const child = Bun.spawn([process.execPath, "-e", program], { stdin: "pipe", stdout: "pipe" })
    await child.stdout.getReader().read()
    return async () => {
      child.stdin.write("go")
      child.stdin.end()
      await child.exited
    }
  }

  test("is waited for, and the event loop turns meanwhile", async () => {
    const { queue, put, committed, file } = openQueue()
    const release = await hold(file)
    const writes = [queue.enqueue(async () => put("a")), queue.enqueue(async () => put("b"))]
    let turns = 0
    let done = false
    const finished = Promise.all(writes).then(() => {
      done = true
    })
    // Long enough for several tries of 50 ms each.
    while (turns < 5) {
      await Bun.sleep(20)
      turns++
    }
    expect(done).toBe(false)
    await release()
    await finished
    expect(committed()).toEqual(["theirs", "a", "b"])
  })

  test("and does not let go: the writes are refused with 503 and can be tried again", () => {
    for (const code of ["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_BUSY_RECOVERY"]) {
      const error = asStorageError(Object.assign(new Error("database is locked"), { code }))
      expect(error).toMatchObject({ kind: "unavailable", status: 503, headers: { "Retry-After": "1" } })
    }
  })
})

describe("what a storage error is told as", () => {
  test("any other error is passed on as it is", () => {
    for (const error of [new Error("x"), new AppError("conflict", "y"), "text", undefined]) {
      expect(asStorageError(error)).toBe(error)
    }
    const constraint = Object.assign(new Error("UNIQUE"), { code: "SQLITE_CONSTRAINT_UNIQUE" })
    expect(asStorageError(constraint)).toBe(constraint)
  })

  test("no room for the index of the log is a full disk too", () => {
    const cause = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_SHMSIZE" })
    expect(asStorageError(cause)).toMatchObject({ kind: "storage_full", status: 507 })
  })

  test("keeps the cause for the log, not for clients", () => {
    const cause = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" })
    const error = asStorageError(cause) as AppError
    expect(error.cause).toBe(cause)
    expect(JSON.stringify(error.toRest())).not.toContain("database or disk")
  })
})

describe("close", () => {
  test("waits for what is queued and refuses what comes later", async () => {
    const { queue, put, committed } = openQueue()
    const writes = Array.from({ length: 300 }, (_, i) => queue.enqueue(async () => put(`w${i}`)))
    const closing = queue.close()
    const late = await queue.enqueue(async () => put("late")).catch((error) => error)
    expect(late).toMatchObject({ kind: "unavailable", status: 503 })
    await closing
    expect(committed()).toHaveLength(300)
    await Promise.all(writes)
  })

  test("of an idle queue is at once", async () => {
    const { queue } = openQueue()
    await queue.close()
    await queue.close()
  })
})

describe("a turn that is lent", () => {
  /** Writes by another connection, as another thread does. */
  const writeElsewhere = (file: string, name: string) => {
    using other = new Database(file, { readwrite: true })
    other.run("INSERT INTO t VALUES (?, NULL)", [name])
  }

  test("is between groups: what is queued meanwhile waits for its end", async () => {
    const { queue, put, committed, file } = openQueue()
    const held = Promise.withResolvers<void>()
    const writes = [queue.enqueue(async () => put("a"))]
    const lent = queue.lend(async () => {
      writes.push(queue.enqueue(async () => put("b")))
      await held.promise
      writeElsewhere(file, "lent")
      return 7
    })
    await writes[0]
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    expect(committed()).toEqual(["a"])
    held.resolve()
    expect(await lent).toBe(7)
    await Promise.all(writes)
    expect(committed()).toEqual(["a", "lent", "b"])
    expect(queue.stats.underWay()).toBe(0)
  })

  test("comes by turns with groups, however many ask for one", async () => {
    const { queue, put } = openQueue()
    const order: string[] = []
    async function borrow(times: number): Promise<void> {
      for (let i = 0; i < times; i++) await queue.lend(async () => void order.push("lent"))
    }
    async function write(times: number): Promise<void> {
      for (let i = 0; i < times; i++) {
        await queue.enqueue(async () => {
          put(`${i}`)
          order.push("group")
        })
      }
    }
    await Promise.all([borrow(3), write(3)])
    expect(order).toEqual(["lent", "group", "lent", "group", "lent", "group"])
  })

  test("that fails keeps nobody from writing, and says what the disk did", async () => {
    const { queue, put, committed } = openQueue()
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" })
    const lent = queue.lend(() => Promise.reject(full))
    await expect(lent).rejects.toMatchObject({ kind: "storage_full" })
    expect(queue.stats.failure()).toMatchObject({ kind: "storage_full" })
    await queue.enqueue(async () => put("a"))
    expect(committed()).toEqual(["a"])
    expect(queue.stats.failure()).toBeUndefined()
  })

  test("is waited for when the queue closes, and refused after", async () => {
    const { queue } = openQueue()
    const held = Promise.withResolvers<void>()
    let isOver = false
    const lent = queue.lend(async () => {
      await held.promise
      isOver = true
    })
    const closed = queue.close()
    await expect(queue.lend(async () => undefined)).rejects.toMatchObject({ kind: "unavailable" })
    expect(isOver).toBe(false)
    held.resolve()
    await closed
    expect(isOver).toBe(true)
    await lent
  })
})
