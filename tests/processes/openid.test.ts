import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reactionInMilliseconds } from '#models/rules/challenge/step-judgement.ts'
import { createOpenidKeys } from '#server/features/openid/keys.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { submitStep } from '#shared/contract/sessions/session.ts'
import { some } from '../../e2e/support/length.ts'
import type { Host } from '../support/host.ts'
import { openBrowser } from '../support/openid/browser.ts'
import { actVisit, newClient, redirectUri, startProvider } from '../support/openid/site.ts'
import { type StoreServer, storeServers } from '../support/programs/store-server.ts'

const issuer = 'https://verify.example'
/** The key ring that test hosts use. */
const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
const person = { person: 'a', age: 34 }

describe.each(some(storeServers))(
  'a sign-in, each step of which goes to another process, on %s',
  (_name, kind) => {
    if (kind.isMissing) return test.skip(`needs ${kind.name}`, () => undefined)
    let server: StoreServer
    let stores: Store[]
    let hosts: Host[]
    let turn = 0
    beforeAll(async () => {
      server = await kind.start()
      stores = await Promise.all([server.open(), server.open(), server.open()])
      const ports = { origin: () => issuer, issuer: () => issuer }
      hosts = await Promise.all(stores.map((store) => startProvider({ store, ports })))
    })
    afterAll(async () => {
      await Promise.all(hosts.map((host) => host.close()))
      await Promise.all(stores.map((store) => store.close()))
      await server.stop()
    })

    /** The process that is next in line, for an issuer address. */
    const next = (address: string) => address.replace(issuer, hosts[turn++ % hosts.length]!.origin)

    const balanced = (): Host => ({
      ...hosts[0]!,
      call: (endpoint, args) => {
        if (endpoint.path === submitStep.path) for (const host of hosts) host.pass(reactionInMilliseconds)
        return hosts[turn++ % hosts.length]!.call(endpoint, { apiKey: hosts[0]!.apiKey, ...args })
      },
    })

    type Made = Awaited<ReturnType<typeof newClient>>

    const post = ({ clientId, clientSecret }: Made, path: string, form: Record<string, string>) =>
      fetch(next(`${issuer}/openid${path}`), {
        method: 'POST',
        headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
        body: new URLSearchParams(form),
      })

    /** Follows an answer's redirects, each on another process, up to the visit's page or the site. */
    async function follow(browser: ReturnType<typeof openBrowser>, address: string): Promise<string> {
      let at = address
      for (let hops = 0; hops < 12; hops++) {
        const response = await browser.fetch(next(at))
        const location = response.headers.get('Location')
        if (location === null) throw new Error(`${response.status} at ${at}`)
        // The provider names itself. Redirects without a host stay on it.
        at = new URL(location, issuer).href
        if (at.includes('/verification/session/') || !at.startsWith(issuer)) return at
      }
      throw new Error('Too many redirects')
    }

    /** A code from a whole visit, and the data needed to redeem it. */
    async function newCode(made: Made) {
      const verifier = randomBytes(32).toString('base64url')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const pushed = await post(made, '/par', {
        client_id: made.clientId,
        response_type: 'code',
        scope: 'openid face',
        redirect_uri: redirectUri,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      expect(pushed.status).toBe(201)
      const { request_uri } = (await pushed.json()) as { request_uri: string }
      const query = new URLSearchParams({ client_id: made.clientId, request_uri })
      const browser = openBrowser()
      const page = await follow(browser, `${issuer}/openid/auth?${query}`)
      const back = await actVisit(balanced(), page, person)
      const answer = new URL(await follow(browser, back))
      expect(answer.searchParams.get('iss')).toBe(`${issuer}/openid`)
      return {
        grant_type: 'authorization_code',
        code: answer.searchParams.get('code')!,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }
    }

    const userinfo = (token: string) =>
      fetch(next(`${issuer}/openid/userinfo`), { headers: { Authorization: `Bearer ${token}` } })

    test('ends with tokens that every process accepts', async () => {
      const made = await newClient(hosts[0]!)
      for (let i = 0; i < hosts.length; i++) {
        turn = i
        const redeemed = await post(made, '/token', await newCode(made))
        expect(redeemed.status).toBe(200)
        const { access_token } = (await redeemed.json()) as { access_token: string }
        for (const _host of hosts) expect((await userinfo(access_token)).status).toBe(200)
      }
    })

    test('gives one answer for a code that is redeemed at all of them at once, and then revokes it', async () => {
      const made = await newClient(hosts[0]!)
      const form = await newCode(made)
      const answers = await Promise.all(Array.from({ length: 9 }, () => post(made, '/token', form)))
      const passed = answers.filter(({ status }) => status === 200)
      expect(passed.length).toBeLessThanOrEqual(1)
      const bodies = await Promise.all(
        answers.filter((one) => !passed.includes(one)).map((one) => one.json()),
      )
      for (const body of bodies) expect(body).toMatchObject({ error: 'invalid_grant' })
      for (const one of passed) {
        const { access_token } = (await one.json()) as { access_token: string }
        expect((await userinfo(access_token)).status).toBe(401)
      }
    })

    test('is signed by the newest key that every process publishes, whichever has created it', async () => {
      const kidsOf = async (host: Host) => {
        const { keys } = (await (await host.fetch('/openid/jwks')).json()) as { keys: { kid: string }[] }
        return keys.map(({ kid }) => kid)
      }
      const [former] = await kidsOf(hosts[0]!)
      const kid = await createOpenidKeys(stores[1]!, keyRing, () => hosts[1]!.now()).live.rotate(false)
      const signedBy = async () => {
        const made = await newClient(hosts[0]!)
        const answer = await post(made, '/token', await newCode(made))
        const { id_token } = (await answer.json()) as { id_token: string }
        return JSON.parse(Buffer.from(id_token.split('.')[0]!, 'base64url').toString()) as object
      }
      for (const host of hosts) host.pass(3001)
      for (const host of hosts) expect(await kidsOf(host)).toEqual([former, kid])
      expect(await signedBy()).toMatchObject({ kid: former, alg: 'RS256' })
      for (const host of hosts) host.pass(3000)
      for (const host of hosts) expect(await kidsOf(host)).toEqual([kid, former])
      expect(await signedBy()).toMatchObject({ kid, alg: 'RS256' })
    })

    test('causes no errors in the processes', () => {
      expect(hosts.flatMap(({ errors }) => errors)).toEqual([])
    })
  },
)
