import type { Pack } from '#models/rules/packs.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { StoreFill } from '#server/features/attention/attention.ts'
import type { AuditSegments, OnAuditHead, ReportedOutside } from '#server/features/audit/audit.ts'
import type { OpenidSettings } from '#server/features/operators/operators.ts'
import type {
  CreateGallery,
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

/** The services' ports: everything that differs between production and a test. */
export interface Ports {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly outbound: Outbound
  /** Decodes pictures; runs in the event loop if absent. */
  readonly decodeBase64?: DecodeBase64
  readonly now: Clock
  readonly webhookRetryAfterInMilliseconds: number
  /** Permanent storage for audit logs. */
  readonly auditSegments: AuditSegments
  /** Receives each new audit log head. */
  readonly onAuditHead?: OnAuditHead
  /** Facts about audit logs from outside the store; initially empty if absent. */
  readonly reportedOutside?: ReportedOutside
  /** Receives errors that fail no request, with the ID of the request during which they happened, if any. */
  readonly onFailure: (error: unknown, requestId?: string) => void
  readonly analysis: AnalysisService
  /** Determines which networks are available for the analysis. */
  readonly pack: Pack
  /** The public origin of the configuration role, which serves the pages. Known once the server is listening. */
  readonly origin: () => string
  /** The security role's public origin, which tokens name as their issuer. */
  readonly issuer: () => string
  readonly region: Region
  /** Attestation roots for passkey devices; if absent, no visit reaches `high`. */
  readonly passkeyRoots?: TrustedRoots
  /** Devices limited to `standard` even though a root vouches for them; absent if the operator has not set a list. */
  readonly revokedDevices?: RevokedDevices | undefined
  readonly challengeActions: readonly Action[]
  readonly attemptLimit: number | undefined
  /** How many suspected forgeries are allowed per hour, link and external ID; undefined if they are only reported. */
  readonly forgeryLimit: number | undefined
  /** How many sessions an address may open per minute, which also determines how many bytes it may leave; undefined for no limit. */
  readonly openingsAMinute?: number | undefined
  /** Origins that may embed any account's pages. */
  readonly embedOrigins: readonly string[]
  /** The number of faces in a collection above which verify-duplicate refuses newcomers. */
  readonly collectionLimit: number
  /** How many faces stay in memory, across all collections. */
  readonly facesInMemory?: number
  /** Creates a collection's gallery; defaults to one that is searched in the event loop. */
  readonly createGallery?: CreateGallery
  /** PostgreSQL servers that may store faces; defaults to none. */
  readonly faceServers?: FaceServers | undefined
  /** The kind of index for collections that were never moved; in memory if absent. */
  readonly faceIndex?: IndexKind
  /** Receives collections for which the search threads have little or no memory left. */
  readonly tellRoom?: TellRoom
  /** How many searches may have had an incomplete result; undefined if no servers store faces. */
  readonly inexactSearches?: () => number | undefined
  /** The operator's own OpenID Connect provider, if there is one. */
  readonly openid?: OpenidSettings | undefined
  /** True if the deployment itself is an OpenID provider; defaults to false. */
  readonly isOpenidProvider?: boolean
  readonly tally: Tally
  /** Storage for review pictures. */
  readonly blobs: Blobs
  /** Receives the reason that pictures could not be stored. This does not fail any request. */
  readonly onEvidenceLost: (error: unknown) => void
  /** Receives the reason that early pictures could not be analysed. If absent, the failure is ignored. */
  readonly onEarlyLost?: (error: unknown) => void
  /** The most bytes of early pictures that wait for analysis in this process; defaults to 256 MB. */
  readonly mostEarlyBytes?: number
  readonly phase: () => Phase
  /** How full the store is; absent if the process does not know. */
  readonly storeFill?: () => Promise<StoreFill>
  /** Number of collections with faces that no loaded network can read. */
  readonly unreadableCollections?: () => number
  /** Problems, besides the process's phase, that keep it from being ready. */
  readonly troubles?: () => readonly string[]
  /** Subscribes to the store's hints that there is something new, if it gives any. */
  readonly onStoreHint?: OnHint | undefined
}
