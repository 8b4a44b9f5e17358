import type { Endpoint } from '../endpoint.ts'
import type { Role } from '../hosts.ts'
import { accountEndpoints } from './account/account.ts'
import { attentionEndpoints } from './account/attention.ts'
import { auditEndpoints } from './account/audit.ts'
import { personEndpoints } from './account/person.ts'
import { requestLogEndpoints } from './account/request-log.ts'
import { deliveryEndpoints } from './account/webhook.ts'
import { webhookReceiverEndpoints } from './account/webhook-endpoint.ts'
import { demographicEndpoints } from './analysis/demographic.ts'
import { emotionAttentionEndpoints } from './analysis/emotion-attention.ts'
import { faceQualityEndpoints } from './analysis/face-quality.ts'
import { faceVerificationEndpoints } from './analysis/face-verification.ts'
import { livenessEndpoints } from './analysis/liveness.ts'
import { signatureEndpoints } from './configuration/signature.ts'
import { verificationEndpoints } from './configuration/verification.ts'
import { healthEndpoints } from './health.ts'
import { kioskEndpoints } from './kiosk/kiosk.ts'
import { openidClientEndpoints } from './openid/openid-client.ts'
import { recognitionEndpoints } from './recognition/recognition.ts'
import { verifyEndpoints } from './recognition/verify.ts'
import { securityEndpoints } from './security/security.ts'
import { sessionEndpoints } from './sessions/session.ts'
import { sessionCreationEndpoints } from './sessions/session-creation.ts'
import { sessionEvidenceEndpoints } from './sessions/session-evidence.ts'
import { sessionFaceEndpoints } from './sessions/session-faces.ts'
import { sessionHandoffEndpoints } from './sessions/session-handoff.ts'
import { sessionLinkEndpoints } from './sessions/session-link.ts'
import { sessionListEndpoints } from './sessions/session-list.ts'
import { sessionPasskeyEndpoints } from './sessions/session-passkey.ts'
import { sessionPictureEndpoints } from './sessions/session-pictures.ts'
import { sessionResultEndpoints } from './sessions/session-result.ts'
import { sessionReviewingEndpoints } from './sessions/session-reviewing.ts'
import { sessionTestEndpoints } from './sessions/session-test.ts'
import { sessionTimelineEndpoints } from './sessions/session-timeline.ts'
import { sessionUsageEndpoints } from './sessions/session-usage.ts'

/** The endpoints for integrators and their pages, by role. */
export const clientCatalogue = {
  configuration: {
    ...healthEndpoints,
    ...signatureEndpoints,
    ...verificationEndpoints,
    ...sessionResultEndpoints,
    ...sessionListEndpoints,
    ...sessionEvidenceEndpoints,
    ...sessionFaceEndpoints,
    ...sessionReviewingEndpoints,
    ...sessionTimelineEndpoints,
    ...sessionUsageEndpoints,
    ...sessionCreationEndpoints,
    ...sessionEndpoints,
    ...sessionLinkEndpoints,
    ...sessionPictureEndpoints,
    ...sessionTestEndpoints,
    ...sessionHandoffEndpoints,
    ...sessionPasskeyEndpoints,
    ...accountEndpoints,
    ...attentionEndpoints,
    ...requestLogEndpoints,
    ...auditEndpoints,
    ...deliveryEndpoints,
    ...webhookReceiverEndpoints,
    ...personEndpoints,
    ...kioskEndpoints,
    ...openidClientEndpoints,
  },
  security: { ...healthEndpoints, ...securityEndpoints },
  'face-recognition': { ...healthEndpoints, ...recognitionEndpoints },
  demographic: { ...healthEndpoints, ...demographicEndpoints },
  'face-verification': { ...healthEndpoints, ...faceVerificationEndpoints, ...faceQualityEndpoints },
  verify: { ...healthEndpoints, ...verifyEndpoints },
  'emotion-attention': { ...healthEndpoints, ...emotionAttentionEndpoints },
  liveness: { ...healthEndpoints, ...livenessEndpoints },
} as const satisfies Record<Role, Record<string, Endpoint & { readonly inClient: true }>>

export type ClientCatalogue = typeof clientCatalogue
