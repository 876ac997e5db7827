import { badRequest } from "../../runtime/errors.ts"
import { type Command, command } from "./command.ts"
import { bash } from "./complete-bash.ts"
import { fish } from "./complete-fish.ts"
import { zsh } from "./complete-zsh.ts"
import { type Completable, completable } from "./completion-words.ts"

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
