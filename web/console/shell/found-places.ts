import type { Address, PageName } from '#web/console/core/address.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { beginningOf, type Filters, isSessionId } from '#web/console/sessions/filters.ts'

/** The kinds of things that a search finds, in the order in which they are listed. */
const placeKinds = ['sessions', 'person', 'verifications', 'kiosks', 'keys', 'requests'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** A view that a search leads to. */
export interface FoundPlace {
  readonly kind: PlaceKind
  /** The name of the result, or the search text if it has none. */
  readonly name: string
  readonly to: Partial<Address> & { readonly page: PageName }
}

type SearchCalls = Pick<
  ConsoleCalls['configuration'],
  'getSessions' | 'getAllVerifications' | 'getAllKiosks' | 'getKeys' | 'getRequests'
>

/** Ids of requests are longer; a shorter text would ask the log in vain. */
const leastOfRequestId = 8

/**
 * Looks for a text in everything that has an id or a name: sessions, people by external id, verifications, kiosks, keys and requests.
 * A list that the person may not read finds nothing.
 */
export async function findPlaces(sought: string, calls: SearchCalls): Promise<readonly FoundPlace[]> {
  const text = sought.trim()
  if (text === '') return []
  const places = await Promise.all([
    sessionPlaces(text, calls),
    namedPlaces(text, calls),
    requestPlaces(text, calls),
  ])
  const found = places.flat()
  if (found.length === 0 && isSessionId(text))
    return [{ kind: 'sessions', name: text, to: { page: 'sessions', parts: [text] } }]
  const order = (place: FoundPlace) => placeKinds.indexOf(place.kind)
  return found.sort((one, other) => order(one) - order(other))
}

async function sessionPlaces(text: string, { getSessions }: SearchCalls): Promise<FoundPlace[]> {
  // A whole id opens its session, but external ids may look like one.
  const idBeginsWith = isSessionId(text) ? '' : beginningOf(text)
  const asked: Filters[] = [
    ...(idBeginsWith === '' ? [] : [{ idBeginsWith }]),
    { correlationId: text },
    { externalId: text },
  ]
  const places = await Promise.all(
    asked.map(async (filter) => {
      const { sessions } = await orNothing(getSessions({ ...filter, limit: 1 }), { sessions: [] })
      if (sessions.length === 0) return []
      const query = filter as Readonly<Record<string, string>>
      const list: FoundPlace = { kind: 'sessions', name: text, to: { page: 'sessions', query } }
      const person: FoundPlace = {
        kind: 'person',
        name: text,
        to: { page: 'collections', query: { person: text } },
      }
      return filter.externalId === undefined ? [list] : [list, person]
    }),
  )
  return places.flat()
}

async function namedPlaces(text: string, calls: SearchCalls): Promise<FoundPlace[]> {
  const [{ verifications }, { kiosks }, { keys }] = await Promise.all([
    orNothing(calls.getAllVerifications(), { verifications: [] }),
    orNothing(calls.getAllKiosks(), { kiosks: [] }),
    orNothing(calls.getKeys(), { keys: [] }),
  ])
  const isSought = (name: string, id: string) =>
    name.toLocaleLowerCase().includes(text.toLocaleLowerCase()) || id.startsWith(text.toLowerCase())
  return [
    ...verifications
      .filter((one) => isSought(one.name, one.verificationId))
      .map(({ name, verificationId }) => ({
        kind: 'verifications' as const,
        name,
        to: { page: 'verifications' as const, parts: [verificationId] },
      })),
    ...kiosks
      .filter((one) => isSought(one.name, one.kioskId))
      .map(({ name }) => ({ kind: 'kiosks' as const, name, to: { page: 'kiosks' as const } })),
    ...keys
      .filter((one) => isSought(one.name, one.keyId))
      .map(({ name }) => ({
        kind: 'keys' as const,
        name,
        to: { page: 'developers' as const, parts: ['keys'] },
      })),
  ]
}

async function requestPlaces(text: string, { getRequests }: SearchCalls): Promise<FoundPlace[]> {
  if (text.length < leastOfRequestId) return []
  const { requests } = await orNothing(getRequests({ requestId: text, limit: 1 }), { requests: [] })
  if (requests.length === 0) return []
  const to = { page: 'developers', parts: ['requests'], query: { requestId: text } } as const
  return [{ kind: 'requests', name: text, to }]
}

async function orNothing<T>(asked: Promise<T>, nothing: NoInfer<T> | Partial<T>): Promise<T> {
  return asked.catch(() => nothing as T)
}
