import { hasFootage } from '../support/acted/clips.ts'
import { createCheck, signLink } from '../support/acted/scenario.ts'
import { long } from '../support/length.ts'
import type { Devices } from '../support/surroundings/cameras.ts'
import { enginePackages, missingOf } from './driver/programs.ts'
import { expect, test } from './engine-fixture.ts'
import { begin, cameBack, press } from './person.ts'

/** Rows of e2e/support/surroundings/cases.ts that depend on how a browser lists its cameras. */
test.skip(!hasFootage, 'needs the footage of ../shared/data')
for (const debian of enginePackages)
  test.skip(({ engineName }) => missingOf(engineName).includes(debian), `${debian} is not installed`)

const lists: readonly Devices[] = [
  { kinds: ['black', 'good'], named: true, list: 'listed once allowed' },
  { kinds: ['black', 'good'], named: false, list: 'listed' },
]

for (const devices of lists)
  test(
    `of cameras that are ${devices.list} (names: ${devices.named}), the second one is reached, and the visit passes`,
    long,
    async ({ engine, site }) => {
      site.stage.devices = devices
      try {
        await engine.open(await signLink(site, await createCheck(site, { age: { type: 'CalculationOnly' } })))
        await begin(engine)
        await press(engine, 'Use another camera')
        expect((await cameBack(engine, site)).pathname).toBe('/passed')
      } finally {
        site.stage.devices = null
      }
    },
  )
