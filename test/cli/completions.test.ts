import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { commands, runCli } from "../../src/surfaces/cli/cli.ts"
import { completed } from "../../src/surfaces/cli/completions.ts"
import { isMissing } from "../support/missing.ts"
import { PROGRAM } from "../support/service.ts"
import { ioOf } from "./io.ts"

const folder = mkdtempSync(join(tmpdir(), "leaddb-completions-"))
const script = (shell: string) => join(folder, `leaddb.${shell}`)

beforeAll(async () => {
  mkdirSync(join(folder, "leads of mine"))
  mkdirSync(join(folder, "bin"))
  // The scripts ask the program itself.
  const program = PROGRAM.map((part) => `"${part}"`).join(" ")
  writeFileSync(join(folder, "bin/leaddb"), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 })
  for (const shell of ["bash", "zsh", "fish"]) {
    const { io, said } = ioOf()
    expect(await runCli(["completions", shell], io)).toBe(0)
    await Bun.write(script(shell), said().out)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(...cmd: string[]): string {
  const { stdout, stderr } = Bun.spawnSync({
    cmd,
    cwd: folder,
    env: { ...process.env, HOME: folder, TERM: "dumb", PATH: `${folder}/bin:${process.env.PATH}` },
  })
  expect(stderr.toString()).toBe("")
  return stdout.toString()
}
const lines = (text: string) => text.split("\n").filter((line) => line !== "")

const isNoShell = (shell: string) =>
  isMissing(`completions in ${shell}`, Bun.which(shell), `there is no ${shell}: apt-get install -y ${shell}`)

describe("what can be completed", () => {
  const after = (...words: string[]) => completed(commands, words).map(([word]) => word)

  test("is read from the table, with the values that a setting names", () => {
    expect(after("serve", "--log", "")).toEqual(["json", "pretty", "off"])
    expect(after("--oauth=")).toEqual(["--oauth=on", "--oauth=off"])
    expect(after("serve", "--data", "")).toEqual([":folder"])
    expect(after("serve", "--data=x")).toEqual([":folder"])
    expect(after("import", "x")).toEqual([":file"])
    expect(after("serve", "--port", "")).toEqual([])
    expect(after("keys", "list", "")).toEqual([])
  })

  test("leaves out what has no flag", () => {
    expect(after("serve", "--proxy-s")).toEqual([])
  })
})

describe.skipIf(isNoShell("bash"))("bash", () => {
  /** Completes the last word; the words are split as bash splits them, at spaces and equals signs. */
  function complete(...words: string[]): string[] {
    const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`
    return lines(
      run("bash", "-c", `source ${script("bash")}; ${set}; _leaddb; printf '%s\n' "\${COMPREPLY[@]}"`),
    )
  }

  test("is registered", () => {
    expect(run("bash", "-c", `source ${script("bash")}; complete -p leaddb`)).toContain("-F _leaddb leaddb")
  })

  test.each<[string, string[], string[]]>([
    ["commands", ["leaddb", "c"], ["check", "compact", "completions"]],
    ["second words", ["leaddb", "keys", ""], ["create", "list", "revoke"]],
    ["flags without a command", ["leaddb", "--mcp"], ["--mcp-port", "--mcp-public-url"]],
    ["flags of the command", ["leaddb", "keys", "revoke", "--k"], ["--key"]],
    ["flags behind an argument", ["leaddb", "backup", "copy.db", "--f"], ["--force"]],
    ["values", ["leaddb", "serve", "--log", "p"], ["pretty"]],
    ["values behind an equals sign", ["leaddb", "serve", "--log", "=", "p"], ["pretty"]],
    ["values right behind the equals sign", ["leaddb", "--oauth", "="], ["on", "off"]],
    ["a command behind flags", ["leaddb", "--data", "keys", "accounts", "s"], ["set-plan", "set"]],
    ["a command behind flags with equals signs", ["leaddb", "--data", "=", "keys", "acc"], ["accounts"]],
    ["shells", ["leaddb", "completions", ""], ["bash", "zsh", "fish"]],
    ["nothing where a path belongs, which bash then completes", ["leaddb", "check", "--data", ""], []],
  ])("completes %s", (_, words, expected) => {
    expect(complete(...words)).toEqual(expected)
  })
})

describe.skipIf(isNoShell("fish"))("fish", () => {
  function complete(line: string): string[] {
    const out = run("fish", "--no-config", "-c", `source ${script("fish")}; complete -C '${line}'`)
    return lines(out).map((line) => line.split("\t")[0]!)
  }

  test.each<[string, string, string[]]>([
    ["commands", "leaddb c", ["check", "compact", "completions"]],
    ["second words", "leaddb keys ", ["create", "list", "revoke"]],
    ["flags without a command", "leaddb --mcp", ["--mcp-port", "--mcp-public-url"]],
    ["flags of the command", "leaddb keys revoke --k", ["--key"]],
    ["flags behind an argument", "leaddb backup copy.db --f", ["--force"]],
    ["values", "leaddb serve --log p", ["pretty"]],
    ["values behind an equals sign", "leaddb serve --log=p", ["--log=pretty"]],
    ["a command behind flags", "leaddb --data keys accounts s", ["set", "set-plan"]],
    ["shells", "leaddb completions ", ["bash", "fish", "zsh"]],
    ["folders", "leaddb check --data le", ["leads of mine/"]],
  ])("completes %s", (_, line, expected) => {
    expect(complete(line).toSorted()).toEqual(expected.toSorted())
  })
})

describe.skipIf(isNoShell("zsh"))("zsh", () => {
  /** Types lines into a real zsh on a pseudo-terminal, Tab behind each, and reads what became of them. */
  function complete(typed: readonly string[]): string[] {
    const steps = typed.map(
      (line) =>
        `zpty -w -n z $'\\C-u'${JSON.stringify(line)}$'\\t\\C-xs'; zpty -r z out $'*<<*>>*'; print -r -- "\${\${out##*<<}%%>>*}"`,
    )
    const setup = [
      "PS1= RPS1=; unsetopt beep; autoload -U compinit; compinit -D -u",
      `source ${script("zsh")}`,
      'show() { print -r -- "<<$BUFFER>>" }; zle -N show; bindkey "^Xs" show; print re""ady',
    ].join("; ")
    const driver = `zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z '${setup}'; zpty -r z out '*ready*'; ${steps.join("; ")}; zpty -d z`
    return lines(run("zsh", "-f", "-c", driver))
  }

  const CASES: readonly [typed: string, completed: string][] = [
    ["leaddb compl", "leaddb completions "],
    ["leaddb keys rev", "leaddb keys revoke "],
    ["leaddb --mcp-po", "leaddb --mcp-port="],
    ["leaddb keys revoke --k", "leaddb keys revoke --key="],
    ["leaddb serve --log p", "leaddb serve --log pretty "],
    ["leaddb serve --log=p", "leaddb serve --log=pretty "],
    ["leaddb completions f", "leaddb completions fish "],
    ["leaddb check --data le", "leaddb check --data leads\\ of\\ mine/"],
  ]
  test("completes commands, second words, flags, values and folders", () => {
    expect(complete(CASES.map(([typed]) => typed))).toEqual(CASES.map(([, completed]) => completed))
  })
})
