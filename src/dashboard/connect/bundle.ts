// A bundle for desktop clients (.mcpb): a ZIP of a manifest and of a program that passes messages on to this service.
import { t } from "../core/text.ts"
import { BRIDGE } from "./bridge.ts"

/** The bundle, with the address and, where it is known, the key filled in. */
export function bundleOf({ mcp, key }: { mcp: string; key: string }): Blob {
  return zipOf([
    ["manifest.json", JSON.stringify(manifestOf(mcp, key), null, 2)],
    ["server/index.cjs", BRIDGE],
  ])
}

/** By version 0.3 of the format; clients put their own values into `user_config`. */
function manifestOf(mcp: string, key: string) {
  const filledIn = (name: string) => `\${${name}}`
  return {
    manifest_version: "0.3",
    name: "leaddb",
    display_name: "leaddb",
    version: "2.0.0",
    description: t("The leads of your leaddb service"),
    author: { name: "leaddb" },
    server: {
      type: "node",
      entry_point: "server/index.cjs",
      mcp_config: {
        command: "node",
        args: [`${filledIn("__dirname")}/server/index.cjs`],
        env: {
          LEADDB_MCP_URL: filledIn("user_config.url"),
          LEADDB_API_KEY: filledIn("user_config.api_key"),
        },
      },
    },
    user_config: {
      url: {
        type: "string",
        title: t("Address"),
        description: t("The MCP address of leaddb"),
        default: mcp,
        required: true,
      },
      api_key: {
        type: "string",
        title: t("API key"),
        description: t("Created in leaddb under Connect or Keys"),
        ...(key !== "" && { default: key }),
        required: true,
        sensitive: true,
      },
    },
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=18" } },
  }
}

const CRC = Array.from({ length: 256 }, (_, n) => {
  let crc = n
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
  return crc >>> 0
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = CRC[(crc ^ byte) & 255]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** Numbers, lowest byte first; `sizes` has the bytes of each. */
const packed = (sizes: string, ...values: number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    values.flatMap((value, i) =>
      Array.from({ length: Number(sizes[i]) }, (_, at) => (value >>> (8 * at)) & 255),
    ),
  )

/** The first day that the format knows, 1980-01-01: equal texts make equal archives. */
const DATE = 33
const UTF8 = 0x800

/** A ZIP archive of a few small texts, uncompressed. */
function zipOf(files: readonly (readonly [name: string, text: string])[]): Blob {
  const encoder = new TextEncoder()
  const [all, directory]: [Uint8Array<ArrayBuffer>[], Uint8Array<ArrayBuffer>[]] = [[], []]
  const sizeOf = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0)
  for (const [file, text] of files) {
    const [name, body] = [encoder.encode(file), encoder.encode(text)]
    const { length } = body
    const common = packed("2222244422", 20, UTF8, 0, 0, DATE, crc32(body), length, length, name.length, 0)
    directory.push(packed("42", 0x02014b50, 20), common, packed("22244", 0, 0, 0, 0, sizeOf(all)), name)
    all.push(packed("4", 0x04034b50), common, name, body)
  }
  const { length } = files
  const end = packed("42222442", 0x06054b50, 0, 0, length, length, sizeOf(directory), sizeOf(all), 0)
  return new Blob([...all, ...directory, end])
}
