import { accountCases, accountLimits } from './cases/account.ts'
import { configurationCases, configurationLimits } from './cases/configuration.ts'
import { demographicCases, demographicLimits } from './cases/demographic.ts'
import { emotionAttentionCases, emotionAttentionLimits } from './cases/emotion-attention.ts'
import { faceVerificationCases, faceVerificationLimits } from './cases/face-verification.ts'
import { healthCases, healthLimits } from './cases/health.ts'
import { kioskCases, kioskLimits } from './cases/kiosk.ts'
import { livenessCases, livenessLimits } from './cases/liveness.ts'
import { openidCases, openidLimits } from './cases/openid.ts'
import { passkeyCases } from './cases/passkey.ts'
import { recognitionCases, recognitionLimits } from './cases/recognition.ts'
import { securityCases, securityLimits } from './cases/security.ts'
import { sessionCases, sessionLimits } from './cases/session.ts'
import { sessionEvidenceCases } from './cases/session-evidence.ts'
import { sessionListCases, sessionListLimits } from './cases/session-list.ts'
import { sessionTestCases, sessionTestLimits } from './cases/session-test.ts'
import { verifyCases, verifyLimits } from './cases/verify.ts'
import type { Cases, Limits } from './contract-case.ts'

/** Every case for every role. */
export const cases: Cases = {
  ...healthCases,
  ...configurationCases,
  ...sessionCases,
  ...sessionListCases,
  ...sessionEvidenceCases,
  ...sessionTestCases,
  ...passkeyCases,
  ...securityCases,
  ...recognitionCases,
  ...demographicCases,
  ...faceVerificationCases,
  ...verifyCases,
  ...emotionAttentionCases,
  ...livenessCases,
  ...accountCases,
  ...kioskCases,
  ...openidCases,
}

/** Every limit for every role. */
export const limits: Limits = {
  ...healthLimits,
  ...configurationLimits,
  ...sessionLimits,
  ...sessionListLimits,
  ...sessionTestLimits,
  ...securityLimits,
  ...recognitionLimits,
  ...demographicLimits,
  ...faceVerificationLimits,
  ...verifyLimits,
  ...emotionAttentionLimits,
  ...livenessLimits,
  ...accountLimits,
  ...kioskLimits,
  ...openidLimits,
}
