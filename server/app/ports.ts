import type { Pack } from '#models/rules/packs.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { AuditSegments, OnAuditHead, ReportedOutside } from '#server/features/audit/audit.ts'
import type { OpenidSettings } from '#server/features/operators/operators.ts'
import type {
  CreateIndex,
  FaceServers,
  IndexKind,
  TellRoom,
} from '#server/features/recognition/recognition.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import type { Phase } from '#server/platform/running/phase.ts'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import type { OnHint } from '#server/platform/store/open-store.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import type { RevokedDevices } from '#server/platform/web-authn/attestation/revoked-devices.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Region } from '#shared/hosts.ts'

/** What the services stand on: everything that differs between production and a test. */
export interface Ports {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly outbound: Outbound
  /** Decodes pictures; in the event loop if absent. */
  readonly decodeBase64?: DecodeBase64
  readonly now: Clock
  readonly webhookRetryAfterInMilliseconds: number
  /** Where audit logs are kept for good. */
  readonly auditSegments: AuditSegments
  /** Told of each new end of an audit log. */
  readonly onAuditHead?: OnAuditHead
  /** What is known of audit logs from outside the store; nothing at first where absent. */
  readonly reportedOutside?: ReportedOutside
  /** What fails without failing a request; with the id of the request during which it failed, where there was one. */
  readonly onFailure: (error: unknown, requestId?: string) => void
  readonly analysis: AnalysisService
  /** What the analysis has networks for. */
  readonly pack: Pack
  /** The public origin of the configuration role, where the pages are; known once the server listens. */
  readonly origin: () => string
  /** The public origin of the security role, which tokens name as their issuer. */
  readonly issuer: () => string
  readonly region: Region
  /** Who may vouch for the device of a passkey; nobody leads to `high` where it is absent. */
  readonly passkeyRoots?: TrustedRoots
  /** Devices that lead to `standard` at most, although a root vouches for them; absent if the operator has set no list. */
  readonly revokedDevices?: RevokedDevices | undefined
  readonly challengeActions: readonly Action[]
  readonly attemptLimit: number | undefined
  /** Sessions an hour that look forged, per link and external id; undefined where they are only reported. */
  readonly forgeryLimit: number | undefined
  /** Sessions that an address may open a minute, which also sets the bytes that it may leave; undefined without a limit. */
  readonly openingsAMinute?: number | undefined
  /** Origins that may embed the pages of every account. */
  readonly embedOrigins: readonly string[]
  /** How many faces a collection may hold before verify-duplicate turns a new one away. */
  readonly collectionLimit: number
  /** How many faces of all collections together stay in memory. */
  readonly facesInMemory?: number
  /** Makes the index of one collection of faces; one that is searched on the spot where absent. */
  readonly createIndex?: CreateIndex
  /** PostgreSQL servers that may keep faces; none where absent. */
  readonly faceServers?: FaceServers | undefined
  /** Where the faces of collections are searched that were never moved; in memory where absent. */
  readonly faceIndex?: IndexKind
  /** Told where the memory of the search threads has little room or none for a collection. */
  readonly tellRoom?: TellRoom
  /** Answers that said that something may have been left out; undefined where no servers keep faces. */
  readonly inexactSearches?: () => number | undefined
  /** The operator's own provider of OpenID Connect, where there is one. */
  readonly openid?: OpenidSettings | undefined
  /** Whether the deployment is an OpenID provider itself; not where absent. */
  readonly isOpenidProvider?: boolean
  readonly tally: Tally
  /** Where pictures lie that are kept for a review. */
  readonly blobs: Blobs
  /** Told why pictures could not be kept: no request fails of it. */
  readonly onEvidenceLost: (error: unknown) => void
  /** Told why pictures could not be analysed that were handed in before their step ended; nobody is if absent. */
  readonly onEarlyLost?: (error: unknown) => void
  readonly phase: () => Phase
  /** How many collections hold faces that no loaded network can read. */
  readonly unreadableCollections?: () => number
  /** What keeps the process from being ready besides its phase, in words. */
  readonly troubles?: () => readonly string[]
  /** Where the store tells when there is something to look for. */
  readonly onStoreHint?: OnHint | undefined
}
