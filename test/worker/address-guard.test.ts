import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  type AddressPolicy,
  checkAddress,
  type Lookup,
  parseCidrs,
  parsePolicy,
  resolveTarget,
} from "../../src/worker/net/address-guard.ts"
import { words } from "../support/words.ts"
import { edges, IPV4, IPV6, SPELLINGS, type Verdict } from "./address-table.ts"

const strict: AddressPolicy = { allowPrivate: false, allowCidrs: [], ownPorts: [] }
const home: AddressPolicy = { ...strict, allowPrivate: true }
const everything: AddressPolicy = { ...strict, allowCidrs: ["0.0.0.0/0", "::/0"] }
const ALLOWED: [AddressPolicy, Verdict[]][] = [
  [strict, ["public"]],
  [home, ["public", "private"]],
  [everything, ["public", "private", "listed"]],
]

const noLookup: Lookup = () => Promise.reject(new Error("asked the resolver"))
const resolving = (...addresses: string[]): Lookup => {
  return async () => addresses.map((address) => ({ address }))
}
const failing = (code: string): Lookup => {
  return () => Promise.reject(Object.assign(new Error(code), { code }))
}
const reasonOf = async (url: string, policy = strict, lookup = noLookup) => {
  const target = await resolveTarget(url, policy, lookup)
  return target.ok ? undefined : target.reason
}

describe("the address table", () => {
  const rows = [...edges(IPV4), ...edges(IPV6)]
  const forms = edges(IPV4).flatMap(([address, is]) =>
    Object.values(SPELLINGS).map((spell) => ({ address, host: spell(address), is })),
  )
  const literals = edges(IPV6).flatMap(([address, is]) =>
    [address, address.toUpperCase()].map((text) => ({ address, host: `[${text}]`, is })),
  )

  test("is longer than 500 forms", () => {
    expect(forms.length + literals.length).toBeGreaterThan(500)
  })

  test.each(ALLOWED)("addresses of a resolver under %j", (policy, allowed) => {
    for (const [address, is] of rows) {
      expect([address, checkAddress(address, policy).ok]).toEqual([address, allowed.includes(is)])
    }
  })

  test.each(ALLOWED)("spellings in a URL under %j", async (policy, allowed) => {
    for (const { address, host, is } of [...forms, ...literals]) {
      const target = await resolveTarget(`https://${host}:8443/hook`, policy, noLookup)
      expect([host, target.ok]).toEqual([host, allowed.includes(is)])
      if (target.ok) expect(target.address).toBe(address.toLowerCase())
    }
  })

  test.each(ALLOWED)("answers of a resolver in IPv4-mapped form under %j", (policy, allowed) => {
    for (const [address, is] of edges(IPV4)) {
      const verdict = checkAddress(`::ffff:${address}`, policy)
      expect([address, verdict.ok]).toEqual([address, allowed.includes(is)])
      if (verdict.ok) expect(verdict).toEqual({ ok: true, address, family: 4 })
    }
  })
})

test("any IPv4 address is judged as plain arithmetic judges it", () => {
  const refused = edges(IPV4).filter(([, is]) => is !== "public")
  const number = (text: string) => text.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0)
  const ranges = IPV4.filter(({ is }) => is !== "public").map(({ first, last }) => [
    number(first),
    number(last),
  ])
  expect(refused.length).toBeGreaterThan(30)
  const near = fc
    .constantFrom(...ranges.flat())
    .chain((edge) => fc.integer({ min: Math.max(0, edge! - 300), max: Math.min(2 ** 32 - 1, edge! + 300) }))
  fc.assert(
    fc.property(fc.oneof(near, fc.integer({ min: 0, max: 2 ** 32 - 1 })), (value) => {
      const address = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".")
      const inside = ranges.some(([first, last]) => value >= first! && value <= last!)
      expect(checkAddress(address, strict).ok).toBe(!inside)
    }),
    { numRuns: 2000 },
  )
})

test("any IPv6 address is judged by its first two groups", () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  const first = fc.oneof(group, fc.constantFrom(0, 0x1fff, 0x2000, 0x2001, 0x2002, 0x3fff, 0x4000, 0xfd00))
  const second = fc.oneof(group, fc.constantFrom(0, 0x1ff, 0x200, 0xdb8, 0xfff, 0x1000, 0xff9b))
  fc.assert(
    fc.property(first, second, fc.array(group, { minLength: 6, maxLength: 6 }), (a, b, rest) => {
      const address = [a, b, ...rest].map((part) => part.toString(16)).join(":")
      const isPublic =
        (a >= 0x2000 && a < 0x3fff && a !== 0x2001 && a !== 0x2002) ||
        (a === 0x2001 && b >= 0x200 && b !== 0xdb8) ||
        (a === 0x3fff && b >= 0x1000)
      expect([address, checkAddress(address, strict).ok]).toEqual([address, isPublic])
    }),
    { numRuns: 2000 },
  )
})

test("any spelling of an IPv6 address is judged without an exception", () => {
  fc.assert(fc.property(fc.ipV6(), (address) => expect(checkAddress(address, strict)).toHaveProperty("ok")))
})

describe("the URL", () => {
  test.each([
    ["", "not a valid URL"],
    ["hooks.example.test", "not a valid URL"],
    ["http://", "not a valid URL"],
    ["http://256.1.1.1/", "not a valid URL"],
    ["http://1.2.3.4.5/", "not a valid URL"],
    ["http://[fe80::1%25eth0]/", "not a valid URL"],
    ["http://[fe80::1%eth0]/", "not a valid URL"],
    ["http://[::1/", "not a valid URL"],
    ["http://a b/", "not a valid URL"],
    ["http://x:99999/", "not a valid URL"],
    ["ftp://8.8.8.8/", "only http and https URLs are allowed"],
    ["file:///etc/passwd", "only http and https URLs are allowed"],
    ["data:text/plain,x", "only http and https URLs are allowed"],
    ["javascript:alert(1)", "only http and https URLs are allowed"],
    ["ws://8.8.8.8/", "only http and https URLs are allowed"],
    ["unix:///run/docker.sock", "only http and https URLs are allowed"],
    ["http://user@8.8.8.8/", "a URL with a user name or password is not allowed"],
    ["http://:secret@8.8.8.8/", "a URL with a user name or password is not allowed"],
    ["https://8.8.8.8@127.0.0.1/", "a URL with a user name or password is not allowed"],
    ["http://127.0.0.1\\@8.8.8.8/", "address 127.0.0.1 is loopback and not allowed"],
    ["http:\\\\127.0.0.1\\x", "address 127.0.0.1 is loopback and not allowed"],
    ["http:10.0.0.1", "address 10.0.0.1 is private and not allowed"],
    [" http://10.0.0.1\t/ ", "address 10.0.0.1 is private and not allowed"],
    ["http://0/", "address 0.0.0.0 is unspecified and not allowed"],
    ["http://127.1/", "address 127.0.0.1 is loopback and not allowed"],
  ])("%j: %s", async (url, reason) => {
    expect(await reasonOf(url)).toBe(reason)
  })

  test("may be a URL object", async () => {
    expect(await resolveTarget(new URL("http://8.8.8.8/"), strict, noLookup)).toMatchObject({ ok: true })
  })
})

describe("the resolver's answer", () => {
  const at = (...addresses: string[]) =>
    resolveTarget("http://hooks.example.test/", strict, resolving(...addresses))

  test.each([
    [["93.184.216.34", "10.0.0.1"], "address 10.0.0.1 is private and not allowed"],
    [["10.0.0.1", "93.184.216.34"], "address 10.0.0.1 is private and not allowed"],
    [["2606:4700::1", "::1"], "address ::1 is loopback and not allowed"],
    [["93.184.216.34", "fe80::1%eth0"], "address fe80::1%eth0 is not a plain IP address"],
    [
      ["93.184.216.34", "::ffff:169.254.169.254"],
      "address 169.254.169.254 serves cloud metadata and is never allowed",
    ],
    [["64:ff9b::a9fe:a9fe"], "address 64:ff9b::a9fe:a9fe stands for an IPv4 address and is never allowed"],
    [["not an address"], "address not an address is not a plain IP address"],
    [["0177.0.0.1"], "address 0177.0.0.1 is not a plain IP address"],
    [[], "host not found"],
  ])("%j: %s", async (addresses, reason) => {
    expect(await at(...addresses)).toMatchObject({ ok: false, reason })
  })

  test("is pinned, IPv4 first", async () => {
    expect(await at("2606:4700::1", "93.184.216.34")).toMatchObject({
      address: "93.184.216.34",
      family: 4,
      addresses: [
        { address: "93.184.216.34", family: 4 },
        { address: "2606:4700::1", family: 6 },
      ],
    })
  })

  test("is asked for once, so that a second, private answer never counts", async () => {
    const answers = [["93.184.216.34"], ["127.0.0.1"]]
    const lookup: Lookup = async () => answers.shift()!.map((address) => ({ address }))
    const target = await resolveTarget("http://rebind.example.test/", strict, lookup)
    expect(target).toMatchObject({ ok: true, address: "93.184.216.34", addresses: { length: 1 } })
    expect(answers).toEqual([["127.0.0.1"]])
  })

  test.each([
    ["ENOTFOUND", "host not found"],
    ["ENODATA", "host not found"],
    ["ESERVFAIL", "host lookup failed (ESERVFAIL)"],
  ])("%s: %s", async (code, reason) => {
    const target = await resolveTarget("http://hooks.example.test/", strict, failing(code))
    expect(target).toEqual({ ok: false, cause: "lookup", reason })
  })

  test("of the system knows names that cannot exist", async () => {
    expect(await resolveTarget("http://hooks.invalid/", strict)).toMatchObject({ ok: false, cause: "lookup" })
  })

  test.each(["localhost", "LOCALHOST", "localhost.", "api.localhost", "a.b.localhost."])(
    "%s is loopback",
    async (name) => {
      expect(await reasonOf(`http://${name}/`)).toBe("address 127.0.0.1 is loopback and not allowed")
      const target = await resolveTarget(`http://${name}/`, home, noLookup)
      expect(target.ok && target.addresses.map(({ address }) => address)).toEqual(["127.0.0.1", "::1"])
    },
  )

  test("is asked for names that only look local", async () => {
    const target = await resolveTarget("http://notlocalhost/", strict, resolving("93.184.216.34"))
    expect(target.ok).toBe(true)
  })
})

describe("own ports", () => {
  const policy: AddressPolicy = { ...home, allowCidrs: ["0.0.0.0/0", "::/0"], ownPorts: [443, 3000] }

  test.each(
    words(`
    http://127.0.0.1:3000/ http://127.8.9.1:3000/ http://localhost:3000/ http://[::1]:3000/
    http://[::]:3000/ http://0.0.0.0:3000/ http://[::ffff:127.0.0.1]:3000/ http://192.168.1.5:3000/
    http://[fd00::5]:3000/ http://169.254.1.1:3000/ https://10.0.0.1/ http://2130706433:3000/
  `),
  )("%s is never allowed", async (url) => {
    expect(await reasonOf(url, policy)).toMatch(/^port \d+ of .+ is this service's own and never allowed$/)
  })

  test.each(["http://127.0.0.1:3001/", "http://127.0.0.1/", "https://8.8.8.8/", "http://8.8.8.8:3000/"])(
    "%s is allowed",
    async (url) => expect(await reasonOf(url, policy)).toBeUndefined(),
  )

  test("on a public address of this machine are never allowed", async () => {
    const own: AddressPolicy = { ...policy, ownAddresses: ["93.184.216.34", "2606:4700:0::1"] }
    expect(await reasonOf("http://93.184.216.34:3000/", own)).toContain("this service's own")
    expect(await reasonOf("http://[2606:4700::1]:3000/", own)).toContain("this service's own")
    expect(await reasonOf("http://93.184.216.34:3001/", own)).toBeUndefined()
  })
})

describe("allowed ranges", () => {
  const listed: AddressPolicy = {
    ...strict,
    allowCidrs: ["10.1.0.0/16", "100.64.0.0/10", "fd12::/16", "192.168.7.9"],
  }

  test.each(["10.1.0.0", "10.1.255.255", "100.64.0.1", "fd12::1", "192.168.7.9", "::ffff:10.1.2.3"])(
    "hold %s",
    (address) => {
      expect(checkAddress(address, listed).ok).toBe(true)
    },
  )

  test.each(["10.0.255.255", "10.2.0.0", "fd13::1", "192.168.7.8", "127.0.0.1", "::1"])(
    "do not hold %s",
    (address) => {
      expect(checkAddress(address, listed).ok).toBe(false)
    },
  )

  test("are read from text", () => {
    expect(parseCidrs(" 10.1.0.0/16,fd00::/8\n192.168.7.9 ,, ")).toEqual([
      "10.1.0.0/16",
      "fd00::/8",
      "192.168.7.9",
    ])
    expect(parseCidrs("")).toEqual([])
  })

  test.each(
    words(`
    10.0.0.0/33 10.0.0/8 fd00::/129 example.com 10.0.0.0/ 10.0.0.0/x /8 fe80::1%eth0/64
  `),
  )("refuse %j by name", (text) => {
    const message = `"${text}" is not an address range: write it like 10.1.0.0/16 or fd12:3456::/32`
    expect(() => parseCidrs(`10.0.0.0/8, ${text}`)).toThrow(message)
  })

  test("refuse an IPv4-mapped range", () => {
    expect(() => parseCidrs("::ffff:10.0.0.0/104")).toThrow("is an IPv4 range in IPv6 form")
  })
})

describe("parsePolicy", () => {
  const settings = {
    mode: "auto",
    allowCidrs: "10.1.0.0/16",
    listenHost: "127.0.0.1",
    ports: [3000],
  } as const
  const policyOf = (changes: object) => parsePolicy({ ...settings, ports: [...settings.ports], ...changes })

  test("gives what the settings say", () => {
    expect(policyOf({})).toEqual({ allowPrivate: true, allowCidrs: ["10.1.0.0/16"], ownPorts: [3000] })
  })

  test.each(["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost", "LocalHost"])(
    "auto on %s allows private",
    (host) => {
      expect(policyOf({ listenHost: host }).allowPrivate).toBe(true)
    },
  )

  test.each(["0.0.0.0", "::", "192.168.1.5", "10.0.0.1", "example.com", ""])(
    "auto on %j does not",
    (host) => {
      expect(policyOf({ listenHost: host }).allowPrivate).toBe(false)
    },
  )

  test("auto on loopback does not where the service is public through a proxy", () => {
    expect(policyOf({ isPublic: true }).allowPrivate).toBe(false)
    expect(policyOf({ isPublic: true, mode: "allow" }).allowPrivate).toBe(true)
  })

  test("allow and block do not look at the host", () => {
    expect(policyOf({ mode: "allow", listenHost: "0.0.0.0" }).allowPrivate).toBe(true)
    expect(policyOf({ mode: "block" }).allowPrivate).toBe(false)
  })
})
