// Lines that a change of a country's numbering plan gave another number: the old number is read as the new one.

interface Renumbering {
  country: string
  /** The calling code of the old number. */
  code: string
  /** The old national number. */
  from: RegExp
  /** The new international number, with groups of `from`. */
  to: string
  /** When the new number came into use. */
  date: string
  source: string
}

/** `4>24` for each old and new prefix before so many digits. */
function prefixes(code: string, digits: number, pairs: string): Pick<Renumbering, "code" | "from" | "to">[] {
  return pairs.split(" ").map((pair) => {
    const [old, now] = pair.split(">")
    return { code, from: new RegExp(`^${old}(\\d{${digits}})$`), to: `+${code}${now}$1` }
  })
}

const MIC = "Ministry of Information and Communications of Vietnam"

/** An old form that is a line of somebody else today is not listed, such as Ho Chi Minh City's 8 beside mobiles 081 to 089. */
export const RENUMBERINGS: readonly Renumbering[] = [
  {
    country: "MX",
    code: "52",
    from: /^(?:1|01|04[45])([2-9]\d{9})$/,
    to: "+52$1",
    date: "2019-08-03",
    source: "IFT, Plan Técnico Fundamental de Numeración: ten digits without 01, 044, 045 and 1",
  },
  {
    country: "BJ",
    code: "229",
    from: /^([2-9]\d{7})$/,
    to: "+22901$1",
    date: "2024-11-30",
    source: "ARCEP Bénin: 01 in front of every number",
  },
  ...[
    [/^([04-9][0-3]\d{6})$/, "01"],
    [/^([04-9][4-6]\d{6})$/, "05"],
    [/^([04-9][7-9]\d{6})$/, "07"],
    [/^([23]\d8\d{5})$/, "21"],
    [/^([23]\d0\d{5})$/, "25"],
    [/^([23]\d[1-79]\d{5})$/, "27"],
  ].map(([from, prefix]) => ({
    country: "CI",
    code: "225",
    from: from as RegExp,
    to: `+225${prefix}$1`,
    date: "2021-01-31",
    source: "ARTCI: the operator's prefix in front (Moov 01 and 21, MTN 05 and 25, Orange 07 and 27)",
  })),
  ...prefixes("241", 6, "0?1>11 0?2>62 0?5>65 0?6>66 0?4>74 0?7>77").map((rule) => ({
    country: "GA",
    ...rule,
    date: "2019-11-15",
    source: "ARCEP Gabon: 01 is 011, 02 062, 05 065, 06 066, 04 074, 07 077; abroad without 0",
  })),
  {
    country: "CO",
    code: "57",
    from: /^([124-8]\d{7})$/,
    to: "+5760$1",
    date: "2021-09-01",
    source: "CRC, Resolución 5826 of 2019: 60 before the area of fixed lines",
  },
  {
    country: "NG",
    code: "234",
    from: /^0?([1-9]\d{7})$/,
    to: "+23420$1",
    date: "2024-01-01",
    source: "NCC, 19 September 2023: 02 before fixed lines, 09461700 is 02094617000",
  },
  {
    country: "PH",
    code: "63",
    from: /^2([2-9]\d{6})$/,
    to: "+6328$1",
    date: "2019-10-06",
    source: "NTC Memorandum Order 10-10-2017: eight digits behind 02, of PLDT with 8 in front",
  },
  {
    country: "BR",
    code: "55",
    from: /^([1-9][1-9])([6-9]\d{7})$/,
    to: "+55$19$2",
    date: "2016-11-06",
    source: "Anatel, Resolução 553 of 2010: 9 before mobiles, from São Paulo in 2012 to the south in 2016",
  },
  ...prefixes(
    "84",
    7,
    "120>70 121>79 122>77 126>76 128>78 123>83 124>84 125>85 127>81 129>82 162>32 163>33 164>34 165>35 166>36 167>37 168>38 169>39 186>56 188>58 199>59",
  ).map((rule) => ({
    country: "VN",
    ...rule,
    date: "2018-09-15",
    source: `${MIC}: mobiles of eleven digits have ten`,
  })),
  ...[
    { code: "84", from: /^4([2-9]\d{7})$/, to: "+8424$1" },
    ...prefixes(
      "84",
      7,
      "22>212 231>213 20>214 230>215 29>216 53>233 54>234 510>235 511>236 240>204 25>205 26>206 27>207 280>208 281>209 320>220 321>221 241>222 31>225 351>226 350>228 30>229 780>290 781>291 710>292 711>293 74>294 61>251 62>252 64>254 57>257 68>259 60>260 501>261 500>262 63>263 651>271 72>272 73>273 650>274 75>275 66>276 67>277",
    ),
  ].map((rule) => ({
    country: "VN",
    ...rule,
    date: "2017-02-11",
    source: `${MIC}, decision 2036/QD-BTTTT: area codes begin with 2`,
  })),
  {
    country: "UZ",
    code: "7",
    from: /^3((?:6[2679]|7[1-6])\d{7})$/,
    to: "+998$1",
    date: "1998-09-30",
    source: "tashkent.org/uzland/code.html: +7 371 1206320 is +998 71 1206320, 3712 406320 is 71 2406320",
  },
  {
    country: "UZ",
    code: "998",
    from: /^8([5-79]\d{8})$/,
    to: "+998$1",
    date: "2018-01-01",
    source: "Uzbektelecom: nine digits, without the 8 for calls to other areas",
  },
  {
    country: "UZ",
    code: "998",
    from: /^83([67]\d{8})$/,
    to: "+998$1",
    date: "1998-09-30",
    source: "tashkent.org/uzland/code.html: 8 371 before 1206320 inside the CIS",
  },
  {
    country: "PF",
    code: "689",
    from: /^(4[0-35-9]\d{4}|[589]\d{5})$/,
    to: "+68940$1",
    date: "2014-06-23",
    source: "OPT Polynésie française: 40 before fixed lines",
  },
  {
    country: "PF",
    code: "689",
    from: /^([237]\d{5})$/,
    to: "+68987$1",
    date: "2014-06-23",
    source: "OPT Polynésie française: 87 before mobiles",
  },
  {
    country: "SX",
    code: "599",
    from: /^(5\d{6})$/,
    to: "+1721$1",
    date: "2011-09-30",
    source: "NANPA Planning Letter 423: +599 5 is +1 721 5",
  },
  ...(
    [
      ["381", /^((?:2[89]|3[89])\d{6,7})$/],
      ["377", /^(4[45]\d{6})$/],
      ["386", /^(4[39]\d{6})$/],
    ] as const
  ).map(([code, from]) => ({
    country: "XK",
    code,
    from,
    to: "+383$1",
    date: "2016-12-15",
    source: "ITU Operational Bulletin 1114: +383 in place of +381, +377 and +386",
  })),
  {
    country: "CL",
    code: "56",
    from: /^2([2-9]\d{6})$/,
    to: "+5622$1",
    date: "2013-11-24",
    source: "Subtel: 2 before the numbers of Santiago",
  },
  {
    country: "CM",
    code: "237",
    from: /^([23]\d{7})$/,
    to: "+2372$1",
    date: "2014-11-21",
    source: "ART Cameroun: 2 before fixed lines",
  },
  {
    country: "CM",
    code: "237",
    from: /^([5-79]\d{7})$/,
    to: "+2376$1",
    date: "2014-11-21",
    source: "ART Cameroun: 6 before mobiles",
  },
  {
    country: "MU",
    code: "230",
    from: /^([79]\d{6})$/,
    to: "+2305$1",
    date: "2013-09-01",
    source: "ICTA Mauritius: 5 before mobiles",
  },
  {
    country: "QA",
    code: "974",
    from: /^([3-7])(\d{6})$/,
    to: "+974$1$1$2",
    date: "2010-07-28",
    source: "ictQATAR: the first digit twice",
  },
  ...prefixes("20", 7, "10>100 16>106 19>109 12>122 17>127 18>128 11>111 14>114").map((rule) => ({
    country: "EG",
    ...rule,
    date: "2011-10-06",
    source: "NTRA: mobiles of ten digits have eleven",
  })),
]

const byCode = Map.groupBy(RENUMBERINGS, ({ code }) => code)

/** The international number that a line has today; undefined where no plan change gave it another one. */
export function renumbered(code: string, national: string): string | undefined {
  const rule = byCode.get(code)?.find(({ from }) => from.test(national))
  return rule && national.replace(rule.from, rule.to)
}
