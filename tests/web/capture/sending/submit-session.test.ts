import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ClosingReason } from '#web/capture/machine/submissions.ts'
import { createClient } from '#web/capture/sending/submit.ts'
import { sentBody } from '../../../../e2e/support/acted/sent-body.ts'

const answer = { verificationResult: 'Fail', redirectUrl: null }

/** The request that a page sends when it closes its session this way. */
async function sentBy(
  closing: ClosingReason,
  attempt = 1,
  consented = true,
): Promise<Record<string, unknown>> {
  const sent: Uint8Array[] = []
  class Request {
    upload = {}
    status = 200
    responseText = JSON.stringify(answer)
    onload = () => {}
    onloadend = () => {}
    open() {}
    setRequestHeader() {}
    getResponseHeader() {
      return null
    }
    send(body: Uint8Array) {
      sent.push(body)
      this.onload()
      this.onloadend()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const wording = { wordingVersion: '1', locale: 'en' }
  const session = { closing, attempt, consented, trail: [], wording, deviceReport: {} }
  const client = createClient('https://a.example')
  expect(
    await client.submitSession(
      'token',
      session,
      () => true,
      () => {},
    ),
  ).toEqual(answer)
  const { deviceReport: _, ...body } = sentBody(sent[0]!) as Record<string, unknown>
  return body
}

const given = { given: true, wordingVersion: '1', locale: 'en' }
const frames = [{ bytes: new Uint8Array([1]), time: 5 }]

describe('a session is closed', () => {
  afterEach(() => vi.unstubAllGlobals())

  test.each([1, 2, 3])('by pictures of try %i, and the page can offer another one', async (attempt) => {
    expect(await sentBy({ kind: 'frames', frames, challengeStep: 2 }, attempt)).toEqual({
      frames: [{ bytes: 'AQ==', time: 5, challengeStep: 2 }],
      consent: given,
      acceptsRetry: true,
      try: attempt,
    })
  })

  test('with the verdict of the previous try', async () => {
    expect(await sentBy({ kind: 'left' }, 2)).toEqual({ frames: [], consent: given, leave: true })
  })

  test.each([true, false])('by the other way, with the consent as given: %s', async (consented) => {
    expect(await sentBy({ kind: 'otherWay' }, 1, consented)).toEqual({
      frames: [],
      consent: { ...given, given: consented },
      problem: 'alternativeChosen',
    })
  })

  test('without a camera, without consent, and by the banner of a test', async () => {
    expect(await sentBy({ kind: 'noCamera' })).toMatchObject({ problem: 'cameraUnavailable', consent: given })
    expect(await sentBy({ kind: 'declined' })).toMatchObject({ consent: { given: false } })
    expect(await sentBy({ kind: 'test', result: 'noFace' }, 1)).toMatchObject({
      testOutcome: { result: 'noFace' },
      acceptsRetry: true,
    })
  })
})
