// The table of completions, made from the commands; each shell's script is written from it.
import type * as v from "valibot"
import type { Command } from "./command.ts"
import { flagOf, type Option } from "./config.ts"

/** The value behind a flag or a command: one of a few words, a path, anything, or nothing. */
export type Completion = readonly string[] | "file" | "folder" | "text" | "nothing"

export interface Flag {
  /** As typed: `--mcp-port`. */
  name: string
  about: string
  reply: Completion
}

export interface Completable {
  /** As typed: `accounts create`. */
  name: string
  about: string
  flags: readonly Flag[]
  argument: Completion
}

/** Reads a command of the table. */
export function completable({ name, about, argument, options }: Command): Completable {
  const own = Object.entries(options).filter(([, option]) => !option.secret)
  return {
    name,
    about,
    flags: [
      ...own.map(([key, option]) => ({ name: flagOf(key), about: option.about, reply: replyTo(option) })),
      { name: "--help", about: "what it does and takes", reply: "nothing" },
    ],
    argument: argument ? (argument.values ?? (/FILE/.test(argument.name) ? "file" : "text")) : "nothing",
  }
}

function replyTo({ value, schema }: Option): Completion {
  if (value === undefined) return "nothing"
  if (value === "FOLDER") return "folder"
  if (value === "FILE") return "file"
  return choicesOf(schema) ?? "text"
}

/** The words that a schema allows, when it names them. */
function choicesOf(schema: v.GenericSchema): readonly string[] | undefined {
  const { type, options, wrapped, pipe } = schema as unknown as {
    type: string
    options?: readonly string[]
    wrapped?: v.GenericSchema
    pipe?: readonly v.GenericSchema[]
  }
  if (type === "picklist") return options
  for (const part of [...(pipe ?? []), ...(wrapped ? [wrapped] : [])]) {
    const found = choicesOf(part)
    if (found) return found
  }
  return undefined
}

/** The first words of two-word commands, with their second words. */
export function subcommandsOf(all: readonly Completable[]): Map<string, Completable[]> {
  const groups = new Map<string, Completable[]>()
  for (const one of all) {
    const [first, second] = one.name.split(" ")
    if (second !== undefined) groups.set(first!, [...(groups.get(first!) ?? []), one])
  }
  return groups
}

/** First words with what they are about. */
export function firstWords(all: readonly Completable[]): [word: string, about: string][] {
  const groups = subcommandsOf(all)
  const words = new Map<string, string>()
  for (const { name, about } of all) {
    const first = name.split(" ")[0]!
    const group = groups.get(first)
    words.set(first, group ? `${group.map((one) => one.name.split(" ")[1]).join(", ")}` : about)
  }
  return [...words]
}

/** Every flag that takes a value: what follows it is not a command. */
export function valued(all: readonly Completable[]): string[] {
  const flags = all.flatMap(({ flags }) => flags.filter(({ reply }) => reply !== "nothing"))
  return [...new Set(flags.map(({ name }) => name))]
}

/** A text in single quotes, as bash and zsh read it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
