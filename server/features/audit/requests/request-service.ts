import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { KeptRequest, RequestLog } from './request-log.ts'

export type RequestService = HandlersOf<'configuration', 'getRequests'>

/** Lists the requests from the last hours, page by page. */
export function createRequestService(log: Pick<RequestLog, 'of'>): RequestService {
  return {
    async getRequests({ query: { limit, cursor, requestId, keyId, outcome }, caller }) {
      const fitting = (await log.of(caller.accountId)).filter(
        (one) =>
          (requestId === undefined || one.requestId === requestId) &&
          (keyId === undefined || one.keyId === keyId) &&
          (outcome === undefined || one.status >= 400 === (outcome === 'failed')) &&
          (cursor === undefined || isAfter(one, cursor)),
      )
      const page = fitting.slice(0, limit)
      const last = fitting.length > limit ? page.at(-1) : undefined
      return { requests: page.map(detailOf), cursor: last === undefined ? null : placeOf(last) }
    },
  }
}

function placeOf({ at, place }: KeptRequest): string {
  return `${at}-${place}`
}

/** True if a request comes after the cursor in the list, which is sorted newest first. */
function isAfter({ at, place }: KeptRequest, cursor: string): boolean {
  const [then = '', which = ''] = cursor.split('-')
  return at === Number(then) ? place < which : at < Number(then)
}

function detailOf({ at, place: _place, ignored, ...request }: KeptRequest) {
  return { time: new Date(at).toISOString(), ...request, ignored: ignored ?? null }
}
