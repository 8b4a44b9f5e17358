import { describe, expect, test, vi } from 'vitest'
import { unsuitedBrowser } from '#web/capture/flow/browser.ts'
import { deadlineOf } from '#web/capture/flow/deadline.ts'
import { createDepart, type Exit, exitOf } from '#web/capture/flow/departure.ts'
import { dropAppended, readLink, safeRedirect, sessionLink, stripLink } from '#web/capture/flow/link.ts'
import { progressOf, readRecord, type SessionRecord, writeRecord } from '#web/capture/flow/session-record.ts'

const address = (text: string) => new URL(text, 'https://check.example')

describe('the address', () => {
  test('a signed link keeps its query byte for byte', () => {
    const link = readLink(address('/verification/v-1?a=%7Ex&b=1%202&a=2&reSignature=00'))
    expect(link).toEqual({
      kind: 'signed',
      verificationId: 'v-1',
      queryString: 'a=%7Ex&b=1%202&a=2&reSignature=00',
    })
  })

  test.each([
    ['/verification/v-1', { kind: 'signed', verificationId: 'v-1', queryString: '' }],
    ['/popup/v-1?x=1', { kind: 'signed', verificationId: 'v-1', queryString: 'x=1' }],
    ['/verification/session/s-1#tok.en', { kind: 'session', sessionId: 's-1', token: 'tok.en' }],
    ['/verification/session/s-1#tok.en.)', { kind: 'session', sessionId: 's-1', token: 'tok.en' }],
    ['/verification/session/s-1?fbclid=1#tok.en%22', { kind: 'session', sessionId: 's-1', token: 'tok.en' }],
    ['/verification/session/s-1#.', { kind: 'session', sessionId: 's-1', token: null }],
    ['/verification/session/s-1', { kind: 'session', sessionId: 's-1', token: null }],
    ['/handoff#K7M4P9QXDT', { kind: 'handoff', code: 'K7M4P9QXDT' }],
    ['/handoff#K7M4P-9QXDT.', { kind: 'handoff', code: 'K7M4P-9QXDT' }],
    ['/handoff', { kind: 'handoff', code: null }],
    ['/', { kind: 'none' }],
    ['/verification/', { kind: 'none' }],
  ])('%s', (text, link) => expect(readLink(address(text))).toEqual(link))

  test('drops what follows the signature, in the address as well', () => {
    const query = `order=7&reSignature=${'0c1a'.repeat(16)}`
    const location = address(`/verification/v-1?${query}&order=8&fbclid=abc`)
    expect(readLink(location)).toEqual({ kind: 'signed', verificationId: 'v-1', queryString: query })
    const replaceState = vi.fn()
    const history = { state: 7, replaceState } as unknown as History
    dropAppended(history, location as unknown as Location)
    dropAppended(history, address(`/verification/v-1?${query}#top`) as unknown as Location)
    dropAppended(history, address(`/verification/v-1?${query}`) as unknown as Location)
    dropAppended(history, address('/verification/session/s-1#tok.en') as unknown as Location)
    expect(replaceState.mock.calls).toEqual([
      [7, '', `/verification/v-1?${query}`],
      [7, '', `/verification/v-1?${query}`],
    ])
  })

  test('stays as it is where the browser refuses to change it, and nothing else is affected', () => {
    const replaceState = () => {
      throw new DOMException('too often', 'SecurityError')
    }
    const history = { state: null, replaceState } as unknown as History
    const location = address(`/verification/v-1?reSignature=${'0c1a'.repeat(16)}&fbclid=abc`)
    expect(() => dropAppended(history, location as unknown as Location)).not.toThrow()
    expect(() => stripLink(history, location as unknown as Location)).not.toThrow()
  })

  test('a session goes on elsewhere with its token behind the hash', () => {
    const link = sessionLink('https://check.example', 's-1', 'tok.en')
    expect(readLink(new URL(link))).toEqual({ kind: 'session', sessionId: 's-1', token: 'tok.en' })
  })

  test.each([
    ['https://a.example/x?y#z', true],
    ['http://127.0.0.1:1/x', true],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//a.example', false],
  ])('%s is followed: %s', (text, followed) => expect(safeRedirect(text) !== null).toBe(followed))
})

describe('the browser', () => {
  const open = { runsWebAssembly: true, showsPictures: true }
  const able = {
    worker: true,
    moduleWorker: true,
    simd: true,
    imageBitmap: true,
    mediaDevices: true,
  }
  test.each([
    [{}, undefined],
    [{ worker: false }, 'oldBrowser'],
    [{ moduleWorker: false }, 'oldBrowser'],
    [{ simd: false }, 'oldBrowser'],
    [{ mediaDevices: false }, 'unsupportedApp'],
  ])('%o: %s', (lack, cause) => expect(unsuitedBrowser({ ...able, ...lack }, () => open)).toBe(cause))

  test.each([
    [{}, { showsPictures: false }, 'hiddenPictures'],
    [{ mediaDevices: false }, { showsPictures: false }, 'unsupportedApp'],
    [{ simd: false }, { runsWebAssembly: false }, 'noWebAssembly'],
    [{ simd: false, worker: false }, { runsWebAssembly: false }, 'oldBrowser'],
  ])('%o, and a current one with %o: %s', (lack, closed, cause) =>
    expect(unsuitedBrowser({ ...able, ...lack }, () => ({ ...open, ...closed }))).toBe(cause),
  )
})

describe('leaving', () => {
  const exit = (place: Exit['place'], embedder: string | null) => {
    const calls: unknown[] = []
    return {
      calls,
      place,
      embedder,
      post: (...args: unknown[]) => calls.push(['post', ...args]),
      replace: (...args: unknown[]) => calls.push(['replace', ...args]),
    }
  }
  const [one, other] = ['https://one.example', 'https://other.example']
  const target = 'https://a.example/'
  const goes = ['replace', target]
  const tells = (origin: string) => ['post', { redirectedTo: target }, origin]

  test.each([
    ['alone', null, [one], [goes]],
    ['alone', one, [one], [goes]],
    ['frame', one, [], [goes]],
    ['frame', one, [one, other], [tells(one)]],
    ['frame', 'https://stranger.example', [one], [goes]],
    ['frame', null, [one, other], [tells(one), tells(other)]],
    ['frame', null, [], [goes]],
    ['popup', one, [one, other], [tells(one)]],
    ['popup', 'https://stranger.example', [one], [goes]],
    ['popup', null, [one], [goes]],
  ] as const)('as %s of %s, if %j may embed', (place, embedder, allowed, calls) => {
    const way = exit(place, embedder)
    createDepart(way)(target, allowed)
    expect(way.calls).toEqual(calls)
  })

  test('notifies an embedder once, and navigates as often as asked', () => {
    const framed = exit('frame', one)
    const depart = createDepart(framed)
    depart(target, [one])
    depart(target, [one])
    expect(framed.calls).toEqual([tells(one)])
    const alone = exit('alone', null)
    const leave = createDepart(alone)
    leave(target, [one])
    leave(target, [one])
    expect(alone.calls).toEqual([goes, goes])
  })

  test.each([
    ['a page for itself', {}, 'alone', null],
    ['a framed page', { parent: {}, location: { ancestorOrigins: [one, other] } }, 'frame', one],
    [
      'a frame that only knows the referrer',
      { parent: {}, document: { referrer: `${one}/x` } },
      'frame',
      one,
    ],
    ['a frame that tells nothing', { parent: {} }, 'frame', null],
    ['a frame that tells nothing and has a name', { parent: {}, name: other }, 'frame', null],
    ['a popup', { opener: {}, document: { referrer: `${other}/x` } }, 'popup', other],
    ['a popup of a site that sends no referrer', { opener: {}, name: `${one}/#0.5` }, 'popup', one],
    [
      'a popup that the browser knows',
      { opener: {}, name: one, document: { referrer: other } },
      'popup',
      other,
    ],
    ['a popup that another program named', { opener: {}, name: 'check' }, 'popup', null],
  ])('%s is recognised as one', (_name, traits, place, embedder) => {
    const page = { opener: null, location: {}, document: { referrer: '' }, name: '', ...traits }
    if (!('parent' in traits)) Object.assign(page, { parent: page })
    expect(exitOf(page as unknown as Window)).toMatchObject({ place, embedder })
  })
})

describe('a reload', () => {
  const record: SessionRecord = {
    path: '/verification/v-1',
    sessionId: 's',
    token: 't',
    consented: true,
    plan: {
      verifiers: { liveness: true, age: false, gender: false, faceRecognition: false, emotion: false },
      challenge: null,
      evidence: null,
      locale: null,
      theme: { accountName: 'Northwind', accentColour: null, logo: null, region: 'EU' },
      embedOrigins: [],
    },
    expiresAt: 1,
  }
  const shelf = () => {
    const items = new Map<string, string>()
    return {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    }
  }
  test('finds the record of its own address only', () => {
    const kept = shelf()
    writeRecord(kept, record)
    expect(readRecord(kept, '/verification/v-1')).toEqual(record)
    expect(readRecord(kept, '/verification/v-2')).toBeUndefined()
  })

  test.each([
    [{ step: 0, action: null, timeLimitInSeconds: null }, true, { kind: 'fresh' }],
    [null, false, { kind: 'fresh' }],
    [null, true, { kind: 'closing', lastStep: 0 }],
    [
      { step: 2, action: 'lookUp', timeLimitInSeconds: 10 },
      true,
      { kind: 'step', step: { step: 2, action: 'lookUp', timeLimitInSeconds: 10 } },
    ],
  ])('continues at %o; a challenge is requested: %s', (current, hasChallenge, progress) => {
    expect(progressOf(current, hasChallenge)).toEqual(progress)
  })
})

describe('the deadline', () => {
  const now = Date.parse('2026-01-01T12:00:00Z')
  test.each([
    ['2026-01-01T12:15:00Z', 15],
    ['2026-01-01T12:04:00Z', 4],
    ['2026-01-01T11:00:00Z', 15],
    ['2026-01-01T20:00:00Z', 15],
  ])('%s is %i minutes away', (text, minutes) => {
    expect(deadlineOf(text, now) - now).toBe(minutes * 60_000)
  })
})

test('is computed by the server’s clock, however fast the device’s is', () => {
  const [serverTime, now] = [Date.parse('2026-11-24T09:00:00Z'), Date.parse('2026-11-24T09:14:00Z')]
  expect(deadlineOf('2026-11-24T09:15:00Z', now, serverTime) - now).toBe(15 * 60_000)
})
