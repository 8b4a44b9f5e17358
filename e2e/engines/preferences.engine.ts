import { hasFootage } from '../support/acted/clips.ts'
import { createCheck, signLink } from '../support/acted/scenario.ts'
import { long } from '../support/length.ts'
import type { Engine } from './driver/engine.ts'
import { openFirefox } from './driver/firefox.ts'
import { enginePackages, missingOf } from './driver/programs.ts'
import { expect, test } from './engine-fixture.ts'
import { begin, cameBack, heading, press, until } from './person.ts'

/** Surroundings that only Firefox has: people set these preferences, and browsers that are built on it ship with them. */
const age = { age: { type: 'CalculationOnly' } } as const

test.skip(!hasFootage, 'needs the footage of ../shared/data')
for (const debian of enginePackages)
  test.skip(({ engineName }) => missingOf(engineName).includes(debian), `${debian} is not installed`)

/** Runs `work` in a Firefox with this preference. */
async function withPreference<T>(
  name: string,
  value: unknown,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await openFirefox({ [name]: value })
  try {
    return await work(engine)
  } finally {
    await engine.quit()
  }
}

for (const [name, value, words] of [
  ['privacy.resistFingerprinting', true, 'This browser hides the camera’s picture'],
  ['javascript.options.wasm', false, 'WebAssembly is off in this browser'],
] as const)
  test(
    `with ${name} at ${value}, the page says so, and the link still opens elsewhere`,
    long,
    async ({ engine, site }) => {
      const link = await signLink(site, await createCheck(site, age))
      await withPreference(name, value, async (closed) => {
        await closed.open(link)
        await heading(closed, words)
        expect(
          await closed.run(() => document.querySelector<HTMLElement>('.actions button')?.innerText),
        ).toBe('Copy link')
      })
      await engine.open(link)
      await press(engine, 'I don’t agree')
    },
  )

test('with storage refused, a visit goes on after a reload, and passes', long, async ({ site }) => {
  const link = await signLink(site, await createCheck(site, age))
  await withPreference('network.cookie.cookieBehavior', 2, async (closed) => {
    await closed.open(link)
    await press(closed, 'Agree and continue')
    await until(closed, 'the camera page', () =>
      closed.run(() => document.querySelector('[data-state="ready"]') && true),
    )
    await closed.run(() => location.reload())
    await begin(closed).catch(() => press(closed, 'Start camera'))
    expect((await cameBack(closed, site)).pathname).toBe('/passed')
  })
})
