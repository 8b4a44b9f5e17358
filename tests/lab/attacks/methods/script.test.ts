import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Forgery, LivenessSettings } from '#lab/attacks/forgery.ts'
import { script } from '#lab/attacks/methods/script.ts'
import type { Product } from '../../../../e2e/support/product.ts'

const forgery: Forgery = {
  momentInMilliseconds: 1,
  film: async () => [],
  frames: async () => [Buffer.from('picture')],
}

/** The product's answers by the last path segment, and the configurations of the sessions that were opened. */
let answers: Record<string, unknown>
let opened: object[]
let server: Server
let product: Product

beforeEach(async () => {
  opened = []
  answers = {
    'create-session': { verificationSessionId: 'a', sessionToken: 'b' },
    'submit-step': { next: null },
    'submit-session': { offersPasskey: true },
    'create-passkey-options': { options: { challenge: 'x', rp: { id: 'localhost' }, rpId: 'localhost' } },
    'bind-passkey': {},
    'verify-passkey': { verified: true },
    'get-session-result': {
      verificationResult: 'Pass',
      verificationFailedReasons: [],
      assurance: 'standard',
    },
  }
  server = createServer(async (request, response) => {
    const [, name] = /\/([a-z-]+)(?:\?|$)/.exec(request.url!)!
    const sent = Buffer.concat(await request.toArray()).toString()
    if (name === 'create-session') opened.push(JSON.parse(sent).verifierConfigs.liveness)
    const answer = answers[name!]
    response.statusCode = answer === undefined ? 403 : 200
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(answer ?? { code: 'forbidden', title: 'No', detail: 'No' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  product = { address, apiKey: 'key' } as Product
})
afterEach(() => void server.close())

async function attempt(asked: LivenessSettings) {
  const way = await script.open(product, { challenge: 'Balanced', asked, film: 'none' })
  return way.attempt(forgery, () => forgery)
}

test('sends only the challenge if no other configuration is given', async () => {
  answers['get-session-result'] = {
    verificationResult: 'Pass',
    verificationFailedReasons: [],
    assurance: 'low',
  }
  expect(await attempt({})).toEqual({ passed: true, assurance: 'low', reasons: [] })
  expect(opened).toEqual([{ type: 'Verification', challengeType: 'Balanced' }])
})

test('a refused passkey does not affect the visit that passed, and leads to nothing', async () => {
  delete answers['bind-passkey']
  expect(await attempt({})).toMatchObject({ passed: true, assurance: 'standard', leadsToHigh: false })
  expect(opened).toHaveLength(1)
})

test('a bound passkey with a result of standard does not lead to high', async () => {
  expect(await attempt({})).toMatchObject({ passed: true, leadsToHigh: false })
  expect(opened.at(-1)).toMatchObject({ leastAssurance: 'high' })
})

test('for high, a passkey is bound at a first visit at standard, and the second visit counts', async () => {
  expect(await attempt({ leastAssurance: 'high' })).toMatchObject({ passed: false, leadsToHigh: false })
  expect(opened).toMatchObject([{ leastAssurance: 'standard' }, { leastAssurance: 'high' }])
})
