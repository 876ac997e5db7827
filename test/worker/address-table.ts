// What every address is, stated by hand from the IANA special-purpose registries, apart from the code under test.

/** What a rule says: reachable by anyone, by a service that may reach private ranges, if listed, or never. */
export type Verdict = "public" | "private" | "listed" | "never"

/** A range by its first and last address; its neighbours just outside, where they are judged differently. */
interface Range {
  first: string
  last: string
  is: Verdict
  below?: [string, Verdict]
  above?: [string, Verdict]
}

const range = (first: string, last: string, is: Verdict, more: Partial<Range> = {}): Range => {
  return { first, last, is, ...more }
}
const both = (below: string, above: string): Partial<Range> => {
  return { below: [below, "public"], above: [above, "public"] }
}

export const IPV4: Range[] = [
  range("0.0.0.0", "0.255.255.255", "listed", { above: ["1.0.0.0", "public"] }),
  range("10.0.0.0", "10.255.255.255", "private", both("9.255.255.255", "11.0.0.0")),
  range("100.64.0.0", "100.127.255.255", "listed", both("100.63.255.255", "100.128.0.0")),
  range("127.0.0.0", "127.255.255.255", "private", both("126.255.255.255", "128.0.0.0")),
  range("169.254.0.0", "169.254.255.255", "listed", both("169.253.255.255", "169.255.0.0")),
  range("172.16.0.0", "172.31.255.255", "private", both("172.15.255.255", "172.32.0.0")),
  range("192.0.0.0", "192.0.0.255", "listed", both("191.255.255.255", "192.0.1.0")),
  range("192.0.2.0", "192.0.2.255", "listed", both("192.0.1.255", "192.0.3.0")),
  range("192.88.99.0", "192.88.99.255", "listed", both("192.88.98.255", "192.88.100.0")),
  range("192.168.0.0", "192.168.255.255", "private", both("192.167.255.255", "192.169.0.0")),
  range("198.18.0.0", "198.19.255.255", "listed", both("198.17.255.255", "198.20.0.0")),
  range("198.51.100.0", "198.51.100.255", "listed", both("198.51.99.255", "198.51.101.0")),
  range("203.0.113.0", "203.0.113.255", "listed", both("203.0.112.255", "203.0.114.0")),
  range("224.0.0.0", "239.255.255.255", "listed", { below: ["223.255.255.255", "public"] }),
  range("240.0.0.0", "255.255.255.255", "listed"),
  range("169.254.169.254", "169.254.169.254", "never", {
    below: ["169.254.169.253", "listed"],
    above: ["169.254.169.255", "listed"],
  }),
  range("169.254.170.2", "169.254.170.2", "never"),
  range("168.63.129.16", "168.63.129.16", "never", both("168.63.129.15", "168.63.129.17")),
  range("100.100.100.200", "100.100.100.200", "never"),
  range("192.0.0.192", "192.0.0.192", "never"),
  range("8.8.8.8", "8.8.8.8", "public"),
]

const ONES = "ffff:ffff:ffff:ffff:ffff:ffff"

export const IPV6: Range[] = [
  range("::", "::", "listed"),
  range("::1", "::1", "private", { above: ["::2", "never"] }),
  range("::7f00:1", "::ffff:ffff", "never", { above: ["::1:0:0", "listed"] }),
  range("::ffff:0:0:0", "::ffff:0:ffff:ffff", "never"),
  range("::ffff:0:7f00:1", "::ffff:0:a00:1", "never"),
  range("64:ff9b::", "64:ff9b::ffff:ffff", "never", { above: ["64:ff9b::1:0:0", "listed"] }),
  range("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "never", { above: ["64:ff9b:2::", "listed"] }),
  range("100::", "100::ffff:ffff:ffff:ffff", "listed"),
  range("1fff::", `1fff:ffff:${ONES}`, "listed", { above: ["2000::", "public"] }),
  range("2001::", `2001:0:${ONES}`, "never", { below: [`2000:ffff:${ONES}`, "public"] }),
  range("2001:1::", `2001:1ff:${ONES}`, "listed", { above: ["2001:200::", "public"] }),
  range("2001:db8::", `2001:db8:${ONES}`, "listed", both(`2001:db7:${ONES}`, "2001:db9::")),
  range("2002::", `2002:ffff:${ONES}`, "never", both(`2001:ffff:${ONES}`, "2003::")),
  range("2002:7f00:1::", "2002:a9fe:a9fe::1", "never"),
  range("3fff::", `3fff:fff:${ONES}`, "listed", both(`3ffe:ffff:${ONES}`, "3fff:1000::")),
  range("4000::", `fbff:ffff:${ONES}`, "listed", { below: [`3fff:ffff:${ONES}`, "public"] }),
  range("5f00::", "5f00::1", "listed"),
  range("fc00::", `fdff:ffff:${ONES}`, "private", { above: ["fe00::", "listed"] }),
  range("fe80::", `febf:ffff:${ONES}`, "listed"),
  range("fec0::", `feff:ffff:${ONES}`, "listed"),
  range("ff00::", `ffff:ffff:${ONES}`, "listed"),
  range("ff02::1", "ff02::fb", "listed"),
  range("fd00:ec2::254", "fd00:ec2::254", "never", {
    below: ["fd00:ec2::253", "private"],
    above: ["fd00:ec2::255", "private"],
  }),
  range("fd20:ce::254", "fd20:ce::254", "never"),
  range("2606:4700::6810:84e5", "2a00:1450:4001:81b::200e", "public"),
]

/** The edges of ranges and their neighbours, each address once with its verdict. */
export function edges(ranges: Range[]): [address: string, is: Verdict][] {
  const table = new Map<string, Verdict>()
  for (const { first, last, is, below, above } of ranges) {
    for (const [address, verdict] of [[first, is], [last, is], below, above].filter(
      (edge) => edge !== undefined,
    )) {
      table.set(address as string, verdict as Verdict)
    }
  }
  return [...table]
}

const bytesOf = (address: string) => address.split(".").map(Number)
const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0)
const hex = (number: number, width = 1) => number.toString(16).padStart(width, "0")
const digits = (text: string, zero: string[]) => text.replace(/\d/g, (digit) => zero[Number(digit)]!)
const CIRCLED = [..."⓪①②③④⑤⑥⑦⑧⑨"]
const FULL_WIDTH = [..."０１２３４５６７８９"]

function groups(address: string): string {
  const [a, b, c, d] = bytesOf(address) as [number, number, number, number]
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
}

/** The ways to write an IPv4 address as the host of a URL. */
export const SPELLINGS: Record<string, (address: string) => string> = {
  dotted: (address) => address,
  "with a trailing dot": (address) => `${address}.`,
  decimal: (address) => String(numberOf(address)),
  hexadecimal: (address) => `0x${hex(numberOf(address))}`,
  "upper-case hexadecimal": (address) => `0X${hex(numberOf(address)).toUpperCase()}`,
  octal: (address) => `0${numberOf(address).toString(8)}`,
  "hexadecimal bytes": (address) =>
    bytesOf(address)
      .map((byte) => `0x${hex(byte)}`)
      .join("."),
  "octal bytes": (address) =>
    bytesOf(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join("."),
  "zero-padded octal bytes": (address) =>
    bytesOf(address)
      .map((byte) => `000${byte.toString(8)}`)
      .join("."),
  "two parts": (address) => `${bytesOf(address)[0]}.${numberOf(address) % 2 ** 24}`,
  "three parts": (address) => `${bytesOf(address).slice(0, 2).join(".")}.${numberOf(address) % 2 ** 16}`,
  "circled digits": (address) => digits(address, CIRCLED),
  "full-width digits": (address) => digits(address, FULL_WIDTH),
  "ideographic dots": (address) => address.replaceAll(".", "。"),
  "percent-encoded": (address) => address.replace(/\d/g, (digit) => `%3${digit}`),
  "IPv4-mapped": (address) => `[::ffff:${address}]`,
  "upper-case IPv4-mapped": (address) => `[::FFFF:${address}]`,
  "IPv4-mapped in hexadecimal": (address) => `[::ffff:${groups(address)}]`,
  "uncompressed IPv4-mapped": (address) => `[0:0:0:0:0:ffff:${groups(address)}]`,
}
