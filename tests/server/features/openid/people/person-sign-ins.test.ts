import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import type { Host } from '../../../../support/host.ts'
import { openBrowser } from '../../../../support/openid/browser.ts'
import { configure, newClient, newRequest, signIn, startProvider } from '../../../../support/openid/site.ts'
import { visit } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startProvider()
})
afterAll(() => host.close())

const match = {
  verifierConfigs: {
    liveness: { type: 'Verification' as const },
    faceRecognition: { type: 'MatchVerification' as const },
  },
}
/** A sign-in's personal records: requests that name the person, codes, tokens, and what the sites call them. */
const kinds = ['entity', 'grant-member', 'interaction', 'named', 'subject', 'visit']

async function kept(): Promise<string[]> {
  const found: string[] = []
  for (const kind of kinds) for await (const { key } of host.store.list(`openid-${kind}/`)) found.push(key)
  return found.sort()
}

const exported = (externalId: string) => host.call(exportPerson, { query: { externalId } })

/** A pushed request that names the person, and the address that the browser then opens. */
async function push(made: Awaited<ReturnType<typeof newClient>>, externalId: string) {
  const config = await configure(made)
  const { asked, checks } = await newRequest({ scope: 'openid match', login_hint: externalId })
  return { config, checks, url: (await client.buildAuthorizationUrlWithPAR(config, asked)).href }
}

test("a person's records of a sign-in are exported, and gone from the store once they are erased", async () => {
  const made = await newClient(host, match)
  const person = { person: 'a', age: 34 }
  await visit(host, made.verificationId, person, 'reExternalId=ada')
  expect(await exported('ada')).toMatchObject({ subjects: [], signIns: [] })
  const before = await kept()

  const { config, checks, url } = await push(made, 'ada')
  const { address } = await signIn(host, url, person)
  const tokens = await client.authorizationCodeGrant(config, new URL(address), checks)
  const { sub: subject } = tokens.claims()!
  const { clientId } = made
  const told = await exported('ada')
  expect(told.subjects).toEqual([{ clientId, subject }])
  expect(told.signIns).toMatchObject([{ clientId, subject, claims: { matched: true, verified: true } }])
  // One that is waiting for the browser, and one that the browser has opened.
  await push(made, 'ada')
  await openBrowser().follow((await push(made, 'ada')).url, host.origin)
  // Belongs to another person, who is not erased.
  const others = await push(made, 'bert')
  expect((await kept()).length).toBeGreaterThan(before.length + 6)

  await host.call(deletePerson, { query: { externalId: 'ada' } })
  // The other person's pushed request remains, and so does the record that it names them.
  expect((await kept()).length).toBe(before.length + 2)
  expect(await exported('ada')).toMatchObject({ subjects: [], signIns: [] })
  await expect(client.fetchUserInfo(config, tokens.access_token, subject)).rejects.toThrow()
  const { address: page } = await openBrowser().follow(others.url, host.origin)
  expect(page).toContain('/verification/session/')
  expect(host.errors).toEqual([])
})
