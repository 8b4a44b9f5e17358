import { call } from '#shared/call.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification, getVerification } from '#shared/contract/configuration/verification.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { stillClip } from './support/acted/clips.ts'
import { createCheck, readResult } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'
import { closeSession, openSession, photographsOf, problemOf, sendStep } from './support/scenes/scripted.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const
const refused = { code: 'unauthenticated', pointers: [] }

test('a session token gives access to no other endpoint', async ({ site }) => {
  const id = await createCheck(site, liveness)
  const credential = await openSession(site, id)
  const { address } = site.product
  const query = { verificationSessionId: credential.verificationSessionId }
  const attempts = [
    call(fetch, address, getSessionResult, { credential, query }),
    call(fetch, address, createSignature, { credential, body: { queryString: 'a=1' } }),
    call(fetch, address, validateSignature, { credential, body: { queryString: 'a=1' } }),
    call(fetch, address, getVerification, { credential, query: { verificationId: id } }),
    call(fetch, address, createVerification, { credential, body: { name: 'mine', verificationConfig: {} } }),
    call(fetch, address, getToken, { credential, query: {} }),
    call(fetch, address, getUtcNow, { credential }),
  ]
  const problems = await Promise.all(attempts.map(problemOf))
  expect(problems).toEqual(attempts.map(() => refused))
})

test('access tokens and keys are not accepted as session tokens', async ({ site }) => {
  const { address, apiKey } = site.product
  const opened = await openSession(site, await createCheck(site, liveness))
  const { token } = await call(fetch, address, getToken, { credential: { apiKey }, query: {} })
  const pictures = await photographsOf((await stillClip()).frames)('start')
  for (const bearer of [token, apiKey]) {
    const other = { ...opened, bearer }
    expect(await problemOf(call(fetch, address, getSession, { credential: other }))).toEqual(refused)
    expect(await problemOf(sendStep(site, other, 0, pictures))).toEqual(refused)
    expect(await problemOf(closeSession(site, other, pictures))).toEqual(refused)
  }
  const byKey = call(fetch, address, getSession, { credential: { apiKey } })
  expect(await problemOf(byKey)).toEqual(refused)
})

test('a session token affects only its own session, and cannot name another', long, async ({ site }) => {
  const { address } = site.product
  const id = await createCheck(site, liveness)
  const [own, other] = [await openSession(site, id), await openSession(site, id)]
  const pictures = await photographsOf((await stillClip()).frames)('start')
  await sendStep(site, own, 0, pictures)
  const seen = await call(fetch, address, getSession, { credential: other })
  expect(seen.current).toMatchObject({ step: 0 })
  const [head, , signature] = own.bearer.split('.')
  const forged = { ...other, bearer: [head, other.bearer.split('.')[1], signature].join('.') }
  expect(await problemOf(sendStep(site, forged, 0, pictures))).toEqual(refused)
  expect(await problemOf(closeSession(site, forged, pictures))).toEqual(refused)
})

test('after the end of the session its token changes nothing', long, async ({ site }) => {
  const opened = await openSession(site, await createCheck(site, liveness))
  const shown = photographsOf((await stillClip()).frames)
  const { next } = await sendStep(site, opened, 0, await shown('start'))
  const end = await closeSession(site, opened, await shown('end'))
  const result = await readResult(site, opened.verificationSessionId)
  expect(result.verificationResult).toBe('Fail')
  const late = sendStep(site, opened, next!.step, await shown(next!.action))
  expect(await problemOf(late)).toMatchObject({ code: 'session_closed' })
  expect(await closeSession(site, opened, await shown('end'), { deviceReport: { isLive: true } })).toEqual(
    end,
  )
  expect(await readResult(site, opened.verificationSessionId)).toEqual(result)
})
