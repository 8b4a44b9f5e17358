import type { Caller } from '#server/features/callers/callers.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'
import { Problem } from '#shared/problem.ts'
import { type Aliases, createAliases, type Subject } from './aliases.ts'
import { type AuditArchives, createAuditArchives } from './archives/audit-archives.ts'
import type { AuditLog } from './audit-log.ts'
import { type AuditMover, createAuditMover } from './audit-mover.ts'
import { type AuditService, createAuditService } from './audit-service.ts'
import type { ReportedOutside } from './reported-outside.ts'
import { createRequestLog, type RequestLog } from './requests/request-log.ts'
import { createRequestService, type RequestService } from './requests/request-service.ts'
import { createIsWithdrawn, type IsWithdrawn, type RevocableRecords } from './withdrawals.ts'

export type { Aliases } from './aliases.ts'
export type { ArchivedMonth } from './archives/archive-log.ts'
export type { ArchivePlace, ArchiveSource } from './archives/archive-place.ts'
export { createFolderArchives, fileSource } from './archives/folder-archives.ts'
export { createRowArchives } from './archives/row-archives.ts'
export { gapsBetween, type ProvenArchive, verifyArchive } from './archives/verify-archive.ts'
export { type AuditLog, createAuditLog } from './audit-log.ts'
export { tellOfRolledBack } from './heads/compare-heads.ts'
export { type HeadTarget, headTargetOf } from './heads/head-target.ts'
export { headsWords, openHeads } from './heads/open-heads.ts'
export type { OnAuditHead } from './log/log-book.ts'
export { createReportedOutside, type ReportedOutside } from './reported-outside.ts'
export { copySegments, holdsFrames } from './segments/copy-segments.ts'
export { createFolderSegments } from './segments/folder-segments.ts'
export { packFrame, unpackFrames } from './segments/frame-bytes.ts'
export { joinSegments } from './segments/joined-segments.ts'
export { isOpenToServers } from './segments/row-rights.ts'
export { createRowSegments } from './segments/row-segments.ts'
export type { AuditSegments, Frame } from './segments/segments.ts'

/** An account's log of actions, its readers, and the requests from the last hours. */
export interface AuditServices {
  readonly audit: Audit
  readonly auditArchives: AuditArchives
  readonly auditMover: AuditMover
  readonly aliases: Aliases
  readonly auditService: AuditService
  /** Checks if records that are revoked according to the log are still revoked. */
  readonly isWithdrawn: IsWithdrawn
  readonly requestLog: RequestLog
  readonly requestService: RequestService
}

interface AuditingPorts extends Omit<Dependencies, 'aliases' | 'log'> {
  readonly log: AuditLog
  readonly keyRing: KeyRing
  readonly store: Store
  readonly reportedOutside: ReportedOutside
  readonly accounts: Parameters<typeof createAliases>[1]
  /** Keys and kiosks as stored. */
  readonly keys: RevocableRecords
  readonly kiosks: RevocableRecords
  readonly now: Clock
}

export function createAuditing(ports: AuditingPorts): AuditServices {
  const { store, keyRing, log, reportedOutside, accounts, ownerOf, keys, kiosks, now, onFailure } = ports
  const aliases = createAliases(store, accounts)
  const isWithdrawn = createIsWithdrawn(keys, kiosks)
  const requestLog = createRequestLog({ store, now, onFailure })
  return {
    audit: createAudit({ log, aliases, ownerOf, onFailure }),
    auditArchives: createAuditArchives(log, keyRing),
    auditMover: createAuditMover({ store, log, onFailure }),
    aliases,
    auditService: createAuditService(log, isWithdrawn, reportedOutside),
    isWithdrawn,
    requestLog,
    requestService: createRequestService(requestLog),
  }
}

type Actor = AuditEntry['actor']
type Content = Readonly<Record<string, unknown>>
/** An operator who is signed in to the console. */
type Person = Readonly<NonNullable<Actor['operator']>>

/** A call to an operation, as received by its handler. */
export interface Call {
  readonly query: unknown
  readonly body: unknown
  readonly caller: Caller
}

type Handle = (call: Call) => Promise<unknown>

/** Records changes. A failure to record is reported and does not fail the call. */
export interface Audit {
  /** Wraps a handler so that its changes are recorded. */
  watch(name: string, endpoint: Endpoint, handler: Handle): Handle
  /** Wraps a permit so that its refusals are recorded like the operation's own refusals. */
  watchRefusals(name: string, endpoint: Endpoint, permit: Handle): Handle
  /** Records an event that is not a call to an operation. */
  note(
    accountId: string,
    operation: string,
    by: Exclude<Actor['kind'], 'operator'> | Person,
    ids: Content,
    outcome?: string,
  ): Promise<void>
  /** The write that records an event other than a call, for the event's commit, so that either both are stored or neither is. */
  entry(
    accountId: string,
    operation: string,
    by: Exclude<Actor['kind'], 'operator'> | Person,
    ids: Content,
  ): Promise<Write>
}

/** An entry before some of its IDs are replaced by hashes. */
interface PlainEntry {
  readonly operation: string
  readonly actor: Actor
  readonly ids: Content
  readonly outcome: string
}

interface Dependencies {
  readonly log: Pick<AuditLog, 'append' | 'write'>
  readonly aliases: Aliases
  /** A verification's account, for callers who come with a link. */
  readonly ownerOf: (verificationId: string) => Promise<string | undefined>
  /** Receives the error, with the ID of the request that could not be recorded, if any. */
  readonly onFailure: (error: unknown, requestId?: string) => void
}

/** IDs that the log contains in plain form, by their names in requests and responses. */
const plainNames: Readonly<Record<string, string>> = {
  verificationId: 'verificationId',
  collectionId: 'collectionId',
  collectionName: 'collectionId',
  faceId: 'faceId',
  keyId: 'keyId',
  kioskId: 'kioskId',
  deliveryId: 'deliveryId',
  endpointId: 'endpointId',
  operatorId: 'operatorId',
  invitationId: 'invitationId',
  passkeyId: 'passkeyId',
  role: 'role',
  consequences: 'consequences',
  saw: 'saw',
}

/** IDs that the log contains only as salted hashes. */
const aliasNames: Readonly<Record<string, Subject>> = {
  verificationSessionId: 'session',
  verificationSessionIds: 'session',
  externalId: 'person',
  externalIdentifier: 'person',
}

function createAudit({ log, aliases, ownerOf, onFailure }: Dependencies): Audit {
  async function append(accountId: string, { ids, ...entry }: PlainEntry, requestId?: string) {
    try {
      const resources = await hideSubjects(aliases, accountId, ids)
      await log.append(accountId, { ...entry, resources })
    } catch (error) {
      onFailure(error, requestId)
    }
  }

  async function record(name: string, endpoint: Endpoint, call: Call, result: unknown, outcome: string) {
    const { caller } = call
    const ids = { ...idsOfCaller(caller), ...idsOf(endpoint, call, result) }
    const accountId = await findAccountId(caller, ids)
    const entry = { operation: name, actor: actorOf(caller), ids, outcome }
    if (accountId !== undefined) await append(accountId, entry, caller.requestId)
  }

  async function findAccountId(caller: Caller, { verificationId }: Content): Promise<string | undefined> {
    if (caller.kind !== 'anonymous') return caller.accountId
    return typeof verificationId === 'string' ? ownerOf(verificationId) : undefined
  }

  function watchRefusals(name: string, endpoint: Endpoint, handler: Handle): Handle {
    if (endpoint.audit === 'unrecorded') return handler
    return async (call) => {
      try {
        return await handler(call)
      } catch (error) {
        const code = error instanceof Problem ? error.code : 'internal_error'
        if (call.caller.kind !== 'anonymous') await record(name, endpoint, call, {}, code)
        throw error
      }
    }
  }

  return {
    watchRefusals,
    watch(name, endpoint, handler) {
      if (endpoint.audit === 'unrecorded') return handler
      const watched = watchRefusals(name, endpoint, handler)
      return async (call) => {
        const result = await watched(call)
        await record(name, endpoint, call, result, 'succeeded')
        return result
      }
    },
    note: (accountId, operation, by, ids, outcome = 'succeeded') =>
      append(accountId, { operation, actor: actorNamed(by), ids, outcome }),
    async entry(accountId, operation, by, ids) {
      const resources = await hideSubjects(aliases, accountId, ids)
      return log.write(accountId, { operation, actor: actorNamed(by), resources, outcome: 'succeeded' })
    },
  }
}

/** An entry's IDs, with person and session IDs replaced by hashes. Several of one name are separated by spaces. */
async function hideSubjects(
  aliases: Aliases,
  accountId: string,
  ids: Content,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(ids)) {
    const plain = plainNames[name]
    const subject = aliasNames[name]
    if (plain !== undefined && typeof value === 'string' && value !== '') found[plain] = value
    if (subject === undefined) continue
    const named: string[] = []
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === 'string' && one !== '')
        named.push(await aliases.of(accountId, subject, canonicalIdentity(one)))
    if (named.length > 0) found[subject] = named.join(' ')
  }
  return found
}

/** [Note: Erased persons leave no name] The entry that records a deletion must not name the deleted person again. */
function idsOf({ erases }: Endpoint, { query, body }: Call, result: unknown): Content {
  if (erases === 'person') return {}
  return { ...(query as Content), ...(body as Content), ...(result as Content) }
}

/** If the request does not name a session or kiosk, its token identifies it. Changes are recorded with their consequences. */
function idsOfCaller(caller: Caller): Content {
  if (caller.kind === 'account') return { consequences: caller.consequences?.join(' '), saw: caller.saw }
  if (caller.kind === 'kiosk') return { kioskId: caller.kioskId }
  return caller.kind === 'session' ? { verificationSessionId: caller.sessionId } : {}
}

function actorOf(caller: Caller): Actor {
  if (caller.kind === 'anonymous') return { kind: 'link', keyId: null, tokenId: null }
  if (caller.kind === 'session') return { kind: 'session', keyId: null, tokenId: null }
  if (caller.kind === 'kiosk') return { kind: 'kiosk', keyId: null, tokenId: null }
  if (caller.via === 'operator')
    return personAs({ operatorId: caller.keyId, name: caller.operatorName ?? '' })
  if (caller.via === 'command') return { kind: 'commandLine', keyId: null, tokenId: null }
  return { kind: caller.via, keyId: caller.keyId, tokenId: caller.tokenId ?? null }
}

function actorNamed(by: Exclude<Actor['kind'], 'operator'> | Person): Actor {
  return typeof by === 'string' ? { kind: by, keyId: null, tokenId: null } : personAs(by)
}

/** An operator in the console does not use a key. */
function personAs({ operatorId, name }: Person): Actor {
  return { kind: 'operator', keyId: null, tokenId: null, operator: { operatorId, name } }
}
