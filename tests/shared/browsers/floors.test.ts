import { describe, expect, test } from 'vitest'
import {
  abilities,
  buildTargets,
  engines,
  floors,
  floorVersions,
  isSince,
  needs,
  readers,
} from '#shared/browsers/floors.ts'
import viteConfig from '../../../vite.config.ts'

test.each([
  ['16.4', '16.4', true],
  ['16.3', '16.4', false],
  ['17', '16.4', true],
  ['16', '16.4', false],
  ['115', '114', true],
  ['9', '10', false],
])('%s is since %s: %s', (version, least, expected) => expect(isSince(version, least)).toBe(expected))

describe('the floors', () => {
  test('have everything that the check needs', () => {
    const lacking = abilities.flatMap((ability) =>
      engines
        .filter((engine) => !isSince(floors[engine].version, needs[ability].since[engine] ?? 'none'))
        .map((engine) => `${engine}: ${ability}`),
    )
    expect(lacking).toEqual([])
  })

  test('are the targets of styles; scripts can be parsed by older browsers, which get a message', () => {
    const { build } = viteConfig({ command: 'build', mode: 'production' }) as {
      build: { target: string[]; cssTarget: string[] }
    }
    expect(build.cssTarget).toEqual(['chrome109', 'firefox115', 'safari16.4'])
    expect(build.target).toEqual(buildTargets(readers))
    for (const engine of engines) expect(isSince(floorVersions()[engine], readers[engine])).toBe(true)
  })
})
