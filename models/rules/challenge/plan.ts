import {
  evidenceHours,
  historyDays,
  type VerificationConfig,
} from '#shared/contract/configuration/verification-config.ts'
import { wordsIn } from '#shared/contract/configuration/words-by-language.ts'
import { type CapturePlan, mostTries } from '#shared/contract/sessions/session.ts'
import { trailAsked } from '#shared/contract/sessions/trail.ts'
import { actionCounts } from './progress.ts'

/**
 * The parts of a page's plan that are determined by the verifiers. [Note: One plan for visit and preview] The server uses
 * it to tell a page what to capture, and the console's preview to show what it would capture.
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

/** Number of further tries in a configuration. */
export function triesOf({ retryConfig }: VerificationConfig): number {
  return retryConfig?.attempts ?? mostTries - 1
}

/** Days from its creation during which a session is listed. */
export function daysOf({ historyConfig }: VerificationConfig): number {
  return historyConfig?.days ?? historyDays.least
}

/** The listing period for the consent; empty if a session is listed no longer than its result is stored. */
export function historyOf(config: VerificationConfig): Pick<CapturePlan, 'history'> {
  const days = daysOf(config)
  return days > historyDays.least ? { history: { days } } : {}
}

/** The retention of pictures, for the consent; empty if none are stored. */
export function keepsOf({ evidenceConfig }: VerificationConfig): Pick<CapturePlan, 'keeps'> {
  const { keep: pictures = 'none', hours = evidenceHours.usual } = evidenceConfig ?? {}
  return pictures === 'none' ? {} : { keeps: { pictures, hours } }
}

/** The alternative in a configuration; empty if there is none. */
export function alternativeOf({ alternativeConfig }: VerificationConfig): Pick<CapturePlan, 'alternative'> {
  if (alternativeConfig === undefined) return {}
  return { alternative: { url: alternativeConfig.url, text: alternativeConfig.text ?? null } }
}

/** The privacy notice for the consent in a configuration; empty if there is none. */
export function privacyOf({ privacyConfig }: VerificationConfig): Pick<CapturePlan, 'privacy'> {
  if (privacyConfig === undefined) return {}
  const { privacyUrl = null, termsUrl = null, controller = null, purpose = null } = privacyConfig
  const said = { privacyUrl, termsUrl, controller, purpose: purpose && wordsIn(purpose, '') }
  if (purpose === null || typeof purpose === 'string') return { privacy: said }
  const { default: _, ...purposes } = purpose
  return { privacy: { ...said, purposes: purposes as Record<string, string> } }
}
