#!/bin/sh
# bun 1.4.5: `expect(received).toMatchObject(expected)` writes the asymmetric matchers of `expected` into `received`. After
# `toMatchObject({ id: expect.stringMatching(/^pl_/) })` the id is an object and no longer the text.
# Whoever sends on what a test has just looked at sends `{}`. Exits with 1 when that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent bun@1.4.5
cat > look.test.ts <<'TS'
import { expect, test } from "bun:test"

test("the received object is changed", () => {
  const received = { id: "pl_1" }
  expect(received).toMatchObject({ id: expect.stringMatching(/^pl_/) })
  console.log(JSON.stringify(received))
  expect(typeof received.id).toBe("object")
})
TS
node_modules/.bin/bun test
