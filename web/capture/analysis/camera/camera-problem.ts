import type { CameraCause } from '#web/wording/findings.ts'

/** Additional information about a failure, besides the error. */
export interface Circumstances {
  /** The camera permission after the refusal, if the browser reports it. */
  readonly permission: 'granted' | 'denied' | 'prompt' | undefined
  /** False if the Permissions Policy denies the camera to this document. */
  readonly allowedByPolicy: boolean
  /** How long the browser took to refuse. */
  readonly refusedAfterMilliseconds: number
  /** True if the page is shown by the built-in browser of an app. */
  readonly isInsideApp: boolean
}

/** The shortest time in which a person could plausibly answer a prompt. */
const leastAnswerMilliseconds = 300

/**
 * Derives the cause from a vague getUserMedia error.
 * @param error rejection of getUserMedia
 */
export function cameraCauseOf(error: unknown, circumstances: Circumstances): CameraCause {
  const { permission, allowedByPolicy } = circumstances
  const { name = '', message = '' } = (error ?? {}) as { name?: string; message?: string }
  if (!allowedByPolicy) return 'embedded' // checked first, because Chromium reports a missing camera here
  switch (name) {
    case 'SecurityError':
      return 'embedded'
    case 'NotAllowedError':
      // [Note: Inside an app] There is no address bar to allow the camera in, so the remedy is a real browser, whoever refused.
      if (circumstances.isInsideApp) return 'unsupportedApp'
      if (bySystem(message) || permission === 'granted') return 'blockedBySystem'
      return dismissed(message, circumstances) ? 'dismissed' : 'blocked'
    case 'NotFoundError':
    case 'OverconstrainedError':
    case 'DevicesNotFoundError':
      return 'noCamera'
    case 'NotReadableError':
    case 'AbortError':
    case 'TrackStartError':
      return 'inUse'
    default:
      return name === 'TypeError' ? 'unsupportedApp' : 'inUse'
  }
}

/**
 * True if the system refused. Chromium's message names it; with a granted permission only the system remains. Firefox and WebKit mention
 * "The user agent or the platform" in every refusal.
 */
function bySystem(message: string): boolean {
  return /\bby system\b|operating system/i.test(message)
}

/** True if the prompt was closed or denied just once, so it can be shown again. Firefox and Safari remember a refusal and never ask again. */
function dismissed(message: string, { permission, refusedAfterMilliseconds }: Circumstances): boolean {
  if (/dismiss/i.test(message)) return true
  return permission === 'prompt' && refusedAfterMilliseconds >= leastAnswerMilliseconds
}
