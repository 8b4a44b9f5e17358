import type { Pack } from '#models/rules/packs.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import { rulesOf } from '#server/sessions/judging/rules.ts'
import type { SessionPasskey, SessionRecord } from '#server/sessions/record.ts'
import type { Clock, Write } from '#server/store/store.ts'
import type { PasskeyStore, Person } from './passkey-store.ts'
import { relyingPartyOf } from './relying-party.ts'

/** When passkeys are asked for and offered. [Note: A passkey is pinned to a face] */
export interface PasskeyOffers {
  /** For a session that begins: whether a passkey is asked for; undefined where there can be none. */
  begin(session: SessionRecord): Promise<SessionPasskey | undefined>
  /**
   * For the commit that ends a session: offers to bind a passkey to whoever was just seen well enough and did not show
   * one. The session, with what to write beside it.
   */
  end(session: SessionRecord, verdict: Verdict): { session: SessionRecord; writes: Write[] }
}

interface Dependencies {
  readonly passkeys: PasskeyStore
  readonly pack: Pick<Pack, 'embeddingModel' | 'secondModel'>
  /** The public origin of the pages. */
  readonly origin: () => string
  readonly now: Clock
}

/** Whose passkeys a session may ask for and offer. @returns undefined where there can be none */
export function personOf({ accountId, inputs: { externalId } }: SessionRecord): Person | undefined {
  return externalId === null ? undefined : { accountId, externalId }
}

export function createPasskeyOffers({ passkeys, pack, origin, now }: Dependencies): PasskeyOffers {
  return {
    async begin(session) {
      const person = personOf(session)
      const isOn = rulesOf(session.settings).liveness && relyingPartyOf(origin()) !== undefined
      if (person === undefined || !isOn) return undefined
      const isBound = (await passkeys.list(person)).length > 0
      return { isBound, challenge: null, verified: null, isOffered: false }
    },
    end(session, { portrait }) {
      const { passkey, outcome, sessionId, expiresAt } = session
      const person = personOf(session)
      if (passkey === undefined || person === undefined) return { session, writes: [] }
      const isSeenWell = outcome?.result.assurance === 'standard' && portrait !== null
      const isOffered = isSeenWell && passkey.verified === null && expiresAt > now()
      const ended = { ...session, passkey: { ...passkey, challenge: null, verified: null, isOffered } }
      if (!isOffered) return { session: ended, writes: [] }
      const { embeddingModel, secondModel } = pack
      const face = { embedding: portrait, embeddingModel, ...(secondModel && { secondModel }) }
      const secondsLeft = (expiresAt - now()) / 1000
      return { session: ended, writes: [passkeys.writeOffer(sessionId, { ...person, face }, secondsLeft)] }
    },
  }
}
