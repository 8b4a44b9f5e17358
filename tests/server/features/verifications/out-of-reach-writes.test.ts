import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTable } from '#server/platform/store/tables.ts'
import {
  createOrUpdateVerification,
  createVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import type { Problem } from '#shared/problem.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const verifierConfigs = { liveness: { type: 'Verification', leastAssurance: 'high' } } as const
const verificationConfig = { verifierConfigs }

test('no write may demand high without PASSKEY_ROOTS, and each error names it', async () => {
  const verificationId = await newVerification(host)
  const writes: (() => Promise<unknown>)[] = [
    () => host.call(createVerification, { body: { name: 'a', verificationConfig } }),
    () => host.call(createOrUpdateVerification, { body: { name: 'b', verificationConfig } }),
    () => host.call(updateVerification, { body: { verificationId, verificationConfig } }),
    () => host.call(createSession, { body: { verifierConfigs } }),
  ]
  const place = 'verifierConfigs/liveness/leastAssurance'
  const pointers = [...Array(3).fill(`#/verificationConfig/${place}`), `#/${place}`]
  for (const [i, write] of writes.entries()) {
    const problem: Problem = await write().then(
      () => expect.fail(),
      (error) => error,
    )
    expect([problem.status, problem.errors]).toEqual([
      400,
      [{ pointer: pointers[i], message: expect.stringContaining('PASSKEY_ROOTS') }],
    ])
  }
})

test('a stored one continues, and its next write is refused until it demands less', async () => {
  const verificationId = await newVerification(host)
  const details = createTable<object>(host.store, 'verification')
  const before = (await details.get(host.accountId, verificationId))!
  await details.put(host.accountId, verificationId, { ...before, verificationConfig })
  await host.call(createSession, { body: { verificationId } })
  const rename = (more: object) =>
    host.call(updateVerification, { body: { verificationId, name: 'renamed', ...more } })
  await expect(rename({})).rejects.toMatchObject({ status: 400 })
  await rename({ verificationConfig: {} })
})
