import { promised } from './promised.ts'

/** A camera that the browser lists. */
export interface ListedCamera {
  readonly id: string
  /** Empty if the browser does not reveal the name. */
  readonly label: string
}

const listMilliseconds = 2000

/** This device's cameras in the browser's order; an empty list if the browser does not respond in time. */
export async function listCameras(): Promise<readonly ListedCamera[]> {
  const devices = await promised(() => navigator.mediaDevices?.enumerateDevices(), listMilliseconds)
  if (!Array.isArray(devices)) return []
  const cameras = (devices as readonly MediaDeviceInfo[]).filter(({ kind }) => kind === 'videoinput')
  return cameras.map(({ deviceId, label }) => ({ id: deviceId ?? '', label: (label ?? '').trim() }))
}

/** The camera after this one, wrapping around to the first. Undefined if no camera has an id. */
export function cameraAfter(cameras: readonly ListedCamera[], id: string | undefined): string | undefined {
  const known = cameras.filter((camera) => camera.id !== '')
  const index = known.findIndex((camera) => camera.id === id)
  return known[(index + 1) % known.length]?.id
}
