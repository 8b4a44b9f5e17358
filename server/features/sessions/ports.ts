import type { Pack } from '#models/rules/packs.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { AnalyseImage, AnalysisService } from '#server/features/analysis/analysis.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import type { Nonces, Signatures } from '#server/features/links/links.ts'
import type { Recognition } from '#server/features/recognition/recognition.ts'
import type { Tokens } from '#server/features/tokens/tokens.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Deliveries, DeliveryStore, Events } from '#server/features/webhooks/webhooks.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import type { RevokedDevices } from '#server/platform/web-authn/attestation/revoked-devices.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Region } from '#shared/hosts.ts'
import type { CaptureAnswers } from './judging/end-session.ts'

/** The dependencies that differ between production and tests, by the part that needs them. */
export interface SessionPorts {
  readonly records: RecordPorts
  readonly services: ServicePorts
  readonly endpoints: EndpointPorts
}

export interface RecordPorts {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly attemptLimit: number | undefined
  /** How many suspected forgeries are allowed per hour, link and external ID; undefined if they are only reported. */
  readonly forgeryLimit: number | undefined
  /** How many sessions an address may open per minute, which also determines how many bytes it may leave; undefined for no limit. */
  readonly openingsAMinute?: number | undefined
  readonly now: Clock
}

export interface ServicePorts {
  readonly store: Store
  readonly analysis: AnalysisService
  readonly pack: Pack
  /** The pages' public origin. */
  readonly origin: () => string
  readonly region: Region
  /** Origins that may embed any account's pages. */
  readonly embedOrigins: readonly string[]
  readonly challengeActions: readonly Action[]
  readonly tally: Pick<Tally, 'sessionEnded' | 'evidenceLost'>
  /** Storage for review pictures. */
  readonly blobs: Blobs
  /** Receives the reason that pictures could not be stored. */
  readonly onEvidenceLost: (error: unknown) => void
  /** Receives the reason that early pictures could not be analysed. If absent, the failure is ignored. */
  readonly onEarlyLost?: (error: unknown) => void
  /** The most bytes of early pictures that wait for analysis in this process; defaults to 256 MB. */
  readonly mostEarlyBytes?: number
  readonly now: Clock
}

export interface EndpointPorts {
  readonly store: Store
  /** Decodes pictures; runs in the event loop if absent. */
  readonly decodeBase64?: DecodeBase64
  readonly pack: Pack
  /** The pages' public origin. */
  readonly origin: () => string
  readonly region: Region
  readonly challengeActions: readonly Action[]
  /** Attestation roots for passkey devices; if absent, no visit reaches `high`. */
  readonly passkeyRoots?: TrustedRoots
  /** Devices limited to `standard` even though a root vouches for them; absent if the operator has not set a list. */
  readonly revokedDevices?: RevokedDevices | undefined
  readonly now: Clock
}

/** The features that sessions build on. */
export interface SessionFoundation {
  readonly accounts: Accounts
  readonly analyseImage: AnalyseImage
  readonly audit: Audit
  readonly deliveries: Deliveries
  readonly deliveryStore: Pick<DeliveryStore, 'ofSession' | 'read' | 'remove'>
  readonly events: Events
  readonly nonces: Nonces
  readonly recognition: Recognition
  readonly signatures: Signatures
  readonly tokens: Tokens
  readonly verifications: Verifications
  /** Answers a kiosk's capture once its session has ended. */
  readonly captures: CaptureAnswers
}
