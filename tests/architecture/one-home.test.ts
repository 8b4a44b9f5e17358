import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Constant, constantsOf, functionsOf, readText } from './constants.ts'
import { sourcePaths } from './source-file.ts'

const root = resolve(import.meta.dirname, '../..')
const product = sourcePaths(root).filter((path) => /^(shared|models|workers|web|server)\//.test(path))
const texts = product.map((path) => ({ path, text: readText(root, path) }))
const constants = texts.flatMap(({ path, text }) => constantsOf(path, text))
const rules = constants.filter(({ path }) => path.startsWith('models/rules/'))
const others = constants.filter(({ path }) => !path.startsWith('models/rules/'))

/** Rule constants that duplicate another one, either by name or by value and subject. */
function twinsOf(found: Constant, among: readonly Constant[]): readonly Constant[] {
  return among.filter((other) => isTwin(found, other))
}

function isTwin(a: Constant, b: Constant): boolean {
  // A one-word name (`size`, `yaw`) may belong to anything.
  if (a.name === b.name && /[A-Z.]/.test(a.name)) return true
  return (
    a.value === b.value &&
    isTelling(a.value) &&
    wordsOf(a.name).some((word) => wordsOf(b.name).includes(word))
  )
}

/** Small integers and simple fractions occur for many reasons, so they do not prove anything. */
function isTelling(value: number): boolean {
  return !Number.isInteger(value * 2) || (Number.isInteger(value) && value > 10 && value % 10 !== 0)
}

const unitsAndFillers =
  /^(in|of|to|the|milliseconds?|seconds?|degrees?|pixels?|share|least|most|limit|from|below|with|needed|asked)$/

function wordsOf(name: string): readonly string[] {
  return name
    .split(/(?=[A-Z])|\./)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2 && !unitsAndFillers.test(word))
}

const described = ({ path, name, value }: Constant) => `${path}: ${name} = ${value}`

describe('the rules of faces have one home', () => {
  test('finds rules to look for', () => {
    expect(rules.length).toBeGreaterThan(40)
    expect(rules.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['turnDegrees', 'closer.needed', 'closer.asked', 'graceInSeconds', 'frontal']),
    )
  })

  test('does not repeat their numbers elsewhere, by name or by value', () => {
    const twins = rules.flatMap((rule) =>
      twinsOf(rule, others).map((other) => `${described(rule)} is ${described(other)}`),
    )
    expect(twins).toEqual([])
  })

  test.each([
    'graceInSeconds',
    'graceInMilliseconds',
    'mostClockRestarts',
    'mostOtherActions',
    'straightYawDegrees',
    'secondFaceShare',
    'strayShare',
    'backShare',
    'moveSlowlyMilliseconds',
    'tooSlowMilliseconds',
    'turnDegrees',
    'upDegrees',
    'downDegrees',
  ])('%s is declared once at most', (name) => {
    expect(constants.filter((one) => one.name === name).length).toBeLessThanOrEqual(1)
  })

  test.each(['moveSlowlyMilliseconds', 'tooSlowMilliseconds'])('%s is read', (name) => {
    expect(texts.filter(({ text }) => text.includes(`.${name}`))).not.toEqual([])
  })

  test.each(['expressionNames', 'headMovements', 'movements', 'actionCounts'])('declares %s once', (name) => {
    const declares = new RegExp(`\\bconst ${name}\\b`)
    expect(texts.filter(({ text }) => declares.test(text)).map(({ path }) => path)).toHaveLength(1)
  })

  test('has one median in the product', () => {
    const naming = texts.filter(({ text }) => /median/i.test(text))
    const medians = naming.flatMap(({ path, text }) =>
      functionsOf(path, text)
        .filter((name) => /^median/i.test(name))
        .map(() => path),
    )
    expect(medians).toEqual(['models/rules/median.ts'])
  })

  test.each([
    ['the same name', 'web/planted.ts', 'const turnDegrees = 18'],
    [
      'the same value with the same meaning',
      'server/planted.ts',
      'export const limits = { pictureFlatness: 0.085 }',
    ],
    ['a value of a table under its name', 'web/planted.ts', 'const page = { straightYawDegrees: 14 }'],
  ])('a planted twin is found: %s', (_, path, text) => {
    const planted = constantsOf(path, text)
    expect(rules.flatMap((rule) => twinsOf(rule, planted))).not.toEqual([])
  })
})
