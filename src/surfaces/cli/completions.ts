import { badRequest } from "../../runtime/errors.ts"
import { type Command, command } from "./command.ts"
import { fish } from "./complete-fish.ts"
import {
  type Completable,
  type Completion,
  completable,
  type Flag,
  firstWords,
  shellQuoted,
  subcommandsOf,
  valued,
} from "./completion-words.ts"

/** Completions for zsh: to be sourced behind compinit, or kept as `_leaddb` in a folder of $fpath. */
function zsh(all: readonly Completable[]): string {
  return `#compdef leaddb
# leaddb completions for zsh. In ~/.zshrc, behind compinit: source <(leaddb completions zsh)
_leaddb() {
  local command="\${words[2]}"
  if (( CURRENT == 2 )) && [[ $command != -* ]]; then
    local -a commands=(
${described(firstWords(all), 6)}
    )
    _describe -t commands command commands
    return
  fi
  case $command in
    -*) command=${all[0]?.name} ;;
${groups(all)}
    *) shift words; (( CURRENT-- )) ;;
  esac
  case $command in
${all.map(specs).join("\n")}
  esac
}
if [[ "$funcstack[1]" == _leaddb ]]; then _leaddb "$@"; else compdef _leaddb leaddb; fi
`
}

function described(words: readonly (readonly [string, string])[], indent: number): string {
  return words
    .map(([word, about]) => `${" ".repeat(indent)}${shellQuoted(`${word}:${about.replaceAll(":", "\\:")}`)}`)
    .join("\n")
}

function groups(all: readonly Completable[]): string {
  return [...subcommandsOf(all)]
    .map(([first, group]) => {
      const words = group.map(({ name, about }) => [name.split(" ")[1]!, about] as const)
      return `    ${first})
      if (( CURRENT == 3 )); then
        local -a commands=(
${described(words, 10)}
        )
        _describe -t commands command commands
        return
      fi
      command="$command \${words[3]}"
      shift 2 words; (( CURRENT -= 2 )) ;;`
    })
    .join("\n")
}

/** One `_arguments` call: its specifications are `--flag=[about]:name:values` and `:name:values`. */
function specs({ name, flags, argument }: Completable): string {
  const parts = flags.map(flagSpec)
  if (argument !== "nothing") parts.push(shellQuoted(`:argument:${action(argument)}`))
  return `    ${shellQuoted(name)}) _arguments -S ${parts.join(" ")} ;;`
}

function flagSpec({ name, about, reply }: Flag): string {
  const text = `[${about.replace(/[[\]:]/g, "\\$&")}]`
  return shellQuoted(
    reply === "nothing" ? `${name}${text}` : `${name}=${text}:${name.slice(2)}:${action(reply)}`,
  )
}

function action(reply: Completion): string {
  if (reply === "folder") return "_files -/"
  if (reply === "file") return "_files"
  // A single space would do for a flag, but where an argument may stand it keeps zsh from completing flags.
  return typeof reply === "string" ? "_message argument" : `(${reply.join(" ")})`
}

/** Completions for bash 3.2 and newer. Paths are left to bash itself, which completes them when nothing else fits. */
function bash(all: readonly Completable[]): string {
  return `# leaddb completions for bash. In ~/.bashrc: source <(leaddb completions bash)
# bash 3.2, which macOS has, needs: eval "$(leaddb completions bash)"
_leaddb() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command= word i
  COMPREPLY=()
  # bash takes --flag=value for three words.
  if [[ $cur == "=" ]]; then cur=
  elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      ${valued(all).join("|")})
        [[ "\${COMP_WORDS[i+1]}" == "=" ]] && ((i++))
        ((i++)) ;;
      -*|=) ;;
      *) command="\${command:+$command }$word" ;;
    esac
  done
  case "$prev" in
${replies(all)}
  esac
  if [[ $cur == -* ]]; then
    case "$command" in
${flags(all)}
    esac
    return
  fi
  case "$command" in
    '') COMPREPLY=($(compgen -W "${firstWords(all)
      .map(([word]) => word)
      .join(" ")}" -- "$cur")) ;;
${seconds(all)}
${argumentsOf(all)}
  esac
}
complete -o bashdefault -o default -F _leaddb leaddb
`
}

function offer(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$cur"))`
}

/** No flag stands where a value belongs. A path is bash's own answer to an empty list. */
function answer(reply: Completion): string {
  return typeof reply === "string" ? "return" : `${offer(reply)}; return`
}

/** The flags that take a value: the same flag takes the same of each command. */
function replies(all: readonly Completable[]): string {
  const lines = new Map<string, Set<string>>()
  for (const { name, reply } of all.flatMap(({ flags }) => flags)) {
    if (reply === "nothing") continue
    const line = answer(reply)
    lines.set(line, (lines.get(line) ?? new Set()).add(name))
  }
  return [...lines].map(([line, names]) => `    ${[...names].join("|")}) ${line} ;;`).join("\n")
}

function flags(all: readonly Completable[]): string {
  return all
    .map(({ name, flags }) => {
      const names = name === all[0]?.name ? `''|"${name}"` : `"${name}"*`
      return `      ${names}) ${offer(flags.map((flag) => flag.name))} ;;`
    })
    .join("\n")
}

function seconds(all: readonly Completable[]): string {
  return [...subcommandsOf(all)]
    .map(([first, group]) => `    "${first}") ${offer(group.map(({ name }) => name.split(" ")[1]!))} ;;`)
    .join("\n")
}

function argumentsOf(all: readonly Completable[]): string {
  return all
    .filter(({ argument }) => typeof argument !== "string")
    .map(({ name, argument }) => `    "${name}") ${offer(argument as readonly string[])} ;;`)
    .join("\n")
}

const SCRIPTS: Readonly<Record<string, (all: readonly Completable[]) => string>> = { bash, zsh, fish }

/** The shells that there is a script for. */
const SHELLS: readonly string[] = Object.keys(SCRIPTS)

/** The command that prints completions for what `all` gives, itself included. */
export function completionsOf(all: () => readonly Command[]): Command {
  return command({
    name: "completions",
    about: "Print a script that completes commands and options in bash, zsh or fish",
    argument: { name: "SHELL", about: SHELLS.join(", "), values: SHELLS },
    options: {},
    examples: [
      "source <(leaddb completions bash)                                          # in ~/.bashrc",
      "source <(leaddb completions zsh)                       # in ~/.zshrc, behind compinit",
      "leaddb completions fish > ~/.config/fish/completions/leaddb.fish           # once",
    ],
    async run(io, _, [shell = ""]) {
      const script = SCRIPTS[shell]
      if (!script) throw badRequest(`SHELL must be one of ${SHELLS.join(", ")}, not "${shell}"`)
      io.out(script(all().map(completable)))
      return 0
    },
  })
}
