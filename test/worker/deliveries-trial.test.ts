import { expect, test } from "bun:test"
import { join } from "node:path"
import { runTrial } from "../../scripts/webhook-trial/trial.ts"

test("twenty receivers of every kind, and kill -9 meanwhile: all that should arrive arrives", async () => {
  const { kinds, kills, forged, sound } = await runTrial({
    program: [process.execPath, join(import.meta.dir, "../../src/main.ts")],
    events: 400,
    inFlight: 8,
    killEvery: 300,
    kills: 2,
    hurryEvery: 200,
    patience: 30_000,
  })
  expect({ kills: kills >= 2, forged, sound }).toEqual({ kills: true, forged: 0, sound: true })
  for (const { kind, arrived, due, events } of kinds) {
    expect([kind, arrived >= due && arrived <= events]).toEqual([kind, true])
  }
}, 60_000)
