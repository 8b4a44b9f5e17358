import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { Pack } from '#models/rules/packs.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import { rulesOf } from '#server/features/sessions/access/session-rules.ts'
import type { PasskeyStore, Person } from '#server/features/sessions/records/passkey-store.ts'
import type { SessionPasskey, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { Clock, Write } from '#server/platform/store/store.ts'
import { relyingPartyOf } from '#server/platform/web-authn/relying-party.ts'
import type { Assurance } from '#shared/contract/configuration/check-settings.ts'
import { mayBind, type SeenPerson } from './binding.ts'

/** Decides when passkeys are requested and offered. [Note: A passkey is pinned to a face] */
export interface PasskeyOffers {
  /** For a session that is starting: the request for a passkey; undefined if no passkey can be requested. */
  begin(session: SessionRecord): Promise<SessionPasskey | undefined>
  /**
   * For the commit that ends a session: offers to bind a passkey if the person was seen well enough and is allowed to bind
   * one. Returns the session and further writes.
   */
  end(session: SessionRecord, verdict: Verdict): Promise<{ session: SessionRecord; writes: Write[] }>
}

interface Dependencies {
  readonly passkeys: PasskeyStore
  readonly pack: Pick<Pack, 'embeddingModel' | 'secondModel'>
  /** The pages' public origin. */
  readonly origin: () => string
  readonly now: Clock
}

/** The person for whom a session may request and offer passkeys. @returns undefined if there is none */
export function personOf({ accountId, inputs: { externalId } }: SessionRecord): Person | undefined {
  return externalId === null ? undefined : { accountId, externalId }
}

export function createPasskeyOffers({ passkeys, pack, origin, now }: Dependencies): PasskeyOffers {
  const { embeddingModel, secondModel } = pack
  const faceOf = (embedding: readonly number[]): BoundFace => ({
    embedding,
    embeddingModel,
    ...(secondModel && { secondModel }),
  })

  return {
    async begin(session) {
      const person = personOf(session)
      const isOn = rulesOf(session.settings).liveness && relyingPartyOf(origin()) !== undefined
      if (person === undefined || !isOn) return undefined
      const isBound = (await passkeys.list(person)).length > 0
      return { isBound, challenge: null, verified: null, isOffered: false }
    },
    async end(session, { portrait }) {
      const { passkey, outcome, sessionId, expiresAt } = session
      const person = personOf(session)
      if (passkey === undefined || person === undefined) return { session, writes: [] }
      const { verified } = passkey
      const isSeenWell = offering.has(outcome?.result.assurance) && expiresAt > now()
      const seen =
        isSeenWell && portrait !== null ? { face: faceOf(portrait), ...shownOf(verified) } : undefined
      const isOffered =
        seen !== undefined &&
        verified?.isFromElsewhere !== false &&
        mayBind(await passkeys.standing(person), seen)
      const ended = { ...session, passkey: { ...passkey, challenge: null, verified: null, isOffered } }
      if (!isOffered) return { session: ended, writes: [] }
      const secondsLeft = (expiresAt - now()) / 1000
      return { session: ended, writes: [passkeys.writeOffer(sessionId, { ...person, ...seen }, secondsLeft)] }
    },
  }
}

/** The minimum assurance for offering a passkey. */
const offering: ReadonlySet<unknown> = new Set<Assurance>(['standard', 'high'])

function shownOf(verified: SessionPasskey['verified']): Pick<SeenPerson, 'shown'> {
  return verified?.credentialId === undefined ? {} : { shown: verified.credentialId }
}
