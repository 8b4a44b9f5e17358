import { promised } from './promised.ts'

/** The parts of a window that determine whether its page may use the camera. */
export interface CameraPage {
  readonly parent: unknown
  readonly document: unknown
  readonly navigator: { readonly mediaDevices?: Pick<MediaDevices, 'enumerateDevices'> }
}

const listMilliseconds = 2000

interface FeaturePolicy {
  allowsFeature(name: string): boolean
}

/**
 * Resolves with true if the embedding page allows the camera. Only Chromium reports this. Firefox and WebKit use the same message for
 * every refusal, but a frame without the permission sees no camera devices, while one whose person refused still does.
 * @param error rejection of getUserMedia
 */
export async function isCameraDelegated(page: CameraPage, error: unknown): Promise<boolean> {
  const { featurePolicy } = page.document as { featurePolicy?: FeaturePolicy }
  if (featurePolicy !== undefined) return featurePolicy.allowsFeature('camera')
  if (page.parent === page || (error as DOMException | null)?.name !== 'NotAllowedError') return true
  const list = () => page.navigator.mediaDevices?.enumerateDevices()
  const devices = await promised(list, listMilliseconds)
  return devices === undefined || devices.some(({ kind }) => kind === 'videoinput')
}
