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

/** The ports of the services: everything that differs between production and a test. */
export interface Ports {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly outbound: Outbound
  /** Decodes pictures; in the event loop if absent. */
  readonly decodeBase64?: DecodeBase64
  readonly now: Clock
  readonly webhookRetryAfterInMilliseconds: number
  /** Permanent storage of audit logs. */
  readonly auditSegments: AuditSegments
  /** Receives each new head of an audit log. */
  readonly onAuditHead?: OnAuditHead
  /** Facts about audit logs from outside the store; empty at first if absent. */
  readonly reportedOutside?: ReportedOutside
  /** Receives errors that fail no request, with the id of the request during which they happened, if any. */
  readonly onFailure: (error: unknown, requestId?: string) => void
  readonly analysis: AnalysisService
  /** Determines which networks the analysis has. */
  readonly pack: Pack
  /** The public origin of the configuration role, which serves the pages; known once the server listens. */
  readonly origin: () => string
  /** The public origin of the security role, which tokens name as their issuer. */
  readonly issuer: () => string
  readonly region: Region
  /** Roots that may vouch for the device of a passkey; if absent, no visit reaches `high`. */
  readonly passkeyRoots?: TrustedRoots
  /** Devices that lead to `standard` at most, although a root vouches for them; absent if the operator has set no list. */
  readonly revokedDevices?: RevokedDevices | undefined
  readonly challengeActions: readonly Action[]
  readonly attemptLimit: number | undefined
  /** Suspected forgeries allowed per hour, link and external id; undefined if they are only reported. */
  readonly forgeryLimit: number | undefined
  /** Sessions that an address may open per minute, which also determines how many bytes it may leave; undefined without a limit. */
  readonly openingsAMinute?: number | undefined
  /** Origins that may embed the pages of every account. */
  readonly embedOrigins: readonly string[]
  /** Number of faces in a collection above which verify-duplicate refuses newcomers. */
  readonly collectionLimit: number
  /** Number of faces of all collections together that stay in memory. */
  readonly facesInMemory?: number
  /** Creates the index of a collection; one that searches in the event loop if absent. */
  readonly createIndex?: CreateIndex
  /** PostgreSQL servers that may store faces; none if absent. */
  readonly faceServers?: FaceServers | undefined
  /** The kind of index for collections that were never moved; in memory if absent. */
  readonly faceIndex?: IndexKind
  /** Receives collections for which the search threads have little or no memory left. */
  readonly tellRoom?: TellRoom
  /** Number of searches whose result may have been incomplete; undefined if no servers store faces. */
  readonly inexactSearches?: () => number | undefined
  /** The operator's own OpenID Connect provider, if there is one. */
  readonly openid?: OpenidSettings | undefined
  /** True if the deployment itself is an OpenID provider; false if absent. */
  readonly isOpenidProvider?: boolean
  readonly tally: Tally
  /** Storage of pictures for reviews. */
  readonly blobs: Blobs
  /** Receives the reason why pictures could not be stored. No request fails because of it. */
  readonly onEvidenceLost: (error: unknown) => void
  readonly phase: () => Phase
  /** Number of collections with faces that no loaded network can read. */
  readonly unreadableCollections?: () => number
  /** Problems, besides its phase, that keep the process from being ready. */
  readonly troubles?: () => readonly string[]
  /** Subscribes to hints of the store that there is something new, if it gives any. */
  readonly onStoreHint?: OnHint | undefined
}
