import type { LanguageCode } from "./languages.ts"

/** How telephone numbers of a country are built and written. */
export interface Country {
  name: string
  /** Top-level domain of its web and mail addresses. */
  tld: string
  language: LanguageCode
  /** The international dialling code, without `+`. */
  dial: string
  /** Dialled before the area code inside the country. */
  trunk: string
  /** Digits of a national number, area code included, trunk prefix not. */
  digits: number
  /** The sizes of the groups in which the digits after the area code are written, and what stands between. */
  groups: readonly number[]
  between: string
  /** What the area code is written in inside the country, such as `(` and `) `. */
  around: readonly [string, string]
}

export interface City {
  name: string
  state: string
  country: Country
  language: LanguageCode
  latitude: number
  longitude: number
  /** Area code without the trunk prefix. */
  area: string
  /** `#` is any digit, `@` any letter. */
  postal: string
}

function country(
  name: string,
  tld: string,
  language: LanguageCode,
  [dial, trunk, digits]: [string, string, number],
  groups: readonly number[],
  between = " ",
  around: readonly [string, string] = ["", " "],
): Country {
  return { name, tld, language, dial, trunk, digits, groups, between, around }
}

const COUNTRIES = {
  US: country("United States", "com", "en", ["1", "", 10], [3, 4], "-", ["(", ") "]),
  CA: country("Canada", "ca", "en", ["1", "", 10], [3, 4], "-", ["(", ") "]),
  MX: country("Mexico", "com.mx", "es", ["52", "", 10], [4, 4]),
  BR: country("Brazil", "com.br", "pt", ["55", "", 10], [4, 4], "-", ["(", ") "]),
  GB: country("United Kingdom", "co.uk", "en", ["44", "0", 10], [4, 4]),
  IE: country("Ireland", "ie", "en", ["353", "0", 8], [3, 4], " ", ["(", ") "]),
  DE: country("Germany", "de", "de", ["49", "0", 10], [4, 2, 2], " ", ["", " / "]),
  AT: country("Austria", "at", "de", ["43", "0", 8], [3, 2, 2]),
  CH: country("Switzerland", "ch", "de", ["41", "0", 9], [3, 2, 2]),
  FR: country("France", "fr", "fr", ["33", "0", 9], [2, 2, 2, 2]),
  BE: country("Belgium", "be", "fr", ["32", "0", 8], [3, 2, 2], ".", ["", "/"]),
  ES: country("Spain", "es", "es", ["34", "", 9], [3, 2, 2]),
  IT: country("Italy", "it", "it", ["39", "", 10], [4, 4]),
  PT: country("Portugal", "pt", "pt", ["351", "", 9], [3, 4]),
  NL: country("Netherlands", "nl", "nl", ["31", "0", 9], [3, 4], " ", ["", "-"]),
  PL: country("Poland", "pl", "pl", ["48", "", 9], [3, 2, 2]),
  CZ: country("Czechia", "cz", "cs", ["420", "", 9], [2, 3, 3]),
  SE: country("Sweden", "se", "sv", ["46", "0", 9], [3, 2, 2], " ", ["", "-"]),
  DK: country("Denmark", "dk", "sv", ["45", "", 8], [1, 2, 2, 2], " ", ["", ""]),
  GR: country("Greece", "gr", "el", ["30", "", 10], [3, 4]),
  UA: country("Ukraine", "ua", "uk", ["380", "0", 9], [3, 2, 2], "-", ["(", ") "]),
  BG: country("Bulgaria", "bg", "bg", ["359", "0", 8], [3, 2, 2]),
  TR: country("Türkiye", "com.tr", "tr", ["90", "0", 10], [3, 2, 2], " ", ["(", ") "]),
  JP: country("Japan", "jp", "ja", ["81", "0", 9], [4, 4], "-", ["", "-"]),
  AU: country("Australia", "com.au", "en", ["61", "0", 9], [4, 4], " ", ["(", ") "]),
} as const

type Row = readonly [string, string, keyof typeof COUNTRIES, number, number, string, string, LanguageCode?]

// In the order of their weight: the first cities hold most leads.
const ROWS: readonly Row[] = [
  ["New York", "NY", "US", 40.7128, -74.006, "212", "100##"],
  ["London", "England", "GB", 51.5074, -0.1278, "20", "EC#@ #@@"],
  ["Berlin", "Berlin", "DE", 52.52, 13.405, "30", "10###"],
  ["Paris", "Île-de-France", "FR", 48.8566, 2.3522, "1", "750##"],
  ["東京", "東京都", "JP", 35.6762, 139.6503, "3", "10#-00##"],
  ["München", "Bayern", "DE", 48.1351, 11.582, "89", "80###"],
  ["Los Angeles", "CA", "US", 34.0522, -118.2437, "213", "900##"],
  ["Warszawa", "Mazowieckie", "PL", 52.2297, 21.0122, "22", "0#-###"],
  ["Hamburg", "Hamburg", "DE", 53.5511, 9.9937, "40", "20###"],
  ["Madrid", "Comunidad de Madrid", "ES", 40.4168, -3.7038, "91", "280##"],
  ["Chicago", "IL", "US", 41.8781, -87.6298, "312", "606##"],
  ["Αθήνα", "Αττική", "GR", 37.9838, 23.7275, "210", "10# ##"],
  ["Wien", "Wien", "AT", 48.2082, 16.3738, "1", "1##0"],
  ["Roma", "Lazio", "IT", 41.9028, 12.4964, "06", "001##"],
  ["Київ", "Київ", "UA", 50.4501, 30.5234, "44", "01###"],
  ["Zürich", "Zürich", "CH", 47.3769, 8.5417, "44", "80##"],
  ["Toronto", "ON", "CA", 43.6532, -79.3832, "416", "M#@ #@#"],
  ["São Paulo", "SP", "BR", -23.5505, -46.6333, "11", "01###-0##"],
  ["Lyon", "Auvergne-Rhône-Alpes", "FR", 45.764, 4.8357, "4", "6900#"],
  ["Kraków", "Małopolskie", "PL", 50.0647, 19.945, "12", "3#-###"],
  ["Houston", "TX", "US", 29.7604, -95.3698, "713", "770##"],
  ["Milano", "Lombardia", "IT", 45.4642, 9.19, "02", "201##"],
  ["Barcelona", "Catalunya", "ES", 41.3874, 2.1686, "93", "080##"],
  ["Köln", "Nordrhein-Westfalen", "DE", 50.9375, 6.9603, "221", "50###"],
  ["Amsterdam", "Noord-Holland", "NL", 52.3676, 4.9041, "20", "10## @@"],
  ["大阪", "大阪府", "JP", 34.6937, 135.5023, "6", "53#-00##"],
  ["Stockholm", "Stockholms län", "SE", 59.3293, 18.0686, "8", "1## ##"],
  ["Praha", "Hlavní město Praha", "CZ", 50.0755, 14.4378, "2", "1#0 00"],
  ["San Francisco", "CA", "US", 37.7749, -122.4194, "415", "941##"],
  ["Frankfurt am Main", "Hessen", "DE", 50.1109, 8.6821, "69", "60###"],
  ["Manchester", "England", "GB", 53.4808, -2.2426, "161", "M# #@@"],
  ["Marseille", "Provence-Alpes-Côte d'Azur", "FR", 43.2965, 5.3698, "4", "1300#"],
  ["Montréal", "QC", "CA", 45.5017, -73.5673, "514", "H#@ #@#", "fr"],
  ["Lisboa", "Lisboa", "PT", 38.7223, -9.1393, "21", "1###-###"],
  ["Ciudad de México", "CDMX", "MX", 19.4326, -99.1332, "55", "06###"],
  ["İstanbul", "İstanbul", "TR", 41.0082, 28.9784, "212", "34###"],
  ["Stuttgart", "Baden-Württemberg", "DE", 48.7758, 9.1829, "711", "70###"],
  ["Sydney", "NSW", "AU", -33.8688, 151.2093, "2", "20##"],
  ["Bruxelles", "Bruxelles-Capitale", "BE", 50.8503, 4.3517, "2", "10#0"],
  ["Wrocław", "Dolnośląskie", "PL", 51.1079, 17.0385, "71", "5#-###"],
  ["København", "Hovedstaden", "DK", 55.6761, 12.5683, "3", "1###"],
  ["Düsseldorf", "Nordrhein-Westfalen", "DE", 51.2277, 6.7735, "211", "40###"],
  ["Dublin", "Leinster", "IE", 53.3498, -6.2603, "1", "D0# @#@#"],
  ["Θεσσαλονίκη", "Κεντρική Μακεδονία", "GR", 40.6401, 22.9444, "2310", "54# ##"],
  ["София", "София-град", "BG", 42.6977, 23.3219, "2", "1###"],
  ["Boston", "MA", "US", 42.3601, -71.0589, "617", "021##"],
  ["Miami", "FL", "US", 25.7617, -80.1918, "305", "331##"],
  ["Łódź", "Łódzkie", "PL", 51.7592, 19.456, "42", "9#-###"],
  ["Göteborg", "Västra Götalands län", "SE", 57.7089, 11.9746, "31", "4## ##"],
  ["Genève", "Genève", "CH", 46.2044, 6.1432, "22", "12##", "fr"],
  ["Porto", "Porto", "PT", 41.1579, -8.6291, "22", "4###-###"],
  ["Rio de Janeiro", "RJ", "BR", -22.9068, -43.1729, "21", "20###-0##"],
  ["Toulouse", "Occitanie", "FR", 43.6047, 1.4442, "5", "31#00"],
  ["Львів", "Львівська область", "UA", 49.8397, 24.0297, "32", "79###"],
  ["Napoli", "Campania", "IT", 40.8518, 14.2681, "081", "801##"],
  ["京都", "京都府", "JP", 35.0116, 135.7681, "75", "60#-8###"],
  ["Edinburgh", "Scotland", "GB", 55.9533, -3.1883, "131", "EH# #@@"],
  ["Melbourne", "VIC", "AU", -37.8136, 144.9631, "3", "30##"],
  ["Guadalajara", "Jalisco", "MX", 20.6597, -103.3496, "33", "44###"],
  ["Rotterdam", "Zuid-Holland", "NL", 51.9244, 4.4777, "10", "30## @@"],
  ["Gdańsk", "Pomorskie", "PL", 54.352, 18.6466, "58", "8#-###"],
  ["Salzburg", "Salzburg", "AT", 47.8095, 13.055, "662", "50#0"],
  ["St. Gallen", "St. Gallen", "CH", 47.4245, 9.3767, "71", "90##"],
]

/** Real cities with coordinates in degrees, from the one with the most leads to the one with the fewest. */
export const CITIES: readonly City[] = ROWS.map(
  ([name, state, code, latitude, longitude, area, postal, language]) => ({
    name,
    state,
    country: COUNTRIES[code],
    language: language ?? COUNTRIES[code].language,
    latitude,
    longitude,
    area,
    postal,
  }),
)
