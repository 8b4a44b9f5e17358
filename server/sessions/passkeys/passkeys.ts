import type { Pack } from '#models/rules/packs.ts'
import type { SessionCaller } from '#server/accounts/caller.ts'
import type { HandlersOf } from '#server/handlers.ts'
import { busy, type ReadSession, refuseEnded, type SessionRead } from '#server/sessions/access.ts'
import { refuseFollower } from '#server/sessions/handoff/holding.ts'
import type { SessionPasskey, SessionRecord } from '#server/sessions/record.ts'
import type { SessionStore } from '#server/sessions/session-store.ts'
import { contended } from '#server/store/contended.ts'
import type { Clock, Write } from '#server/store/store.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import { Problem } from '#shared/problem.ts'
import { personOf } from './passkey-offers.ts'
import type { PasskeyStore, Person } from './passkey-store.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import {
  type Answer,
  asserted,
  creationOptions,
  credentialIdOf,
  refused,
  registered,
  requestOptions,
} from './web-authn.ts'

export type Passkeys = HandlersOf<'configuration', 'createPasskeyOptions' | 'bindPasskey' | 'verifyPasskey'>

/** A person has few devices; the one that was bound first makes room. */
const mostPasskeys = 10

interface Dependencies {
  readonly passkeys: PasskeyStore
  readonly sessions: SessionStore
  readonly readSession: ReadSession
  readonly pack: Pick<Pack, 'embeddingModel'>
  /** The public origin of the pages. */
  readonly origin: () => string
  readonly now: Clock
}

/** A session in which this ceremony may be held. */
interface Ceremony {
  readonly kind: PasskeyCeremony
  readonly read: SessionRead
  readonly record: SessionRecord
  readonly state: SessionPasskey
  readonly person: Person
  readonly party: RelyingParty
}

/**
 * Binds passkeys after a visit, and verifies them in a later one.
 * [Note: A passkey raises, and never refuses] Whoever has none, lost it or cannot use it goes on without. No attestation
 * is asked for: which device holds it is not known.
 */
export function createPasskeys(services: Dependencies): Passkeys {
  const { sessions } = services
  return {
    createPasskeyOptions: ({ body, caller }) =>
      contended(async () => {
        const ceremony = await begin(services, caller, body.ceremony)
        const options = await optionsFor(services, ceremony)
        const challenge = { value: options.challenge, for: ceremony.kind }
        const isKept = await sessions.replace(ceremony.read, changed(ceremony, { challenge }))
        return isKept ? { options: { ...options } } : undefined
      }, busy),
    bindPasskey: ({ body, caller }) => contended(() => bind(services, caller, body.response), busy),
    verifyPasskey: ({ body, caller }) => contended(() => verify(services, caller, body.response), busy),
  }
}

/** @throws {Problem} where the session is not this device's, or the ceremony not for it */
async function begin(
  { readSession, origin }: Dependencies,
  caller: SessionCaller,
  kind: PasskeyCeremony,
): Promise<Ceremony> {
  const read = await readSession(caller)
  const record = read.value
  refuseFollower(record, caller.device)
  if (kind === 'verify' || record.state === 'Expired') refuseEnded(record)
  const { passkey: state } = record
  const isOpen = kind === 'verify' ? state?.isBound : state?.isOffered
  const person = personOf(record)
  const party = relyingPartyOf(origin())
  if (!isOpen || person === undefined || party === undefined) throw unavailable()
  return { kind, read, record, state: state!, person, party }
}

async function optionsFor(services: Dependencies, ceremony: Ceremony) {
  const { party, person, record, kind } = ceremony
  const all = await services.passkeys.list(person)
  if (kind === 'verify') {
    const comparable = all.filter((passkey) => isComparable(services, passkey))
    if (comparable.length === 0) throw unavailable()
    return requestOptions(party, comparable)
  }
  await offerOf(services, ceremony)
  return creationOptions(party, record.accountName, all)
}

/** One that was bound under another embedding model has no face to compare: it would be asked for in vain. */
function isComparable({ pack }: Dependencies, { face }: { face: { embeddingModel: string } }): boolean {
  return face.embeddingModel === pack.embeddingModel
}

async function offerOf({ passkeys }: Dependencies, { record: { accountId, sessionId } }: Ceremony) {
  const offer = await passkeys.offer(accountId, sessionId)
  if (offer === undefined) throw unavailable()
  return offer
}

/** Undefined where somebody else changed the session meanwhile. */
async function bind(services: Dependencies, caller: SessionCaller, response: unknown) {
  const { passkeys, sessions, now } = services
  const ceremony = await begin(services, caller, 'bind')
  const { read, person } = ceremony
  const { accountId, sessionId } = ceremony.record
  const offer = await offerOf(services, ceremony)
  const made = await registered(answerTo(ceremony, response))
  const passkey = { ...made, boundAt: now(), sessionId, face: offer.value.face }
  const writes = [
    ...(await makeRoom(services, person)),
    await passkeys.write(person, passkey),
    passkeys.removeOffer(accountId, sessionId),
  ]
  const record = changed(ceremony, { challenge: null, isOffered: false })
  return (await sessions.replace(read, record, { writes, guards: [offer.guard] })) ? {} : undefined
}

/** Where there are too many, the first one goes. */
async function makeRoom({ passkeys }: Dependencies, person: Person): Promise<Write[]> {
  const all = (await passkeys.list(person)).sort((a, b) => a.boundAt - b.boundAt)
  const over = all.slice(0, Math.max(0, all.length + 1 - mostPasskeys))
  return Promise.all(over.map(({ credentialId }) => passkeys.remove(person, credentialId)))
}

/** Undefined where somebody else changed the session or the passkey meanwhile. */
async function verify(services: Dependencies, caller: SessionCaller, response: unknown) {
  const { passkeys, sessions } = services
  const ceremony = await begin(services, caller, 'verify')
  const { read, person } = ceremony
  const known = await passkeys.read(person, credentialIdOf(response))
  if (known === undefined || !isComparable(services, known.value)) throw refused()
  const counter = await asserted(answerTo(ceremony, response), known.value)
  const writes = [await passkeys.write(person, { ...known.value, counter })]
  const record = changed(ceremony, { challenge: null, verified: known.value.face })
  return (await sessions.replace(read, record, { writes, guards: [known.guard] })) ? {} : undefined
}

function changed({ record, state }: Ceremony, change: Partial<SessionPasskey>): SessionRecord {
  return { ...record, passkey: { ...state, ...change } }
}

/** @throws {Problem} 400 where no options were made for it */
function answerTo({ kind, party, record, state: { challenge } }: Ceremony, response: unknown): Answer {
  if (challenge?.for !== kind) throw refused()
  return { party, challenge: challenge.value, response, embedOrigins: record.embedOrigins }
}

function unavailable(): Problem {
  return new Problem('passkey_unavailable', 'No passkey is asked for or offered in this session.')
}
