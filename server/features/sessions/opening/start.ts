import { randomBytes } from 'node:crypto'
import { firstProgress } from '#models/rules/challenge/progress.ts'
import type { Pack } from '#models/rules/packs.ts'
import { type Account, environmentOf } from '#server/features/callers/callers.ts'
import { faultsOfPack, refuseFaults } from '#server/features/packs/packs.ts'
import { type CollectionAccess, refuseUnfitPerson } from '#server/features/recognition/recognition.ts'
import type { AddressShares } from '#server/features/sessions/access/address-shares.ts'
import { brandingOf, capturePlanOf, themeOf } from '#server/features/sessions/access/appearance.ts'
import { openerOf } from '#server/features/sessions/access/holder.ts'
import type { PasskeyOffers } from '#server/features/sessions/passkeys/passkey-offers.ts'
import type { PersonSessions } from '#server/features/sessions/records/person-sessions.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { CommitPart, SessionStore } from '#server/features/sessions/records/session-store.ts'
import { testSessionOf } from '#server/features/sessions/testing/test-session.ts'
import type { Tokens } from '#server/features/tokens/tokens.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { CapturePlan, initRedirectSession, TestOutcomes } from '#shared/contract/sessions/session.ts'
import type { Theme } from '#shared/contract/sessions/theme.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import type { Region } from '#shared/hosts.ts'
import { newNameFault } from '#shared/identity/new-name.ts'
import { Problem } from '#shared/problem.ts'
import { wantsReference } from './reference-picture.ts'

/** The longest time that a session may take. */
export const sessionLifetimeInMilliseconds = 15 * 60 * 1000

/** A session's initial data, from any source. */
export interface SessionBeginning
  extends Pick<
    SessionRecord,
    | 'verificationId'
    | 'collectionId'
    | 'settings'
    | 'inputs'
    | 'attemptKeys'
    | 'source'
    | 'reference'
    | 'visitor'
    | 'ownWindow'
  > {
  readonly account: Account
  /** The visitor's network address; absent if a credential opens the session. */
  readonly address?: string
  /** A test's requested outcome; ignored in live accounts. */
  readonly testOutcome?: TestOutcomes | null
}

export type SessionOpening = ResultOf<typeof initRedirectSession>

/** Starts sessions and issues their tokens. */
export interface StartSession {
  /** Undefined if a guard failed, in which case no session was created. */
  (
    beginning: SessionBeginning,
    inOneCommit?: (sessionId: string) => CommitPart,
  ): Promise<SessionOpening | undefined>
  /** Repeats the answer for the caller that started this session. */
  again(record: SessionRecord): Promise<SessionOpening>
  /** Plans the session without writing anything. @throws {Problem} if the session could not be started */
  plan(beginning: SessionBeginning): Promise<CapturePlan>
  /** The look of the account's pages, available even before a session starts. */
  themeOf(account: Account): Theme
}

interface Dependencies {
  sessions: SessionStore
  personSessions: Pick<PersonSessions, 'listing' | 'findSessionIds'>
  access: Pick<CollectionAccess, 'faceStore'>
  passkeyOffers: Pick<PasskeyOffers, 'begin'>
  addressShares: Pick<AddressShares, 'reserve'>
  tokens: Tokens
  region: Region
  /** Origins that may embed any account's pages. */
  embedOrigins: readonly string[]
  pack: Pack
  now: Clock
}

export function createStartSession(services: Dependencies): StartSession {
  const { sessions, personSessions, passkeyOffers, addressShares, tokens, region, now } = services

  async function again(record: SessionRecord): Promise<SessionOpening> {
    const { accountId, sessionId, expiresAt } = record
    return {
      verificationSessionId: sessionId,
      sessionToken: await tokens.issueSession({ accountId, sessionId, device: openerOf(record) }, expiresAt),
      expirationUtcTime: new Date(expiresAt).toISOString(),
      capturePlan: capturePlanOf(record, region),
    }
  }

  /** Builds the future record, and the writes that reserve its room. */
  async function prepare(beginning: SessionBeginning) {
    refuseUnavailable(services.pack, beginning)
    const created = now()
    const expiresAt = created + sessionLifetimeInMilliseconds
    const begun = newRecord(beginning, services.embedOrigins, { created, expiresAt })
    const passkey = await passkeyOffers.begin(begun)
    if (passkey === undefined) await refuseUnfitVisitor(begun)
    const whole = passkey === undefined ? begun : { ...begun, passkey }
    const { address } = beginning
    const reserved = address === undefined ? undefined : await addressShares.reserve(address, whole)
    const record = reserved === undefined ? whole : { ...whole, opener: reserved.opener }
    return { record, reserving: reserved?.writes ?? [] }
  }

  async function start(
    beginning: SessionBeginning,
    inOneCommit = nothingElse,
  ): Promise<SessionOpening | undefined> {
    const { record, reserving } = await prepare(beginning)
    const { writes, guards } = inOneCommit(record.sessionId)
    const listing = await personSessions.listing(record)
    const together = [...writes, ...listing, ...reserving]
    return (await sessions.add(record, together, guards)) ? again(record) : undefined
  }

  /** A person from an earlier visit keeps the name stored then. @throws {Problem} 400 */
  async function refuseUnfitVisitor({
    accountId,
    source,
    inputs: { externalId },
  }: SessionRecord): Promise<void> {
    if (externalId === null || newNameFault(externalId) === undefined) return
    if ((await personSessions.findSessionIds(accountId, externalId)).length > 0) return
    const pointer = source === 'link' ? '#/queryString' : '#/externalId'
    await refuseUnfitPerson(services.access.faceStore, accountId, externalId, pointer)
  }

  return Object.assign(start, {
    again,
    plan: async (beginning: SessionBeginning) => capturePlanOf((await prepare(beginning)).record, region),
    themeOf: (account: Account) => themeOf(brandingOf(account), region),
  })
}

const nothingElse = (_sessionId: string): CommitPart => ({ writes: [], guards: [] })

/**
 * A verification from before a pack change, or a link that overrides one, may require networks that are unavailable. And a
 * link does not contain a reference picture.
 * @throws {Problem} 400
 */
function refuseUnavailable(pack: Pack, { settings, reference }: SessionBeginning): void {
  const faults = faultsOfPack(pack, settings.verifiers, '')
  refuseFaults(faults.map(({ message }) => ({ pointer: '#/verificationId', message })))
  if (!wantsReference(settings) || reference !== undefined) return
  const message =
    'Compares with a picture of the person, which a link cannot contain. Open it with create-session.'
  throw Problem.at('#/verificationId', message)
}

/** The record of a newly started session. */
export function newRecord(
  { account, address: _, testOutcome = null, ...begun }: SessionBeginning,
  embedOrigins: readonly string[],
  { created, expiresAt }: Pick<SessionRecord, 'created' | 'expiresAt'>,
): SessionRecord {
  return {
    ...begun,
    sessionId: randomBytes(16).toString('hex'),
    resultId: randomBytes(16).toString('hex'),
    accountId: account.accountId,
    ...brandingOf(account),
    embedOrigins: begun.ownWindow ? [] : [...new Set([...embedOrigins, ...account.embedOrigins])],
    state: 'Created',
    reached: [],
    tries: 0,
    review: null,
    judging: null,
    created,
    expiresAt,
    completedAt: null,
    progress: firstProgress(created, expiresAt),
    frameCount: 0,
    observations: [],
    deviceReport: null,
    consent: null,
    outcome: null,
    pipelineVersion: null,
    ...(environmentOf(account) === 'test' && { test: testSessionOf(testOutcome) }),
  }
}
