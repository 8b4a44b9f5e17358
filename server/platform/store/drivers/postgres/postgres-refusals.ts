import { WriteFailed } from '#server/platform/store/store.ts'
import { Problem } from '#shared/problem.ts'

/** The reason that a responding server refuses writes, by SQLSTATE. */
const refusals: Readonly<Record<string, string>> = {
  '53100': 'the disk of PostgreSQL is full',
  '53200': 'PostgreSQL is out of memory',
  '58030': 'PostgreSQL cannot write to its disk',
  '25006': 'the PostgreSQL server is read-only: it is a replica, or is configured so',
  '42501': 'the role lacks privileges on the tables of PostgreSQL',
}

/** The transaction was aborted in favour of another and may be retried: deadlock, serialisation failure. */
const givenUp = ['40P01', '40001']
/** The server or the statement was terminated before it finished. */
const ended = ['57P01', '57P02', '57P03', '57P04', '57P05']

const retryAfterInSeconds = 2

export function stateOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE' ? code : undefined
}

export function isGivenUp(error: unknown): boolean {
  return givenUp.includes(stateOf(error) ?? '')
}

/** True if a statement's outcome is unknown because its answer did not arrive. */
export function isLost(error: unknown): boolean {
  const state = stateOf(error)
  return state === undefined || ended.includes(state) || state.startsWith('08')
}

/** The response if the server cannot be reached or takes too long. */
export function unreachable(): Problem {
  return new Problem('store_unavailable', 'The store is unavailable. Try again later.', {
    retryAfterInSeconds,
  })
}

/** Translates a statement's error for its caller. */
export function meaningOf(error: unknown): unknown {
  if (error instanceof Problem || error instanceof WriteFailed) return error
  const state = stateOf(error)
  const why = refusals[state ?? '']
  if (why !== undefined) return new WriteFailed(why)
  const isBusy = state?.startsWith('53') || state === '57014' || state === '55P03' || isGivenUp(error)
  return isLost(error) || isBusy ? unreachable() : error
}

/** PostgreSQL roles are created without a password, so it may be missing on either side. */
const passwordRemedy =
  'Give the role a password in psql (\\password ROLE), and put it into STORE or STORE_FILE.'

/** Explains why the first connection failed. */
export function whyUnreachable(error: unknown): string {
  const { message } = error as Error
  switch (stateOf(error)) {
    case '28P01':
      return `it refuses the role or the password: ${message}. ${passwordRemedy}`
    case '28000':
      return `it refuses the role or the password: ${message}`
    case '3D000':
      return `the database does not exist: ${message}`
    case '42501':
      return `the role lacks privileges: ${message}`
    case '53300':
      return `it has no connection left: ${message}`
    default:
      // The client does not have an error code for this.
      return /^SASL: .* client password must be a /.test(message)
        ? `it asks for a password, and STORE has none. ${passwordRemedy}`
        : message || String(error)
  }
}
