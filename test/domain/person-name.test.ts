import { expect, test } from "bun:test"
import { splitName } from "../../src/domain/exports/presets.ts"

test.each([
  ["Jane Doe", "Jane", "Doe"],
  ["Juan de la Cruz", "Juan", "de la Cruz"],
  ["Vincent van Dijk", "Vincent", "van Dijk"],
  ["Otto von der Heide", "Otto", "von der Heide"],
  ["Maria João da Silva", "Maria João", "da Silva"],
  ["Martin Luther King Jr.", "Martin Luther", "King Jr."],
  ["Henry Ford III", "Henry", "Ford III"],
  ["Doe, Jane", "Jane", "Doe"],
  ["Nuno Sá", "Nuno", "Sá"],
  ["Ben Smith", "Ben", "Smith"],
  ["山田 太郎", "太郎", "山田"],
  ["Prince", "", "Prince"],
  ["Acme GmbH & Co. KG", "", "Acme GmbH & Co. KG"],
  ["Muster AG", "", "Muster AG"],
  ["Smith & Sons Ltd.", "", "Smith & Sons Ltd."],
  ["  Jane   Doe ", "Jane", "Doe"],
])("%s", (name, first, last) => expect(splitName(name)).toEqual({ first, last }))
