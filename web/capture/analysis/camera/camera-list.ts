import { promised } from './promised.ts'

/** A camera that the browser lists. */
export interface ListedCamera {
  readonly id: string
  /** Empty if the browser does not name it. */
  readonly label: string
}

const listMilliseconds = 2000

/** The cameras of this device, in the order of the browser; none if it does not list them in time. */
export async function listCameras(): Promise<readonly ListedCamera[]> {
  const devices = await promised(() => navigator.mediaDevices?.enumerateDevices(), listMilliseconds)
  if (!Array.isArray(devices)) return []
  const cameras = (devices as readonly MediaDeviceInfo[]).filter(({ kind }) => kind === 'videoinput')
  return cameras.map(({ deviceId, label }) => ({ id: deviceId ?? '', label: (label ?? '').trim() }))
}

/** The camera after this one, the first after the last; undefined if none has an id. */
export function cameraAfter(cameras: readonly ListedCamera[], id: string | undefined): string | undefined {
  const known = cameras.filter((camera) => camera.id !== '')
  const index = known.findIndex((camera) => camera.id === id)
  return known[(index + 1) % known.length]?.id
}
