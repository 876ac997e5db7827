// Made-up Germans as the set RLdata10000 has them: names in capitals without umlauts, many of them frequent, a day of birth in
// three columns, and one in ten there twice with one or two typing errors.
import { type MatchableLead, score } from "../../src/matching/matcher/index.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { Index } from "./match-all.ts"

const GIVEN =
  `HANS PETER MICHAEL THOMAS WERNER WOLFGANG KLAUS JUERGEN GUENTHER HORST HELMUT GERHARD MANFRED DIETER ANDREAS URSULA MARIA
  MONIKA PETRA ELISABETH SABINE RENATE HELGA KARIN BRIGITTE INGRID ERIKA ANDREA GISELA CLAUDIA SUSANNE GABRIELE CHRISTA CHRISTINE
  ANNA STEFAN CHRISTIAN UWE WALTER KARL FRANK RALF JOACHIM MARTIN HEINZ BERND GEORG KURT MARTINA HEIKE STEFANIE BARBARA JUTTA
  BIRGIT ANGELIKA KATHARINA SANDRA JULIA NICOLE SILKE KERSTIN MARION FRANZ JOSEF ROLF MATTHIAS MARKUS TORSTEN HOLGER DIRK SVEN
  JENS JAN TOBIAS DANIEL FLORIAN LARS NORBERT HERBERT RUDOLF WILHELM FRIEDRICH ERNST HEINRICH MARGARETE ILSE FRIEDA KAETHE
  ROSEMARIE CORNELIA ULRIKE SONJA MELANIE YVONNE SIMONE LENA HANNAH LUKAS FELIX MORITZ JOERG BJOERN HANSJUERGEN VOLKER`.split(
    /\s+/,
  )
const FREQUENT =
  `MUELLER SCHMIDT SCHNEIDER FISCHER WEBER MEYER WAGNER BECKER SCHULZ HOFFMANN SCHAEFER KOCH BAUER RICHTER KLEIN WOLF SCHROEDER
  NEUMANN SCHWARZ ZIMMERMANN BRAUN KRUEGER HOFMANN HARTMANN LANGE SCHMITT WERNER SCHMITZ KRAUSE MEIER LEHMANN SCHMID MAIER KOEHLER
  HERRMANN KOENIG WALTER MAYER KAISER FUCHS PETERS LANG SCHOLZ MOELLER WEISS JUNG HAHN SCHUBERT VOGEL KELLER GUENTHER BERGER ROTH
  BECK LORENZ FRANKE ALBRECHT LUDWIG BOEHM WINTER KRAUS MARTIN VOGT STEIN JAEGER OTTO SOMMER GROSS SEIDEL BRANDT HAAS GRAF`.split(
    /\s+/,
  )
const BEGINNINGS =
  `ACKER ALTEN BERG BIRKEN BUCH EICHEN ESCHEN FELD GRUEN HAGEN HASEL HECK HOLZ KALT KIRCH KLEE LINDEN MOOS NEU NUSS OBER RAST REH
  ROSEN SAND SCHOEN STEIN TANNEN WALD WEIDEN WIESEN ZIEGEN`.split(/\s+/)
const ENDS =
  `AUER BACHER BAUM BERGER BROCK BURGER DORF ECKER FELDER HAUER HAUSER HEIMER HOFER KAMP LOHER MANN MEIER MUELLER REITER STETTER
  THALER WALD WEILER`.split(/\s+/)
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

interface Person {
  given: string
  surname: string
  by: number
  bm: number
  bd: number
}

/** The first ones often, the last ones seldom. */
const frequent = (random: Random, names: string[]) => names[Math.floor(names.length * random.float() ** 1.8)]!

function person(random: Random): Person {
  const surname = random.chance(0.5)
    ? frequent(random, FREQUENT)
    : random.pick(BEGINNINGS) + random.pick(ENDS)
  const born = { by: random.between(1920, 1999), bm: random.between(1, 12), bd: random.between(1, 28) }
  return { given: frequent(random, GIVEN), surname, ...born }
}

function misspelt(text: string, random: Random): string {
  const at = random.below(text.length - 1)
  const [left, right] = [text.slice(0, at), text.slice(at)]
  return [
    left + right.slice(1),
    left + random.pick(LETTERS) + right,
    left + right[1] + right[0] + right.slice(2),
    left + random.pick(LETTERS) + right.slice(1),
  ][random.below(4)]!
}

/** A number up to `most` with one digit wrong. */
function miskeyed(number: number, most: number, random: Random): number {
  const digits = [...String(number)]
  digits[random.below(digits.length)] = String(random.below(10))
  const wrong = Number(digits.join(""))
  return wrong > 0 && wrong <= most && wrong !== number ? wrong : miskeyed(number, most, random)
}

function withError(one: Person, random: Random): Person {
  return [
    { ...one, given: misspelt(one.given, random) },
    { ...one, surname: misspelt(one.surname, random) },
    { ...one, by: miskeyed(one.by % 100, 99, random) + 1_900 },
    { ...one, bm: miskeyed(one.bm, 12, random) },
    { ...one, bd: miskeyed(one.bd, 28, random) },
  ][random.below(5)]!
}

const leadOf = ({ given, surname, by, bm, bd }: Person): MatchableLead => ({
  name: `${given} ${surname}`,
  attributes: Object.entries({ by, bm, bd }).map(([name, value]) => ({ name, value })),
})

/** F1 at 50 % over so many persons. */
export function f1OfPersons(count = 10_000): number {
  const random = createRandom(5)
  const persons = Array.from({ length: 0.9 * count }, () => person(random))
  const twice = Array.from({ length: 0.1 * count }, (_, i) => {
    const once = withError(persons[9 * i]!, random)
    return random.chance(0.5) ? withError(once, random) : once
  })
  const index = new Index()
  for (const one of [...persons, ...twice]) index.add(leadOf(one))
  let [right, wrong] = [0, 0]
  for (const [a, b] of index.pairs()) {
    if (score(index.prepared[a]!, index.prepared[b]!, index.counts) < 0.5) continue
    if (b - persons.length === a / 9) right++
    else wrong++
  }
  return (2 * right) / (right + wrong + twice.length)
}
