/** Why there is no camera picture, exactly enough to name a remedy. */
export const cameraCauses = [
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
  'tooSlow',
] as const
export type CameraCause = (typeof cameraCauses)[number]

/** What is known beside the error itself. */
export interface Circumstances {
  /** The state of the camera permission after the refusal, where the browser tells. */
  readonly permission: 'granted' | 'denied' | 'prompt' | undefined
  /** Whether this document may use the camera at all (Permissions Policy). */
  readonly allowedByPolicy: boolean
}

/**
 * Turns a vague error of getUserMedia into its cause.
 * @param error what getUserMedia rejected with
 */
export function cameraCauseOf(error: unknown, { permission, allowedByPolicy }: Circumstances): CameraCause {
  const { name = '', message = '' } = (error ?? {}) as { name?: string; message?: string }
  if (!allowedByPolicy) return 'embedded' // whatever else: Chromium first says that it finds no camera there
  switch (name) {
    case 'SecurityError':
      return 'embedded'
    case 'NotAllowedError':
      if (bySystem(message) || permission === 'granted') return 'blockedBySystem'
      return dismissed(message, permission) ? 'dismissed' : 'blocked'
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

/** Chromium and Safari say so in words; a permission that stands granted leaves only the system. */
function bySystem(message: string): boolean {
  return /\bsystem\b|operating system|platform/i.test(message)
}

function dismissed(message: string, permission: Circumstances['permission']): boolean {
  return /dismiss/i.test(message) || permission === 'prompt'
}
