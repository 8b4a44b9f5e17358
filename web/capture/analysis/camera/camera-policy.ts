import { promised } from './promised.ts'

/** What a page tells of its window and its devices. */
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
 * Whether the page around this one lets it use the camera. Chromium alone tells; Firefox and WebKit refuse with the words that they
 * have for every refusal, but a frame without the permission sees no camera at all, one whose person said no still does.
 * @param error what getUserMedia rejected with
 */
export async function isCameraDelegated(page: CameraPage, error: unknown): Promise<boolean> {
  const { featurePolicy } = page.document as { featurePolicy?: FeaturePolicy }
  if (featurePolicy !== undefined) return featurePolicy.allowsFeature('camera')
  if (page.parent === page || (error as DOMException | null)?.name !== 'NotAllowedError') return true
  const list = () => page.navigator.mediaDevices?.enumerateDevices()
  const devices = await promised(list, listMilliseconds)
  return devices === undefined || devices.some(({ kind }) => kind === 'videoinput')
}
