// The most bits that the places of two rows can have: compare/places.ts is what they are.
import { EARTH_RADIUS_KM } from "../../lead/geo.ts"
import { DISTANCES } from "../compare/places.ts"
import { levelsOf } from "../levels.ts"
import type { Weights } from "../weights.ts"
import { contacts, mayBeAlike } from "./contacts.ts"
import { POSTAL_BASE, POSTAL_CHARACTERS } from "./encode.ts"
import {
  COLUMN,
  DEGREE,
  LENGTH_MAX,
  lengthIn,
  lettersApart,
  lettersIn,
  METRES_OFF,
  NO_PLACE,
} from "./layout.ts"

const F = levelsOf("postal", "city", "state", "country", "distance")
const [SAME, NEAR] = [1, 2]

/** `maySameAddress`: then the one city may be a suburb of the other. */
export function mostOfPlaces(
  a: Int32Array,
  b: Int32Array,
  maySameAddress: boolean,
  weights: Weights,
): number {
  let most = 0
  let maySamePostal = false
  const postalA = a[COLUMN.postal]!
  const postalB = b[COLUMN.postal]!
  if (postalA !== 0 && postalB !== 0) {
    const may = postalLevels(postalA, postalB)
    maySamePostal = (may & SAME) !== 0
    let bits = weights[F["postal.differs"]]!
    if (maySamePostal) bits = Math.max(bits, weights[F["postal.same"]]!)
    if ((may & NEAR) !== 0) bits = Math.max(bits, weights[F["postal.near"]]!)
    most += bits
  }
  const mayBeOnePlace = maySamePostal || contacts.maySamePhone || maySameAddress
  most += mostOfCities(a, b, mayBeOnePlace, weights)
  const regionA = a[COLUMN.region]!
  const regionB = b[COLUMN.region]!
  const stateA = regionA & 0xffff
  const stateB = regionB & 0xffff
  if (stateA !== 0 && stateB !== 0) {
    if (stateA === stateB) most += Math.max(0, weights[F["state.same"]]!, weights[F["state.differs"]]!)
    // Lengths are kept up to 15.
    else if ((stateA & 15) === (stateB & 15)) most += withLength(stateA, weights[F["state.differs"]]!)
  }
  if (regionA >>> 16 !== 0 && regionB >>> 16 !== 0)
    most +=
      regionA >>> 16 === regionB >>> 16
        ? Math.max(0, weights[F["country.differs"]]!)
        : weights[F["country.differs"]]!
  return most + mostOfDistance(a, b, weights)
}

function withLength(state: number, bits: number): number {
  return (state & 15) < 15 ? bits : Math.max(0, bits)
}

function mostOfCities(a: Int32Array, b: Int32Array, mayBeOnePlace: boolean, weights: Weights): number {
  const lettersA = a[COLUMN.cityLetters]!
  const lettersB = b[COLUMN.cityLetters]!
  if (lettersA === 0 || lettersB === 0) return 0
  if (a[COLUMN.city] === b[COLUMN.city]) return weights[F["city.same"]]!
  let most = weights[F["city.differs"]]!
  if (mayBeOnePlace) most = Math.max(most, weights[F["city.suburb"]]!)
  const isShorter = lengthIn(lettersA) < lengthIn(lettersB)
  const [shorter, longer] = isShorter ? [lettersA, lettersB] : [lettersB, lettersA]
  const mayContain = (lettersIn(shorter) & ~lettersIn(longer)) === 0
  const mayBeLike =
    mayBeAlike(lettersA, lettersB, 0.4) &&
    (longer >>> 26 === LENGTH_MAX || lettersApart(a, b, COLUMN.cityCounts) <= 0.8 * lengthIn(longer) + 1e-6)
  if (mayContain || mayBeLike) most = Math.max(most, weights[F["city.similar"]]!)
  return most
}

/** Levels that two postal codes may come to, beside "differs". */
function postalLevels(a: number, b: number): number {
  const lengthA = a >>> 26
  const lengthB = b >>> 26
  const shorter = Math.min(lengthA, lengthB)
  if (a === b) return SAME | NEAR
  if (Math.abs(lengthA - lengthB) === 1 && shorter > 3) return SAME | NEAR
  let apart = 0
  let firstApart = POSTAL_CHARACTERS
  let [left, right] = [a & 0x03ffffff, b & 0x03ffffff]
  for (let i = POSTAL_CHARACTERS - 1; i >= 0; i--) {
    if (left % POSTAL_BASE !== right % POSTAL_BASE && i < shorter) {
      apart++
      firstApart = i
    }
    left = Math.trunc(left / POSTAL_BASE)
    right = Math.trunc(right / POSTAL_BASE)
  }
  if (shorter < 4) return 0
  const may = firstApart >= Math.min(shorter, POSTAL_CHARACTERS) && lengthA !== lengthB ? SAME : 0
  // One other character, two swapped, or the last one apart.
  const mayBeNear = apart <= 2 || firstApart >= Math.min(shorter - 1, POSTAL_CHARACTERS)
  return may | (mayBeNear ? NEAR : 0)
}

const RADIAN = Math.PI / 180
function mostOfDistance(a: Int32Array, b: Int32Array, weights: Weights): number {
  if (a[COLUMN.latitude] === NO_PLACE || b[COLUMN.latitude] === NO_PLACE) return 0
  const latitudeA = a[COLUMN.latitude]! / DEGREE
  const latitudeB = b[COLUMN.latitude]! / DEGREE
  let aside = Math.abs(a[COLUMN.longitude]! - b[COLUMN.longitude]!) / DEGREE
  if (aside > 180) aside = 360 - aside
  const across = aside * RADIAN * Math.cos(((latitudeA + latitudeB) / 2) * RADIAN)
  const up = (latitudeA - latitudeB) * RADIAN
  const metres = Math.sqrt(up * up + across * across) * EARTH_RADIUS_KM * 1_000
  let level = 0
  while (metres - METRES_OFF > DISTANCES[level]![0]) level++
  let most = weights[DISTANCES[level]![1]]!
  if (metres + METRES_OFF > DISTANCES[level]![0]) most = Math.max(most, weights[DISTANCES[level + 1]![1]]!)
  return most
}
