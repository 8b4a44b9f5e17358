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
 * What of a page's plan its verifiers settle. [Note: One plan for visit and preview] The server tells a page so what to capture, and the
 * console's preview what it would.
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

/** How many further tries a configuration gives. */
export function triesOf({ retryConfig }: VerificationConfig): number {
  return retryConfig?.attempts ?? mostTries - 1
}

/** For how many days from its creation a session stays in lists. */
export function daysOf({ historyConfig }: VerificationConfig): number {
  return historyConfig?.days ?? historyDays.least
}

/** What the consent has to say of the days; nothing where a session is listed no longer than its result is kept. */
export function historyOf(config: VerificationConfig): Pick<CapturePlan, 'history'> {
  const days = daysOf(config)
  return days > historyDays.least ? { history: { days } } : {}
}

/** For whom pictures are kept, and for how long, as the consent says it; nothing where they are for nobody. */
export function keepsOf({ evidenceConfig }: VerificationConfig): Pick<CapturePlan, 'keeps'> {
  const { keep: pictures = 'none', hours = evidenceHours.usual } = evidenceConfig ?? {}
  return pictures === 'none' ? {} : { keeps: { pictures, hours } }
}

/** What a configuration says of another way; nothing where it says nothing. */
export function alternativeOf({ alternativeConfig }: VerificationConfig): Pick<CapturePlan, 'alternative'> {
  if (alternativeConfig === undefined) return {}
  return { alternative: { url: alternativeConfig.url, text: alternativeConfig.text ?? null } }
}

/** What a configuration has shown at the consent; nothing where it says nothing. */
export function privacyOf({ privacyConfig }: VerificationConfig): Pick<CapturePlan, 'privacy'> {
  if (privacyConfig === undefined) return {}
  const { privacyUrl = null, termsUrl = null, controller = null, purpose = null } = privacyConfig
  const said = { privacyUrl, termsUrl, controller, purpose: purpose && wordsIn(purpose, '') }
  if (purpose === null || typeof purpose === 'string') return { privacy: said }
  const { default: _, ...purposes } = purpose
  return { privacy: { ...said, purposes: purposes as Record<string, string> } }
}
