import { describe, expect, test } from 'vitest'
import { findPlaces } from '#web/console/shell/found-places.ts'

const verificationId = '6aca2347-b986-47ce-88d7-1382716ed007'
const sessionId = '9f0c63d1-3a55-4e38-9c9a-0a1f7f0f2b11'
const uuidOfPerson = '0d3f7a52-6b1e-4c8f-a6d4-77e0b2f1c933'

/** An account with one of everything. `refuses` names calls that the person may not make. */
function callsOf(refuses: readonly string[] = []) {
  const answer = async <T>(name: string, value: T): Promise<T> => {
    if (refuses.includes(name)) throw new Error('forbidden')
    return value
  }
  const sessionsBy: readonly (readonly [name: string, value: string])[] = [
    ['externalId', 'user-77'],
    ['externalId', uuidOfPerson],
    ['idBeginsWith', '9f0c63d1'],
  ]
  return {
    getSessions: (query: Record<string, unknown>) => {
      const isFound = sessionsBy.some(([name, value]) => query[name] === value)
      return answer('getSessions', { sessions: isFound ? [{}] : [] })
    },
    getAllVerifications: () =>
      answer('getAllVerifications', { verifications: [{ verificationId, name: 'Sign-up' }] }),
    getAllKiosks: () => answer('getAllKiosks', { kiosks: [{ kioskId: 'k-1', name: 'North door' }] }),
    getKeys: () => answer('getKeys', { keys: [{ keyId: 'a-1', name: 'Door server' }] }),
    getRequests: ({ requestId }: { requestId: string }) =>
      answer('getRequests', { requests: requestId === 'req-12345678' ? [{}] : [] }),
  } as never
}

const found = async (text: string, refuses?: readonly string[]) =>
  (await findPlaces(text, callsOf(refuses))).map(({ kind, name, to }) => [
    kind,
    name,
    [to.page, ...(to.parts ?? [])].join('/'),
  ])

describe('a search', () => {
  test.each([
    ['sign', [['verifications', 'Sign-up', `verifications/${verificationId}`]]],
    [verificationId.slice(0, 8), [['verifications', 'Sign-up', `verifications/${verificationId}`]]],
    [verificationId, [['verifications', 'Sign-up', `verifications/${verificationId}`]]],
    [sessionId, [['sessions', sessionId, `sessions/${sessionId}`]]],
    ['9f0c63d1', [['sessions', '9f0c63d1', 'sessions']]],
    ['req-12345678', [['requests', 'req-12345678', 'developers/requests']]],
    [' nothing ', []],
    ['  ', []],
  ])('for %s', async (text, places) => expect(await found(text)).toEqual(places))

  test('lists what several kinds of things have in common', async () => {
    expect(await found('door')).toEqual([
      ['kiosks', 'North door', 'kiosks'],
      ['keys', 'Door server', 'developers/keys'],
    ])
  })

  test('leads from an external id to its sessions and to the person', async () => {
    expect(await found('user-77')).toEqual([
      ['sessions', 'user-77', 'sessions'],
      ['person', 'user-77', 'collections'],
    ])
  })

  test('finds a person whose external id looks like the id of a session', async () => {
    expect(await found(uuidOfPerson)).toEqual([
      ['sessions', uuidOfPerson, 'sessions'],
      ['person', uuidOfPerson, 'collections'],
    ])
  })

  test('goes on without the lists that the person may not read', async () => {
    expect(await found('door', ['getKeys', 'getSessions'])).toEqual([['kiosks', 'North door', 'kiosks']])
  })
})
