/** Faults of a camera, a browser or a network; the words of each name cause and remedy. */
export const surroundings = [
  'noPicture',
  'smallPicture',
  'hiddenPictures',
  'noWebAssembly',
  'slowNetwork',
] as const
export type Surrounding = (typeof surroundings)[number]

/** Why there is no camera picture, exactly enough to name a remedy. */
export const cameraCauses = [
  ...surroundings,
  'blocked',
  'dismissed',
  'blockedBySystem',
  'embedded',
  'unsupportedApp',
  'noCamera',
  'inUse',
  'stopped',
  'away',
  'reconnected',
  'oldBrowser',
  'notLoaded',
  'wrongFile',
  'tooSlow',
] as const
export type CameraCause = (typeof cameraCauses)[number]

/** True for causes that are words of `surroundings`. */
export function isSurrounding(cause: CameraCause): cause is Surrounding {
  return (surroundings as readonly CameraCause[]).includes(cause)
}

/** What is known besides the error itself. */
export interface Circumstances {
  /** The state of the camera permission after the refusal, where the browser tells. */
  readonly permission: 'granted' | 'denied' | 'prompt' | undefined
  /** Whether this document may use the camera at all (Permissions Policy). */
  readonly allowedByPolicy: boolean
  /** How long the browser took to refuse. */
  readonly refusedAfterMilliseconds: number
  /** Whether an app shows this page inside itself. */
  readonly isInsideApp: boolean
}

/** Nobody reads a question and answers it sooner. */
const leastAnswerMilliseconds = 300

/**
 * Turns a vague error of getUserMedia into its cause.
 * @param error what getUserMedia rejected with
 */
export function cameraCauseOf(error: unknown, circumstances: Circumstances): CameraCause {
  const { permission, allowedByPolicy } = circumstances
  const { name = '', message = '' } = (error ?? {}) as { name?: string; message?: string }
  if (!allowedByPolicy) return 'embedded' // whatever else: Chromium first says that it finds no camera there
  switch (name) {
    case 'SecurityError':
      return 'embedded'
    case 'NotAllowedError':
      // [Note: Inside an app] There is no address bar to allow the camera at: the way out is a browser, whoever refused.
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
 * Chromium says so in words; a permission that stands granted leaves only the system. "The user agent or the platform" is what Firefox
 * and WebKit say of every refusal.
 */
function bySystem(message: string): boolean {
  return /\bby system\b|operating system/i.test(message)
}

/** Closed without an answer, or answered for once: asked again. Firefox and Safari hold to a refusal without asking anybody. */
function dismissed(message: string, { permission, refusedAfterMilliseconds }: Circumstances): boolean {
  if (/dismiss/i.test(message)) return true
  return permission === 'prompt' && refusedAfterMilliseconds >= leastAnswerMilliseconds
}
