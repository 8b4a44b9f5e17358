import { hasFootage } from '../support/acted/clips.ts'
import { createCheck, readResult, signLink } from '../support/acted/scenario.ts'
import { inviteToConsole } from '../support/console/console.ts'
import { long } from '../support/length.ts'
import type { Authenticator } from './driver/engine.ts'
import { enginePackages, missingOf } from './driver/programs.ts'
import { test as base, expect } from './engine-fixture.ts'
import { begin, cameBack, heading, press, type Seen, until, visitMilliseconds } from './person.ts'

const test = base.extend<{ authenticator: Authenticator }>({
  async authenticator({ engine }, use) {
    const authenticator = await engine.giveAuthenticator!()
    await use(authenticator)
    await authenticator.remove()
  },
})

test.skip(!hasFootage, 'needs the footage of ../shared/data')
for (const debian of enginePackages)
  test.skip(({ engineName }) => missingOf(engineName).includes(debian), `${debian} is not installed`)

test('a passkey is created with an invitation to the console and signs its person in again', async ({
  engine,
  authenticator,
  site,
}) => {
  await engine.open(await inviteToConsole(site.product, 'Ada', 'viewer'))
  await press(engine, 'Make a passkey')
  await heading(engine, 'Overview')
  expect(await authenticator.count()).toBe(1)
  await signOut(engine)
  await press(engine, 'Sign in with a passkey')
  await heading(engine, 'Overview')
  // All ports on a host share cookies, so sign out before the next test.
  await signOut(engine)
  await heading(engine, 'Sign in')
})

async function signOut(engine: Seen): Promise<void> {
  await until(engine, 'the menu', () =>
    engine.run(() => {
      const menu = [...document.querySelectorAll('button')].find((one) => one.innerText.includes('Ada'))
      menu?.click()
      return menu && true
    }),
  )
  await press(engine, 'Sign out')
}

test(
  'a passkey is offered after a visit, created by the browser, and used at the next one',
  long,
  async ({ engine, authenticator, freshSite: site }) => {
    const check = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
    const link = () => signLink(site, check, '&reExternalId=ada')
    await engine.open(await link())
    await begin(engine)
    await press(engine, 'Add passkey', visitMilliseconds)
    const back = await cameBack(engine, site)
    expect(await authenticator.count()).toBe(1)
    const bound = await readResult(site, back.searchParams.get('reVerificationSessionId')!)
    expect(bound).toMatchObject({ assurance: 'standard' })

    await engine.open(await link())
    await press(engine, 'Agree and continue')
    await press(engine, 'Use passkey')
    // The camera is requested next, which means that the server accepted the passkey.
    await press(engine, 'Start camera')
    expect(site.stage.complaints).toEqual([])
  },
)
