import { type Completable, type Completion, firstWords, subcommandsOf, valued } from "./completion-words.ts"

/** Completions for bash 3.2 and newer. Paths are left to bash itself, which completes them when nothing else fits. */
export function bash(all: readonly Completable[]): string {
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
