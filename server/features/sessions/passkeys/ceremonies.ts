import type { Pack } from '#models/rules/packs.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import type { SessionCaller } from '#server/features/callers/callers.ts'
import { refuseFollower } from '#server/features/sessions/access/holder.ts'
import { refuseEnded } from '#server/features/sessions/access/refusals.ts'
import type { ReadSession, SessionRead } from '#server/features/sessions/access/session-reader.ts'
import type { PasskeyOffer, PasskeyStore, Person } from '#server/features/sessions/records/passkey-store.ts'
import type { SessionPasskey, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import { withDeviceFindings } from '#server/features/sessions/results/device-findings.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import { type Clock, type Guard, inPassing, type Write } from '#server/platform/store/store.ts'
import type { AttestationOutcome } from '#server/platform/web-authn/attestation/attestation.ts'
import { lapseOf } from '#server/platform/web-authn/attestation/lapse.ts'
import type { RevokedDevices } from '#server/platform/web-authn/attestation/revoked-devices.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import { type RelyingParty, relyingPartyOf } from '#server/platform/web-authn/relying-party.ts'
import {
  type Answer,
  asserted,
  attested,
  creationOptions,
  credentialIdOf,
  refused,
  requestOptions,
} from '#server/platform/web-authn/web-authn.ts'
import type {
  bindPasskey,
  createPasskeyOptions,
  PasskeyCeremony,
  verifyPasskey,
} from '#shared/contract/sessions/session-passkey.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { faceToPin, isFromElsewhere, mayBind } from './binding.ts'
import { personOf } from './passkey-offers.ts'
import { reportedWith } from './reported-passkeys.ts'

interface Dependencies {
  readonly passkeys: PasskeyStore
  readonly sessions: SessionStore
  readonly readSession: ReadSession
  readonly events: Pick<Events, 'prepare'>
  readonly audit: Pick<Audit, 'entry'>
  readonly pack: Pick<Pack, 'embeddingModel'>
  /** The pages' public origin. */
  readonly origin: () => string
  /** Attestation roots to trust; if undefined, no attestation is requested. */
  readonly passkeyRoots?: TrustedRoots
  /** Devices that the operator has revoked; absent if there is no list. */
  readonly revokedDevices?: RevokedDevices | undefined
  readonly now: Clock
}

/** A session that allows this ceremony. */
interface Ceremony {
  readonly kind: PasskeyCeremony
  readonly read: SessionRead
  readonly record: SessionRecord
  readonly state: SessionPasskey
  readonly person: Person
  readonly party: RelyingParty
}

/**
 * Binds passkeys after a visit, and verifies them in a later one. [Note: A passkey raises, and never refuses] A person who
 * has none, lost it or cannot use it continues without one. A passkey without attestation is bound and shown like any
 * other, and leads to `standard` at most.
 *
 * Each returns undefined if another request changed the session or the person's passkeys in the meantime.
 */
export interface PasskeyCeremonies {
  /** The options for the browser, with a challenge that is stored in the session. */
  begin(
    caller: SessionCaller,
    kind: PasskeyCeremony,
  ): Promise<ResultOf<typeof createPasskeyOptions> | undefined>
  bind(caller: SessionCaller, response: unknown): Promise<ResultOf<typeof bindPasskey> | undefined>
  verify(caller: SessionCaller, response: unknown): Promise<ResultOf<typeof verifyPasskey> | undefined>
}

export function createPasskeyCeremonies(services: Dependencies): PasskeyCeremonies {
  return {
    async begin(caller, kind) {
      const ceremony = await begin(services, caller, kind)
      const options = await optionsFor(services, ceremony)
      const challenge = { value: options.challenge, for: ceremony.kind }
      const isKept = await services.sessions.replace(ceremony.read, changed(ceremony, { challenge }))
      return isKept ? { options: { ...options } } : undefined
    },
    bind: (caller, response) => bind(services, caller, response),
    verify: (caller, response) => verify(services, caller, response),
  }
}

/** @throws {Problem} if the session is not held by this device, or does not allow the ceremony */
async function begin(
  { readSession, origin, now }: Dependencies,
  caller: SessionCaller,
  kind: PasskeyCeremony,
): Promise<Ceremony> {
  const read = await readSession(caller)
  const record = read.value
  refuseFollower(record, caller.device)
  if (kind === 'verify' || record.state === 'Expired') refuseEnded(record, now())
  const { passkey: state } = record
  const isOpen = kind === 'verify' ? state?.isBound : state?.isOffered
  const person = personOf(record)
  const party = relyingPartyOf(origin())
  if (!isOpen || person === undefined || party === undefined) throw unavailable()
  return { kind, read, record, state: state!, person, party }
}

async function optionsFor(services: Dependencies, ceremony: Ceremony) {
  const { party, person, record, kind } = ceremony
  if (kind === 'verify') {
    const all = await services.passkeys.list(person)
    const comparable = all.filter((passkey) => isComparable(services, passkey))
    if (comparable.length === 0) throw unavailable()
    return requestOptions(party, comparable)
  }
  const { standing } = await readOffer(services, ceremony)
  return creationOptions(party, record.accountName, standing.bound, services.passkeyRoots !== undefined)
}

/** A passkey bound under another embedding model has no comparable face, so requesting it would be pointless. */
function isComparable({ pack }: Dependencies, { face }: { face: { embeddingModel: string } }): boolean {
  return face.embeddingModel === pack.embeddingModel
}

/** @throws {Problem} if there is no offer, or no longer one, because another passkey may have been bound since */
async function readOffer({ passkeys }: Dependencies, { person, record: { accountId, sessionId } }: Ceremony) {
  const offer = await passkeys.offer(accountId, sessionId)
  const standing = await passkeys.standing(person)
  if (offer === undefined || !mayBind(standing, offer.value)) throw unavailable()
  return { offer, standing }
}

async function bind(services: Dependencies, caller: SessionCaller, response: unknown) {
  const { passkeys, sessions, events, passkeyRoots: roots, now } = services
  const ceremony = await begin(services, caller, 'bind')
  const { read, person, record } = ceremony
  const { accountId, sessionId, created } = record
  const { offer, standing } = await readOffer(services, ceremony)
  const boundAt = now()
  const made = await attested(answerTo(ceremony, response), { roots, now: boundAt })
  const judged = await judgeDevice(services, ceremony, { attested: made.attested, isSynced: false })
  const { credentialId } = made.credential
  // A device generates a new ID each time. If the ID is already bound, binding it would replace the existing passkey.
  if (standing.bound.some((one) => one.credentialId === credentialId)) throw refused()
  const face = faceToPin(standing, offer.value)
  const about = { verificationSessionId: sessionId, sessionCreated: created }
  const event = await events.prepare(accountId, {
    event: 'PasskeyBound',
    ...about,
    externalId: person.externalId,
  })
  const writes = [
    await passkeys.write(person, { ...made.credential, boundAt, sessionId, face, attested: made.attested }),
    await passkeys.writeFace(person, face),
    inPassing(passkeys.removeOffer(accountId, sessionId)),
    ...judged.writes,
    ...event.writes,
  ]
  const guards = [offer.guard, standing.guard, ...(await stillBound(services, ceremony, offer.value))]
  const told = reportedWith(ceremony.state.told, 'bound', judged.device)
  const after = withDeviceFindings(changed(ceremony, { challenge: null, isOffered: false, told }))
  if (!(await sessions.replace(read, after, { writes, guards }))) return undefined
  event.send()
  return {}
}

/**
 * [Note: What vouched must stand] If the passkey that was shown is revoked concurrently, the revocation takes effect either
 * before or after the binding, never in between.
 */
async function stillBound(
  { passkeys }: Dependencies,
  { person }: Ceremony,
  { shown }: PasskeyOffer,
): Promise<Guard[]> {
  const read = shown === undefined ? undefined : await passkeys.read(person, shown)
  return read === undefined ? [] : [read.guard]
}

async function verify(services: Dependencies, caller: SessionCaller, response: unknown) {
  const { passkeys, sessions } = services
  const ceremony = await begin(services, caller, 'verify')
  const { read, person } = ceremony
  const known = await passkeys.read(person, credentialIdOf(response))
  const { face, guard } = await passkeys.standing(person)
  if (known === undefined || !isComparable(services, known.value)) throw refused()
  if (face === undefined || !isComparable(services, { face })) throw refused()
  const { counter, isSynced } = await asserted(answerTo(ceremony, response), known.value)
  const { credentialId, attested = { unattestedBecause: 'notAsked' } } = known.value
  const { device, writes: audited } = await judgeDevice(services, ceremony, { attested, isSynced })
  const writes = [
    await passkeys.write(person, { ...known.value, counter }),
    await passkeys.writeFace(person, face),
    ...audited,
  ]
  const isAttested = device.attestation !== undefined
  const verified = { ...face, credentialId, isFromElsewhere: isFromElsewhere(response), isAttested }
  const told = reportedWith(ceremony.state.told, 'shown', device)
  const record = changed(ceremony, { challenge: null, verified, told })
  return (await sessions.replace(read, record, { writes, guards: [known.guard, guard] })) ? {} : undefined
}

/** Judges this visit's device, and adds an audit entry if the operator has revoked it. */
async function judgeDevice(
  { passkeyRoots: roots, revokedDevices: revoked, audit, now }: Dependencies,
  { record, person: { externalId } }: Ceremony,
  { attested, isSynced }: { readonly attested: AttestationOutcome; readonly isSynced: boolean },
): Promise<{ device: AttestationOutcome; writes: Write[] }> {
  const lapse = lapseOf(attested, { isSynced, roots, revoked, now: now() })
  const device = lapse === undefined ? attested : { unattestedBecause: lapse }
  if (lapse !== 'deviceRevoked') return { device, writes: [] }
  const { accountId, verificationId, sessionId: verificationSessionId } = record
  const ids = { verificationId, verificationSessionId, externalId }
  return { device, writes: [await audit.entry(accountId, 'findRevokedDevice', 'server', ids)] }
}

function changed({ record, state }: Ceremony, change: Partial<SessionPasskey>): SessionRecord {
  return { ...record, passkey: { ...state, ...change } }
}

/** @throws {Problem} 400 if no options were created for this answer */
function answerTo({ kind, party, record, state: { challenge } }: Ceremony, response: unknown): Answer {
  if (challenge?.for !== kind) throw refused()
  return { party, challenge: challenge.value, response, embedOrigins: record.embedOrigins }
}

function unavailable(): Problem {
  return new Problem('passkey_unavailable', 'This session does not use a passkey.')
}
