import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, setPrimaryKey } from '#shared/contract/account/account.ts'
import {
  createOrUpdateVerification,
  createVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import type { Scope } from '#shared/endpoint.ts'
import { type Host, startHost } from '../support/host.ts'
import { newVerification, problemOf } from '../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const verificationConfig = { webhookConfig: { eventCallbackUrl: 'https://receiver.example/hook' } }
let names = 0

const keyWith = async (scopes: Scope[]) => host.call(createKey, { body: { name: 'A key', scopes } })

/** The different ways to set a webhook's target. */
const ways = {
  create: (apiKey: string) =>
    host.call(createVerification, { apiKey, body: { name: `aimed ${++names}`, verificationConfig } }),
  'create-or-update': async (apiKey: string) => {
    const name = `aimed ${++names}`
    await host.call(createVerification, { body: { name } })
    return host.call(createOrUpdateVerification, { apiKey, body: { name, verificationConfig } })
  },
  update: async (apiKey: string) => {
    const verificationId = await newVerification(host)
    const body = { verificationId, name: `aimed ${++names}`, verificationConfig }
    return host.call(updateVerification, { apiKey, body })
  },
}

describe.each(Object.entries(ways))('%s', (_name, aim) => {
  test("sets a webhook's target only with every scope of its key", async () => {
    const primaries: [Scope[], Scope[], string][] = [
      [['admin', 'configure'], ['configure'], 'forbidden'],
      [['admin', 'configure'], ['configure', 'admin'], 'no problem'],
      [['tokens'], ['configure'], 'forbidden'],
      [['configure'], ['configure'], 'no problem'],
      [[], ['configure'], 'no problem'],
    ]
    for (const [carried, held, expected] of primaries) {
      const { keyId } = await keyWith(carried)
      await host.call(setPrimaryKey, { body: { keyId } })
      const { apiKey } = await keyWith(held)
      expect([carried, held, await problemOf(aim(apiKey))]).toEqual([carried, held, expected])
    }
  })
})
