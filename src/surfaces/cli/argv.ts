import { parseArgs } from "node:util"
import { badRequest } from "../../runtime/errors.ts"
import { flagOf, type Given, type Option, type Options } from "./config.ts"

/** A command line, taken apart but not yet judged. */
export interface CommandLine {
  /** Words that are not flags, in order. */
  words: string[]
  /** Whether a flag comes before them: the first word may then be the value of a mistyped one. */
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
 * Takes a command line apart. `all` are the options of every command, which tell what takes a value. Throws
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
  // A value that begins with a dash is more likely a forgotten one; --flag=-x still says it.
  if (value === undefined || (!inlineValue && /^-./.test(value))) {
    throw badRequest(`${rawName} needs a value: ${rawName} ${option.value}`)
  }
  return value
}
