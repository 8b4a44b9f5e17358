import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import { createVerification, updateVerification } from '#shared/contract/configuration/verification.ts'
import { initRedirectSession, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { frameOf } from '../../../../support/drawn/fake-picture.ts'
import { shownEvidence } from '../../../../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  act,
  consent,
  type Opened,
  problemOf,
  resultOf,
  signedQuery,
  step,
  submit,
} from '../../../../support/visit.ts'

/** Determines whether a visit lacks evidence. Drawn visits otherwise always would. */
beforeEach(() => {
  shownEvidence.isMissing = true
})

const limit = 2
const hour = 3600_000
const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

async function start(forgeryLimit: number | 'none' = limit) {
  const host = await startHost({
    ports: { forgeryLimit: forgeryLimit === 'none' ? undefined : forgeryLimit },
  })
  hosts.push(host)
  const verificationConfig = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
  const body = { name: 'Door', verificationConfig }
  const { verificationId } = await host.call(createVerification, { body })
  const open = async (query: string): Promise<Opened> => {
    const queryString = await signedQuery(host, query)
    const opened = await host.call(initRedirectSession, { body: { verificationId, queryString } })
    return { ...opened, bearer: opened.sessionToken }
  }
  const walk = async (opened: Opened) => {
    const scene = { person: 'anna' }
    let { next } = await step(host, opened, 0, scene)
    while (next !== null) next = (await act(host, opened, next, scene)).next
    await submit(host, opened, scene)
    return resultOf(host, opened)
  }
  return { host, verificationId, open, walk, visit: async (query: string) => walk(await open(query)) }
}

describe('sessions that end like a forgery’s', () => {
  test('block the external id for an hour from the second on, and no other', async () => {
    const { host, open, visit } = await start()
    await visit('reExternalId=anna')
    await visit('reExternalId=anna')
    await expect(open('reExternalId=anna')).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterInSeconds: expect.closeTo(3600, -2),
    })
    await open('reExternalId=bert')
    host.pass(hour)
    await open('reExternalId=anna')
  })

  test('block it for create-session too', async () => {
    const { host, verificationId, visit } = await start()
    for (let i = 0; i < limit; i++) await visit('reExternalId=anna')
    const body = (externalId: string) => ({ body: { verificationId, externalId } })
    expect(await problemOf(host.call(createSession, body('anna')))).toBe('too_many_requests')
    await host.call(createSession, body('bert'))
  })

  test('are reported next to the second, also by address only, which blocks nothing', async () => {
    const { open, visit } = await start()
    const first = await visit('reExternalId=anna')
    const second = await visit('reExternalId=bert')
    const suspected = (result: typeof first) =>
      result.findings.filter(({ kind }) => kind === 'forgerySuspected')
    expect(suspected(first)).toEqual([])
    expect(suspected(second)).toEqual([
      { kind: 'forgerySuspected', verificationSessionId: first.verificationSessionId },
    ])
    await visit('reExternalId=carl')
    await open('reExternalId=dora')
  })

  test('block a signed link, and none that anyone may open', async () => {
    const { host, verificationId, open, walk } = await start()
    const link = await signedQuery(host, 'order=7', { enableNonce: false })
    const again = async (queryString: string) => {
      const opened = await host.call(initRedirectSession, { body: { verificationId, queryString } })
      return walk({ ...opened, bearer: opened.sessionToken })
    }
    for (let i = 0; i < limit; i++) await again(link)
    expect(await problemOf(again(link))).toBe('too_many_requests')
    await open('order=8')
    const securityConfig = { forceSignedInput: false }
    const verificationConfig = {
      securityConfig,
      verifierConfigs: { liveness: { type: 'Verification' as const } },
    }
    await host.call(updateVerification, { body: { verificationId, verificationConfig } })
    for (let i = 0; i < limit + 1; i++) await again('')
  })

  test('do not include those of people who decline two turns', async () => {
    const { host, verificationId, open } = await start()
    const allowing = {
      verifierConfigs: { liveness: { type: 'Verification' as const, allowAlternative: true } },
    }
    await host.call(updateVerification, { body: { verificationId, verificationConfig: allowing } })
    for (let i = 0; i < limit + 1; i++) {
      const opened = await open('reExternalId=anna')
      const { next } = await step(host, opened, 0, { person: 'anna' })
      for (let exchanges = 0; exchanges < 2; exchanges++)
        await host.call(submitStep, {
          bearer: opened.bearer,
          body: { step: next!.step, frames: [], request: 'otherAction' },
        })
      await submit(host, opened, { person: 'anna' })
      expect((await resultOf(host, opened)).verificationFailedReasons).toContain('evidenceMissing')
    }
  })

  test('include those whose person reports after such a try that there is no camera', async () => {
    const { host, open } = await start()
    for (let i = 0; i < limit; i++) {
      const opened = await open('reExternalId=anna')
      const scene = { person: 'anna' }
      let { next } = await step(host, opened, 0, scene)
      while (next !== null) next = (await act(host, opened, next, scene)).next
      const frames = [{ ...frameOf(scene), challengeStep: 0 }]
      const { bearer } = opened
      await host.call(submitSession, { bearer, body: { frames, consent, acceptsRetry: true } })
      const left = { frames: [], consent, problem: 'cameraUnavailable' as const }
      await host.call(submitSession, { bearer, body: left })
    }
    expect(await problemOf(open('reExternalId=anna'))).toBe('too_many_requests')
  })

  test('do not include a session that ends in another way', async () => {
    shownEvidence.isMissing = false
    const { open, visit } = await start()
    for (let i = 0; i < 3; i++) await visit('reExternalId=anna')
    shownEvidence.isMissing = true
    const [result] = [await visit('reExternalId=anna')]
    expect(result.findings.filter(({ kind }) => kind === 'forgerySuspected')).toEqual([])
    await open('reExternalId=anna')
  })

  test('are only reported if there is no limit', async () => {
    const { open, visit } = await start('none')
    for (let i = 0; i < 3; i++) await visit('reExternalId=anna')
    await open('reExternalId=anna')
  })

  test('are deleted with the person, and are in the export', async () => {
    const { host, open, visit } = await start()
    for (let i = 0; i < limit; i++) await visit('reExternalId=anna')
    const query = { query: { externalId: 'anna' } }
    expect((await host.call(exportPerson, query)).suspectedSessions).toHaveLength(limit)
    await host.call(deletePerson, query)
    expect((await host.call(exportPerson, query)).suspectedSessions).toEqual([])
    await open('reExternalId=anna')
  })
})
