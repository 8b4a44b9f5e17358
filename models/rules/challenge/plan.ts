import { mostTries } from '#shared/contract/configuration/check-settings.ts'
import {
  evidenceHours,
  historyDays,
  type VerificationConfig,
} from '#shared/contract/configuration/verification-config.ts'
import { wordsIn } from '#shared/contract/configuration/words-by-language.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { trailAsked } from '#shared/contract/sessions/trail.ts'
import { actionCounts } from './progress.ts'

/**
 * The parts of a page's plan that depend on the verifiers. [Note: One plan for visit and preview] The server uses them to tell a page what
 * to capture, and the console's preview uses them to show what would be captured.
 */
export function plannedBy(
  verifiers: NonNullable<VerificationConfig['verifierConfigs']>,
): Pick<CapturePlan, 'verifiers' | 'challenge' | 'evidence'> {
  const isOn = (type: string | undefined) => (type ?? 'Disabled') !== 'Disabled'
  const liveness = isOn(verifiers.liveness?.type)
  const type = verifiers.liveness?.challengeType ?? 'Balanced'
  return {
    verifiers: {
      liveness,
      age: isOn(verifiers.age?.type),
      gender: isOn(verifiers.gender?.type),
      faceRecognition: isOn(verifiers.faceRecognition?.type),
      emotion: isOn(verifiers.emotion?.type),
      ...(isOn(verifiers.reference?.type) && { reference: true }),
    },
    challenge: liveness ? { type, actionCount: actionCounts[type] } : null,
    evidence: liveness
      ? {
          trail: true,
          required: verifiers.liveness?.evidence !== 'optional',
          trailPerSecond: trailAsked.perSecond,
          trailPixels: trailAsked.pixels,
        }
      : null,
  }
}

/** The number of additional tries that a configuration allows. */
export function triesOf({ retryConfig }: VerificationConfig): number {
  return retryConfig?.attempts ?? mostTries - 1
}

/** For how many days after its creation a session is listed. */
export function daysOf({ historyConfig }: VerificationConfig): number {
  return historyConfig?.days ?? historyDays.least
}

/** The listing period to show in the consent. Empty if a session is not listed for longer than its result is stored. */
export function historyOf(config: VerificationConfig): Pick<CapturePlan, 'history'> {
  const days = daysOf(config)
  return days > historyDays.least ? { history: { days } } : {}
}

/** The picture retention to show in the consent. Empty if no pictures are stored. */
export function keepsOf({ evidenceConfig }: VerificationConfig): Pick<CapturePlan, 'keeps'> {
  const { keep: pictures = 'none', hours = evidenceHours.usual } = evidenceConfig ?? {}
  return pictures === 'none' ? {} : { keeps: { pictures, hours } }
}

/** The configured alternative, or empty if there is none. */
export function alternativeOf({ alternativeConfig }: VerificationConfig): Pick<CapturePlan, 'alternative'> {
  if (alternativeConfig === undefined) return {}
  return { alternative: { url: alternativeConfig.url, text: alternativeConfig.text ?? null } }
}

/** The privacy notice that the configuration adds to the consent. Empty if there is none. */
export function privacyOf({ privacyConfig }: VerificationConfig): Pick<CapturePlan, 'privacy'> {
  if (privacyConfig === undefined) return {}
  const { privacyUrl = null, termsUrl = null, controller = null, purpose = null } = privacyConfig
  const said = { privacyUrl, termsUrl, controller, purpose: purpose && wordsIn(purpose, '') }
  if (purpose === null || typeof purpose === 'string') return { privacy: said }
  const { default: _, ...purposes } = purpose
  return { privacy: { ...said, purposes: purposes as Record<string, string> } }
}
