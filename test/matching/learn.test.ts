import { expect, test } from "bun:test"
import {
  DECISIONS_MIN,
  type Decision,
  keptWeights,
  learn,
  lessonOf,
  probabilityFrom,
  SHIPPED,
  valuesOf,
  weightsFrom,
  weightTable,
} from "../../src/matching/matcher/index.ts"
import { compared } from "./lead.ts"

const { evidence } = compared(
  { name: "Nail Palace", city: "Austin", address: "1 Main St", phone: "512 555 0100" },
  { name: "Vision Optics", city: "Austin", address: "1 Main St", phone: "512 555 0100" },
)
const decided = (isSame: boolean, times: number): Decision[] =>
  Array.from({ length: times }, () => ({ evidence, isSame }))
const after = (decisions: Decision[]) => probabilityFrom(valuesOf(evidence), learn(decisions))

test("fewer decisions than it takes leave the shipped weights", () => {
  expect(learn(decided(true, DECISIONS_MIN - 1))).toBe(SHIPPED)
})

test("decisions move what is said of pairs like them", () => {
  expect(after(decided(true, 60))).toBeGreaterThan(0.7)
  expect(after(decided(false, 60))).toBeLessThan(0.2)
})

test("the same decisions give the same weights", () => {
  expect(learn(decided(true, 40))).toEqual(learn(decided(true, 40)))
})

test("decisions that are as likely as the shipped weights say leave these", () => {
  const { probability } = compared(
    { name: "Nail Palace", city: "Austin", address: "1 Main St", phone: "512 555 0100" },
    { name: "Vision Optics", city: "Austin", address: "1 Main St", phone: "512 555 0100" },
  )
  const expected = Array.from({ length: 100 }, (_, i) => ({
    evidence,
    isSame: Math.floor((i + 1) * probability) > Math.floor(i * probability),
  }))
  expect(expected.some(({ isSame }) => isSame)).toBe(true)
  expect(learn(expected)).toBe(SHIPPED)
})

test("tells by how much learned and shipped weights surprise, from enough decisions on", () => {
  expect(lessonOf(decided(true, DECISIONS_MIN - 1)).loss).toBeNull()
  const { loss } = lessonOf(decided(true, 60))
  expect(loss).toMatchObject({ decisions: 60 })
  expect(loss!.learned).toBeLessThan(loss!.shipped)
})

test("learns from pairs that all were taken for certain", () => {
  const pair = { name: "Elektro Baumgartner", city: "Berlin", address: "Torstr. 12", phone: "+49 30 1234567" }
  const { evidence } = compared({ ...pair, website: "firm.example" }, { ...pair, website: "firm.example" })
  const { weights, loss } = lessonOf(Array.from({ length: 30 }, () => ({ evidence, isSame: false })))
  expect(loss!.learned).toBeLessThan(loss!.shipped / 2)
  expect(probabilityFrom(valuesOf(evidence), weights)).toBeLessThan(0.5)
})

test("weights that were kept before a feature was known have the shipped one for it", () => {
  const { "mix.moved": moved, ...kept } = weightTable(SHIPPED)
  expect(keptWeights({ ...kept, "phone.same": 1 })).toEqual(
    weightsFrom({ ...kept, "phone.same": 1, "mix.moved": moved }),
  )
  expect(keptWeights(null)).toBe(SHIPPED)
})
