import type { Audit } from '#server/features/audit/audit.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import { capturePlanOf } from '#server/features/sessions/access/appearance.ts'
import { handoffOf } from '#server/features/sessions/access/holder.ts'
import {
  type ChangeHandoff,
  taken,
  takenBack,
  withCode,
  worthless,
} from '#server/features/sessions/handoff/handoff.ts'
import { digestOfCode } from '#server/features/sessions/handoff/handoff-code.ts'
import type { Tokens } from '#server/features/tokens/tokens.ts'
import { groupedCode, newReadableCode } from '#server/platform/crypto/readable-code.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { readHandoffCode } from '#shared/contract/sessions/session-handoff.ts'
import type { Region } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'

const codeLifetimeInSeconds = 180

export type Handoffs = HandlersOf<'configuration', 'createHandoff' | 'takeHandoff' | 'cancelHandoff'>

/** Maps a code to its session for the code's lifetime. Only the key contains the code, as a digest. */
interface CodePlace {
  accountId: string
  sessionId: string
}

interface Dependencies {
  readonly store: Store
  readonly changeHandoff: ChangeHandoff
  readonly tokens: Tokens
  readonly audit: Pick<Audit, 'note'>
  readonly region: Region
  /** The pages' public origin. */
  readonly origin: () => string
  readonly now: Clock
}

/**
 * [Note: A code is handed over, not a token] Everyone in the room can see the screen, so a code works once, for three
 * minutes, and only before the first picture. The session's record stores the digest of the one valid code, and the commit
 * that takes over the session removes it.
 */
export function createHandoffs(services: Dependencies): Handoffs {
  const { store, changeHandoff, tokens, audit, region, origin, now } = services
  const places = createTable<CodePlace>(store, 'handoff')

  return {
    async createHandoff({ caller }) {
      const code = newReadableCode()
      const expiresAt = now() + codeLifetimeInSeconds * 1000
      await changeHandoff(caller, (record) => withCode(record, caller.device, digestOfCode(code), now()))
      const { accountId, sessionId } = caller
      await places.put(deployment, code, { accountId, sessionId }, codeLifetimeInSeconds)
      return {
        code: groupedCode(code),
        url: `${origin()}/handoff#${code}`,
        expirationUtcTime: new Date(expiresAt).toISOString(),
      }
    },

    async takeHandoff({ body }) {
      const code = readHandoffCode(body.code)
      const place = await places.get(deployment, code)
      if (place === undefined) throw worthless()
      const record = await changeHandoff(place, (read) => taken(read, digestOfCode(code))).catch(hideMissing)
      await places.remove(deployment, code)
      const { accountId, sessionId, verificationId, expiresAt } = record
      const { holder: device, number } = handoffOf(record)
      const ids = { verificationId, verificationSessionId: sessionId }
      await audit.note(accountId, 'takeHandoff', 'session', ids)
      return {
        verificationSessionId: sessionId,
        sessionToken: await tokens.issueSession({ accountId, sessionId, device }, expiresAt),
        expirationUtcTime: new Date(expiresAt).toISOString(),
        capturePlan: capturePlanOf(record, region),
        number: number!,
      }
    },

    async cancelHandoff({ caller }) {
      await changeHandoff(caller, (record) => takenBack(record, caller.device, now()))
      return {}
    },
  }
}

function hideMissing(error: unknown): never {
  throw error instanceof Problem && error.code === 'not_found' ? worthless() : error
}
