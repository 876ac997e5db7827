import { type Completable, type Completion, firstWords, subcommandsOf, valued } from "./completion-words.ts"

/** Completions for fish: to be kept as `completions/leaddb.fish`. */
export function fish(all: readonly Completable[]): string {
  return `# leaddb completions for fish: leaddb completions fish > ~/.config/fish/completions/leaddb.fish
function __leaddb_command
    set -l words (commandline -opc)
    set -l command
    set -l skip 0
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${valued(all).join(" ")}
                set skip 1
            case '-*'
            case '*'
                set -a command $word
        end
    end
    string join ' ' -- $command
end
function __leaddb_after
    set -l command (__leaddb_command)
    test "$command" = "$argv[1]"
end
# Also behind the words that a command takes.
function __leaddb_is
    set -l command (__leaddb_command)
    for one in $argv
        test "$command" = "$one"; and return 0
        test -n "$one"; and string match -q -- "$one *" "$command"; and return 0
    end
    return 1
end
complete -c leaddb -f
${words("", firstWords(all))}
${[...subcommandsOf(all)].map(([first, group]) => words(first, seconds(group))).join("\n")}
${all.map((one) => options(one, one === all[0])).join("\n")}
`
}

function seconds(group: readonly Completable[]): [string, string][] {
  return group.map(({ name, about }) => [name.split(" ")[1]!, about])
}

/** Completes the commands that may follow these words. */
function words(after: string, next: readonly (readonly [string, string])[]): string {
  return next
    .map(([word, about]) => `complete -c leaddb -n '__leaddb_after "${after}"' -a ${word} -d ${text(about)}`)
    .join("\n")
}

function options({ name, flags, argument }: Completable, isDefault: boolean): string {
  const when = `-n ${text(`__leaddb_is "${name}"${isDefault ? ' ""' : ""}`)}`
  const lines = flags.map(
    (flag) =>
      `complete -c leaddb ${when} -l ${flag.name.slice(2)}${taking(flag.reply)} -d ${text(flag.about)}`,
  )
  if (argument !== "nothing") lines.push(`complete -c leaddb ${when}${taking(argument).replace("-x ", "")}`)
  return lines.join("\n")
}

function taking(reply: Completion): string {
  if (reply === "nothing") return ""
  if (reply === "file") return " -r -F"
  if (reply === "folder") return " -x -a '(__fish_complete_directories)'"
  return typeof reply === "string" ? " -x" : ` -x -a '${reply.join(" ")}'`
}

/** A text in single quotes, as fish reads it. */
function text(plain: string): string {
  return `'${plain.replace(/[\\']/g, "\\$&")}'`
}
