import type * as v from "valibot"
import { badRequest } from "../../runtime/errors.ts"
import { type Command, command, findCommand } from "./command.ts"
import { flagOf, type Option } from "./config.ts"

// A shell's script asks the program itself: `leaddb completions SHELL -- WORD...` with the words up to the one that is typed.

const ASK = "leaddb completions"

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# leaddb completions for bash. In ~/.bashrc: source <(leaddb completions bash)
# bash 3.2, which macOS has, needs: eval "$(leaddb completions bash)"
_leaddb() {
  local word
  COMPREPLY=()
  # Paths are left to bash itself, which completes them when nothing else fits.
  while IFS=$'\\t' read -r word _; do
    [[ $word == :* ]] || COMPREPLY+=("\${word%=}")
  done < <(${ASK} bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _leaddb leaddb
`,
  zsh: `#compdef leaddb
# leaddb completions for zsh. In ~/.zshrc, behind compinit: source <(leaddb completions zsh)
_leaddb() {
  local line
  local -a open closed
  for line in "\${(@f)$(${ASK} zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :file) compset -P '--*='; _files; return ;;
      :folder) compset -P '--*='; _files -/; return ;;
      *=$'\\t'*) open+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
      ?*) closed+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done
  _describe leaddb open -S '' -- closed
}
if [[ "$funcstack[1]" == _leaddb ]]; then _leaddb "$@"; else compdef _leaddb leaddb; fi
`,
  fish: `# leaddb completions for fish: leaddb completions fish > ~/.config/fish/completions/leaddb.fish
function __leaddb_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    for line in (${ASK} fish -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :file
                printf "$flag%s\\n" (__fish_complete_path (string replace -- "$flag" '' "$current"))
            case :folder
                printf "$flag%s\\n" (__fish_complete_directories (string replace -- "$flag" '' "$current"))
            case '*'
                string replace -r '=\\t' '\\t' -- $line
        end
    end
end
complete -c leaddb -f -a '(__leaddb_words)'
`,
}

const SHELLS: readonly string[] = Object.keys(SCRIPTS)

/** The value behind a flag or a command: one of a few words, a path, anything, or nothing. */
type Reply = readonly string[] | "file" | "folder" | "text" | "nothing"

/** A word that may come next, with what it is about. */
type Word = readonly [word: string, about: string]

/**
 * What the last of the words typed behind `leaddb` may become: words that begin with it, a flag that takes a value with an `=`
 * behind it; or that it is the path of a `:file` or a `:folder`.
 */
export function completed(all: readonly Command[], typed: readonly string[]): readonly Word[] {
  // bash takes --flag=value for three words.
  const words = typed.filter((word, i) => word !== "=" || i === typed.length - 1)
  const current = words.at(-1) === "=" ? "" : (words.at(-1) ?? "")
  const said: string[] = []
  let asks: Reply = "nothing"
  for (const word of words.slice(0, -1)) {
    if (asks !== "nothing") asks = "nothing"
    else if (word.startsWith("-")) asks = word.includes("=") ? "nothing" : replyTo(all, word)
    else said.push(word)
  }
  const commandSaid = findCommand(all, said)
  const [flag, value] = /^(--[^=]+=)(.*)$/s.exec(current)?.slice(1) ?? []
  if (flag !== undefined) return answers(replyTo(all, flag.slice(0, -1)), value!, flag)
  if (asks !== "nothing") return answers(asks, current)
  if (current.startsWith("-")) return beginning(flagsOf(commandSaid ?? all[0]!), current)
  const more = beginning(nextWords(all, said), current)
  return more.length > 0 || said.length === 0 || !commandSaid
    ? more
    : answers(argumentOf(commandSaid), current)
}

function answers(reply: Reply, typed: string, before = ""): readonly Word[] {
  if (reply === "file" || reply === "folder") return [[`:${reply}`, ""]]
  if (typeof reply === "string") return []
  return beginning(
    reply.map((word) => [before + word, ""]),
    before + typed,
  )
}

function beginning(words: readonly Word[], typed: string): readonly Word[] {
  return words.filter(([word]) => word.startsWith(typed))
}

/** The next words of commands; a word that several commands share is described by their second words. */
function nextWords(all: readonly Command[], said: readonly string[]): Word[] {
  const begun = all.filter(({ name }) => `${name} `.startsWith([...said, ""].join(" ")))
  const next = Map.groupBy(begun, ({ name }) => name.split(" ")[said.length] ?? "")
  next.delete("")
  return [...next].map(([word, group]) => {
    const seconds = group.flatMap(({ name }) => name.split(" ").slice(said.length + 1))
    return [word, seconds.join(", ") || group[0]!.about]
  })
}

function flagsOf({ options }: Command): Word[] {
  const flags = Object.entries(options).filter(([, option]) => !option.secret)
  return [
    ...flags.map(([key, option]): Word => [`${flagOf(key)}${option.value ? "=" : ""}`, option.about]),
    ["--help", "what it does and takes"],
  ]
}

function argumentOf({ argument }: Command): Reply {
  return argument ? (argument.values ?? (/FILE/.test(argument.name) ? "file" : "text")) : "nothing"
}

/** The value that a flag takes, which is the same in every command. */
function replyTo(all: readonly Command[], flag: string): Reply {
  const option = all.flatMap(({ options }) => Object.entries(options)).find(([key]) => flagOf(key) === flag)
  return option && !option[1].secret ? replyOf(option[1]) : "nothing"
}

function replyOf({ value, schema }: Option): Reply {
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
    const choices = choicesOf(part)
    if (choices) return choices
  }
  return undefined
}

/** The command that completes the commands of `all`. */
export function completionsOf(all: () => readonly Command[]): Command {
  return command({
    name: "completions",
    about: "Print a script that completes commands and options in bash, zsh or fish",
    argument: { name: "SHELL", about: SHELLS.join(", "), values: SHELLS, many: true },
    options: {},
    examples: [
      "source <(leaddb completions bash)                                          # in ~/.bashrc",
      "source <(leaddb completions zsh)                       # in ~/.zshrc, behind compinit",
      "leaddb completions fish > ~/.config/fish/completions/leaddb.fish           # once",
    ],
    async run(_, [shell = "", ...typed], io) {
      const script = SCRIPTS[shell]
      if (!script) throw badRequest(`SHELL must be one of ${SHELLS.join(", ")}, not "${shell}"`)
      io.out(typed.length === 0 ? script : linesOf(completed(all(), typed)))
      return 0
    },
  })
}

function linesOf(words: readonly Word[]): string {
  return words.map(([word, about]) => `${about === "" ? word : `${word}\t${about}`}\n`).join("")
}
