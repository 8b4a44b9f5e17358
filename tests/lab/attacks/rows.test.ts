import { describe, expect, test } from 'vitest'
import { flatten, type Row } from '#lab/attacks/rows.ts'

const rate = { value: 0.5, n: 6, people: 2, low: 0.1, high: 0.9 }

test('figures have the names that checks read', () => {
  const row: Row = {
    name: 'attack.warped.script.balanced',
    figure: 'apcer',
    rate,
    film: 'none',
    atStandard: { ...rate, value: 0 },
    atHigh: { ...rate, value: 0 },
    withinLimits: rate,
    found: { notPerformed: 3 },
  }
  expect(flatten([row])).toEqual({
    'attack.warped.script.balanced.apcer': 0.5,
    'attack.warped.script.balanced.apcer.n': 6,
    'attack.warped.script.balanced.apcer.people': 2,
    'attack.warped.script.balanced.apcer.low': 0.1,
    'attack.warped.script.balanced.apcer.high': 0.9,
    'attack.warped.script.balanced.apcerAtStandard': 0,
    'attack.warped.script.balanced.apcerAtStandard.n': 6,
    'attack.warped.script.balanced.apcerAtStandard.people': 2,
    'attack.warped.script.balanced.apcerAtStandard.low': 0.1,
    'attack.warped.script.balanced.apcerAtStandard.high': 0.9,
    'attack.warped.script.balanced.apcerAtHigh': 0,
    'attack.warped.script.balanced.apcerAtHigh.n': 6,
    'attack.warped.script.balanced.apcerAtHigh.people': 2,
    'attack.warped.script.balanced.apcerAtHigh.low': 0.1,
    'attack.warped.script.balanced.apcerAtHigh.high': 0.9,
    'attack.warped.script.balanced.withinLimits': 0.5,
    'attack.warped.script.balanced.withinLimits.n': 6,
    'attack.warped.script.balanced.withinLimits.people': 2,
    'attack.warped.script.balanced.withinLimits.low': 0.1,
    'attack.warped.script.balanced.withinLimits.high': 0.9,
    'attack.warped.script.balanced.found.notPerformed': 3,
  })
})

test("another pack is at the end of the figure's name", () => {
  const names = Object.keys(
    flatten([{ name: 'living/extended', figure: 'bpcerSmall', rate, atStandard: rate, found: {} }]),
  )
  expect(names[0]).toBe('living.bpcerSmall.extended')
  expect(names).toContain('living.bpcerSmall.extended.people')
  expect(names).toContain('living.standardSmall.extended')
})

describe('rows of one combination', () => {
  const row: Row = { name: 'attack.bent.script.balanced', figure: 'apcer', film: 'none', rate, found: {} }
  const namesOf = (...rows: Row[]) => Object.keys(flatten(rows)).filter((name) => name.endsWith('apcer'))

  test('include their film in their names if there are several', () => {
    expect(namesOf(row, { ...row, film: 'own' })).toEqual([
      'attack.bent.script.balanced.filmNone.apcer',
      'attack.bent.script.balanced.filmOwn.apcer',
    ])
  })

  test("include the verification's settings unless they are the default", () => {
    expect(namesOf(row, { ...row, asked: 'leastAssurance=standard' })).toEqual([
      'attack.bent.script.balanced.apcer',
      'attack.bent.script.balanced.leastAssurance=standard.apcer',
    ])
  })
})
