import { createAccounts } from '#server/features/accounts/accounts.ts'
import { createImageAnalysis } from '#server/features/analysis/analysis.ts'
import {
  type AuditLog,
  createAuditing,
  createAuditLog,
  createReportedOutside,
  type ReportedOutside,
} from '#server/features/audit/audit.ts'
import { createKeptAnswers } from '#server/features/idempotency/idempotency.ts'
import { createKioskRecords } from '#server/features/kiosks/kiosks.ts'
import { createLinks } from '#server/features/links/links.ts'
import { createRecognition } from '#server/features/recognition/recognition.ts'
import { createTokens } from '#server/features/tokens/tokens.ts'
import { createVerifications } from '#server/features/verifications/verifications.ts'
import { createWebhooks } from '#server/features/webhooks/webhooks.ts'
import type { Ports } from './ports.ts'

/** The services that sessions, kiosks and operators build on. */
export function composeFoundation(ports: Ports) {
  const { store, keyRing, pack, region, issuer, outbound, tally, passkeyRoots, now, onFailure } = ports
  const { reportedOutside = createReportedOutside() } = ports
  const auditLog = composeAuditLog(ports, reportedOutside)
  const isKeyWithdrawn = (accountId: string, id: string) => reportedOutside.isWithdrawn(accountId, 'key', id)
  const isKioskWithdrawn = (accountId: string, id: string) =>
    reportedOutside.isWithdrawn(accountId, 'kiosk', id)
  const { storedKeys, ...ofAccounts } = createAccounts({ store, auditLog, keyRing, now, isKeyWithdrawn })
  const { accounts } = ofAccounts
  const images = createImageAnalysis(ports)
  const { embeddingModel: model, secondModel, formerModel } = pack
  const recognition = createRecognition({
    store,
    keyRing,
    analyseImage: images.analyseImage,
    model,
    secondModel,
    formerModel,
    facesInMemory: ports.facesInMemory,
    createGallery: ports.createGallery,
    faceServers: ports.faceServers,
    faceIndex: ports.faceIndex,
    tellRoom: ports.tellRoom,
    now,
  })
  const verifications = createVerifications({ store, accounts, recognition, pack, passkeyRoots, now })
  return {
    reportedOutside,
    auditLog,
    ...ofAccounts,
    ...createTokens({ store, keyRing, accounts, region, issuer, now }),
    ...createLinks({ store, accounts, now }),
    ...images,
    recognition,
    verifications,
    ...createAuditing({
      store,
      keyRing,
      log: auditLog,
      reportedOutside,
      accounts,
      ownerOf: verifications.ownerOf,
      keys: storedKeys,
      kiosks: createKioskRecords(store, now).kiosks,
      now,
      onFailure,
    }),
    keptAnswers: createKeptAnswers({ store, keyRing, accounts, now }),
    kioskRecords: createKioskRecords(store, now, isKioskWithdrawn),
    ...createWebhooks({
      store,
      keyRing,
      accounts,
      outbound,
      tally,
      retryAfterInMilliseconds: ports.webhookRetryAfterInMilliseconds,
      now,
    }),
  }
}

function composeAuditLog(
  { store, keyRing, auditSegments: segments, now, onAuditHead }: Ports,
  reportedOutside: ReportedOutside,
): AuditLog {
  return createAuditLog({ store, keyRing, segments, now }, (accountId, head, withdrawals) => {
    reportedOutside.note(accountId, withdrawals)
    onAuditHead?.(accountId, head, withdrawals)
  })
}
