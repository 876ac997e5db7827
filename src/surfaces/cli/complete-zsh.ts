import {
  type Completable,
  type Completion,
  type Flag,
  firstWords,
  shellQuoted,
  subcommandsOf,
} from "./completion-words.ts"

/** Completions for zsh: to be sourced behind compinit, or kept as `_leaddb` in a folder of $fpath. */
export function zsh(all: readonly Completable[]): string {
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
