import { description, version } from "../../../package.json"
import { type Command, columns } from "./command.ts"
import { flagOf, isRequired, type Option } from "./config.ts"

/** `leaddb 1.2.3`. */
export const VERSION = `leaddb ${version}`

/** The help of the whole program; its first command is the one that runs when none is named. */
export function programHelp(commands: readonly Command[]): string {
  const [main] = commands
  return [
    `${VERSION}: ${description}\n`,
    "\nUsage: leaddb [COMMAND] [OPTIONS]\n",
    `\nCommands:\n${list(commands)}`,
    `\nOptions of ${main?.name}; a flag wins over its environment variable:\n${options(main)}`,
    "\nExamples:\n",
    "  leaddb                                             start with everything in ./data\n",
    "  leaddb serve --data /var/lib/leaddb --port 9000    start with other settings\n",
    '  leaddb keys create --name "CRM" --role editor      one more API key\n',
    '\n"leaddb help COMMAND" says more about one command.\n',
  ].join("")
}

/** The help of the commands that begin with the same word, such as `accounts`. */
export function groupHelp(group: string, commands: readonly Command[]): string {
  return `Usage: leaddb ${group} COMMAND [OPTIONS]\n\nCommands:\n${list(commands)}\n"leaddb help ${group} COMMAND" says more about one.\n`
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { about, argument, examples } = command
  const parts = [`${about}.\n\nUsage: leaddb ${usage(command)} [OPTIONS]\n`]
  if (argument) parts.push(`\n${columns([[argument.name, argument.about]], "  ")}`)
  parts.push(`\nOptions:\n${options(command)}`)
  if (examples) parts.push(`\nExample:\n${examples.map((example) => `  ${example}\n`).join("")}`)
  return parts.join("")
}

/** The usage line: `keys revoke --key ID`. */
function usage({ name, argument, options }: Command): string {
  const required = Object.entries(options).filter(([, option]) => isRequired(option))
  return [
    name,
    ...(argument ? [argument.name] : []),
    ...required.map(([key, option]) => flagAndValue(key, option)),
  ].join(" ")
}

function list(commands: readonly Command[]): string {
  const rows = commands.map(({ name, argument, about }) => [
    argument ? `${name} ${argument.name}` : name,
    about,
  ])
  return columns(rows, "  ")
}

function options(command: Command | undefined): string {
  const options = Object.entries(command?.options ?? {})
  const rows = options.map(([key, option]) => [flagAndValue(key, option), `${option.about}${notes(option)}`])
  return columns([...rows, ["-h, --help", "this text"], ["-v, --version", "the version"]], "  ")
}

function flagAndValue(key: string, option: Option): string {
  if (option.secret) return `${option.env}`
  return option.value ? `${flagOf(key)} ${option.value}` : flagOf(key)
}

function notes(option: Option): string {
  const env = option.secret ? "environment only" : option.env
  const notes = [option.default && `default ${option.default}`, env].filter(Boolean)
  return notes.length > 0 ? ` (${notes.join("; ")})` : ""
}
