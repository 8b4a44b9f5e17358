import { openHeads } from '#server/features/audit/audit.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import type { AuditPlace } from './audit-place.ts'
import { composeServices } from './compose.ts'
import { evidencePlace } from './evidence-place.ts'
import { openFaceServers } from './face-servers.ts'
import type { Settings } from './settings.ts'

const retryAfterInMilliseconds = 1000

interface OpenStore {
  readonly store: Store
  readonly keyRing: KeyRing
  /** The picture store on the store's server, if it has one. */
  readonly ofServer: Blobs | undefined
  readonly auditPlace: AuditPlace
}

/**
 * Composes the services for a process that does not serve requests, such as a command or a restore. It analyses no pictures,
 * counts nothing and limits no callers, and an error that a server would only log ends the process.
 */
export async function composeNextToServer(
  settings: Settings,
  { store, keyRing, ofServer, auditPlace }: OpenStore,
) {
  const { headSender, reportedOutside } = await openHeads(
    settings.upkeep.auditHeads,
    keyRing,
    (error) => console.error(`The head of an audit log could not be reported: ${String(error)}`),
    (head) => console.error(JSON.stringify({ auditHead: head })),
  )
  const pages = pagesOf(settings)
  const { faceServers, faceIndex, close } = openFaceServers(settings, () => undefined)
  const services = composeServices({
    auditSegments: auditPlace.segments,
    store,
    keyRing,
    onAuditHead: headSender.tell,
    reportedOutside,
    analysis: { parallel: 1, analyse: refuseAnalysis, close: async () => undefined },
    outbound: createOutbound({ allowLoopback: settings.webhookAllowLoopback }),
    now: Date.now,
    origin: () => pages,
    issuer: () => settings.securityUrl ?? pages,
    region: settings.region,
    pack: settings.pack,
    challengeActions: settings.challengeActions,
    isOpenidProvider: settings.upkeep.isOpenidProvider,
    attemptLimit: undefined,
    forgeryLimit: undefined,
    embedOrigins: settings.embedOrigins,
    webhookRetryAfterInMilliseconds: retryAfterInMilliseconds,
    collectionLimit: settings.collectionLimit,
    faceServers,
    faceIndex,
    tally: silentTally,
    blobs: evidencePlace(settings, keyRing, ofServer),
    onEvidenceLost(error) {
      throw error
    },
    phase: () => 'serving',
    onFailure(error) {
      throw error
    },
  })
  return { services, headSender, closeFaceServers: close }
}

const silentTally: Tally = {
  sessionEnded: () => {},
  webhookSent: () => {},
  webhookLost: () => {},
  evidenceLost: () => {},
  recordUnreadable: () => {},
}

async function refuseAnalysis(): Promise<never> {
  throw new Error('Only a server can analyse pictures.')
}

/** The address as the server would announce it. The server does not need to be running. */
function pagesOf({ configurationUrl, listeners, host }: Settings): string {
  const { port } = listeners.find(({ roles }) => roles.includes('configuration')) ?? listeners[0]!
  return configurationUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
