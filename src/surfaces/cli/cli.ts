import { parseArgs } from "node:util"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { closest } from "../../text/text.ts"
import { accountCommands } from "./accounts.ts"
import { backup, restore } from "./backup.ts"
import { check } from "./check.ts"
import { type Command, command, findCommand, type Io } from "./command.ts"
import { compact } from "./compact.ts"
import { completionsOf } from "./completions.ts"
import { flagOf, type Given, OPTIONS, type Option, type Options, readOptions } from "./config.ts"
import { duplicatesCommands } from "./duplicates.ts"
import { exportCommand } from "./export.ts"
import { health } from "./health.ts"
import { commandHelp, groupHelp, programHelp, VERSION } from "./help.ts"
import { importCommand } from "./import.ts"
import { importsCommands } from "./imports.ts"
import { keyCommands } from "./keys.ts"
import { log } from "./log.ts"
import { login, open } from "./login.ts"
import { mcp } from "./mcp.ts"
import { moveCommand } from "./move.ts"
import { secretsCommands } from "./secrets.ts"
import { serve } from "./serve.ts"
import { tailWebhooks } from "./webhooks.ts"

/** Every command but help and version, in the order that help shows. */
export const commands: readonly Command[] = [
  serve,
  mcp,
  ...accountCommands,
  ...keyCommands,
  open,
  login,
  log,
  tailWebhooks,
  importCommand,
  ...importsCommands,
  exportCommand,
  ...duplicatesCommands,
  backup,
  restore,
  moveCommand,
  check,
  ...secretsCommands,
  compact,
  health,
]

/** A parsed command line, not yet validated. */
interface CommandLine {
  /** Words that are not flags, in order. */
  words: string[]
  /** Whether a flag comes first: the first word may then be the value of a mistyped flag. */
  flagsFirst: boolean
  /** Flags by option key. */
  given: Given
  /** Flags that no command has, as typed. */
  unknown: string[]
  help: boolean
  version: boolean
}

/** The flags that every command takes. */
const COMMON: Readonly<Record<string, "help" | "version">> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
}

/**
 * Parses a command line. `all` are the options of every command: they say which flags take a value. Throws
 * `bad_request` for missing values and repeated flags.
 */
export function parseArgv(argv: readonly string[], all: Options): CommandLine {
  const keys = new Map(Object.keys(all).map((key) => [flagOf(key), key]))
  const flagsFirst = argv[0]?.startsWith("-") ?? false
  const line = { words: [] as string[], unknown: [] as string[], flagsFirst, help: false, version: false }
  const given: Record<string, string> = {}
  for (const token of tokensOf(argv, all)) {
    if (token.kind === "positional") line.words.push(token.value)
    if (token.kind !== "option") continue
    const common = COMMON[token.rawName]
    const key = keys.get(token.rawName)
    if (common) line[common] = true
    else if (key === undefined) line.unknown.push(token.rawName)
    else if (!(key in given)) given[key] = textOf(token, all[key]!)
    else if (all[key]!.many) given[key] += `\0${textOf(token, all[key]!)}`
    else throw badRequest(`${token.rawName} was given twice`)
  }
  return { ...line, given }
}

function tokensOf(argv: readonly string[], all: Options) {
  const types = Object.entries(all).map(([key, option]) => {
    return [flagOf(key).slice(2), { type: option.value ? "string" : "boolean" } as const] as const
  })
  const options = Object.fromEntries(types)
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

interface FlagToken {
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

function textOf({ rawName, value, inlineValue }: FlagToken, option: Option): string {
  if (option.secret) throw badRequest(`${rawName} is a secret: set it as ${option.env} instead`)
  if (!option.value) {
    if (value !== undefined) throw badRequest(`${rawName} takes no value`)
    return "1"
  }
  // A value that begins with a dash is more likely the next flag; --flag=-x passes such a value.
  if (value === undefined || (!inlineValue && /^-./.test(value))) {
    throw badRequest(`${rawName} needs a value: ${rawName} ${option.value}`)
  }
  return value
}

const FOLDER_TROUBLE = [
  "EACCES",
  "EPERM",
  "EROFS",
  "EEXIST",
  "ENOTDIR",
  "ENOSPC",
  "SQLITE_CANTOPEN",
  "SQLITE_READONLY",
  "SQLITE_READONLY_DIRECTORY",
]

/** The exit code for an error: 2 for wrong usage, 1 for everything else. */
function exitCode(thrown: unknown): 1 | 2 {
  return thrown instanceof AppError && thrown.kind === "bad_request" ? 2 : 1
}

/** Describes an error for a person. Only a defect of leaddb itself comes with its stack. */
function explain(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  if (thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError) {
    return `unexpected error, a defect of leaddb\n${thrown.stack ?? thrown.message}`
  }
  const codes = [codeOf(thrown), codeOf(thrown.cause)]
  if (!codes.some((code) => FOLDER_TROUBLE.includes(code))) return thrown.message
  return `${thrown.message}; check the folder and its permissions, or choose another with --data or ${OPTIONS.data.env}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : ""
}

declare const LEADDB_COMMIT: string

/** The commit that the executable was built from, `-dirty` if it had local changes; `source` when run from source. */
const COMMIT = typeof LEADDB_COMMIT === "string" ? LEADDB_COMMIT : "source"

const help = command({
  name: "help",
  about: "Show this text, or help for a command",
  argument: { name: "[COMMAND]", about: "such as accounts create", optional: true, many: true },
  options: {},
  async run(_, words, io) {
    io.out(helpFor(words))
    return 0
  },
})

const version = command({
  name: "version",
  about: "Show the version, with its commit and the schemas of a file and of PostgreSQL",
  options: {},
  async run(_, __, io) {
    const { schemaVersions } = await import("../../store/open.ts")
    const { file, postgres } = await schemaVersions()
    io.out(`${VERSION} (commit ${COMMIT}, schema ${file}/${postgres})\n`)
    return 0
  },
})

const ALL: readonly Command[] = [...commands, completionsOf(() => ALL), help, version]
const EVERY_OPTION: Options = Object.assign({}, ...ALL.map(({ options }) => options))

/** Runs a command line and answers with the exit code. Never throws: errors are printed to stderr. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  let about = "leaddb help"
  try {
    const line = parseArgv(argv, EVERY_OPTION)
    if (line.version) return await version.run({}, [], io)
    if (line.help) return await help.run({}, line.words, io)
    const command = line.words.length === 0 ? ALL[0]! : findCommand(ALL, line.words)
    if (command && line.words.length > 0) about = `leaddb help ${command.name}`
    return await runLine(command, line, io)
  } catch (thrown) {
    const code = exitCode(thrown)
    io.err(`leaddb: ${explain(thrown)}\n${code === 2 ? `Run "${about}" to see how it is used.\n` : ""}`)
    return code
  }
}

async function runLine(command: Command | undefined, line: CommandLine, io: Io): Promise<number> {
  // A word that is not a command may be the value of a mistyped flag: the message is about the flag.
  if (!command && line.unknown.length > 0 && line.flagsFirst) throw unknownFlag(line.unknown[0]!, ALL[0]!)
  if (!command) throw unknownCommand(line.words)
  const rest = line.words.slice(command.name.split(" ").length)
  const foreign = Object.keys(line.given).find((key) => !(key in command.options))
  const wrong = line.unknown[0] ?? (foreign && flagOf(foreign))
  if (wrong) throw unknownFlag(wrong, command)
  checkArgument(command, rest)
  return command.run(readOptions(command.options, line.given, io.env), rest, io)
}

/** The commands of two words that begin with this one. */
function groupOf(word: string | undefined): Command[] {
  return ALL.filter(({ name }) => name.startsWith(`${word} `))
}

function helpFor(words: readonly string[]): string {
  if (words.length === 0) return programHelp(ALL)
  const command = findCommand(ALL, words)
  if (command) return commandHelp(command)
  const group = groupOf(words[0])
  if (group.length === 0 || words.length > 1) throw unknownCommand(words)
  return groupHelp(words[0]!, group)
}

function unknownCommand([first = "", second]: readonly string[]): Error {
  const group = groupOf(first).map(({ name }) => name.slice(first.length + 1))
  if (group.length > 0 && second === undefined) {
    return badRequest(`${first} needs one more word: ${group.join(", ")}`)
  }
  const [what, names] = group.length > 0 ? [second ?? "", group] : [first, topLevel()]
  const near = closest(what, names)
  const of = group.length > 0 ? ` of ${first}` : ""
  return badRequest(
    `unknown command "${what}"${of}${near ? `; did you mean ${near}?` : ";"} Valid: ${names.join(", ")}`,
  )
}

function topLevel(): string[] {
  return [...new Set(ALL.map(({ name }) => name.split(" ")[0]!))]
}

function unknownFlag(flag: string, command: Command): Error {
  const shown = Object.entries(command.options).filter(([, option]) => !option.secret)
  const valid = [...shown.map(([key]) => flagOf(key)), "--help", "--version"]
  const near = closest(flag, valid)
  const hint = near ? `; did you mean ${near}?` : ";"
  return badRequest(`unknown option ${flag} of leaddb ${command.name}${hint} Valid: ${valid.join(", ")}`)
}

function checkArgument({ name, argument }: Command, rest: readonly string[]): void {
  const [extra] = argument ? rest.slice(1) : rest
  if (extra !== undefined && !argument?.many) throw badRequest(`unexpected "${extra}" after leaddb ${name}`)
  if (argument && !argument.optional && !rest[0]) {
    throw badRequest(`${argument.name} is required: leaddb ${name} ${argument.name}`)
  }
}
