/** One of this device's cameras. `label` is empty until the browser has permission to use a camera. */
export interface ChoosableCamera {
  readonly deviceId: string
  readonly label: string
}

/** Which camera this device uses for checks. */
export interface CameraChoice {
  /** The chosen camera's id, or null to let the browser choose. */
  chosen(): string | null
  choose(deviceId: string | null): void
  list(): Promise<readonly ChoosableCamera[]>
}

const key = 'selfsame:kiosk-camera'

/** Stores the choice on the device. It identifies a camera, not a person. */
export function createCameraChoice(shelf: Storage, devices: MediaDevices): CameraChoice {
  return {
    chosen: () => shelf.getItem(key),
    choose(deviceId) {
      if (deviceId === null) shelf.removeItem(key)
      else shelf.setItem(key, deviceId)
    },
    async list() {
      const all = await devices.enumerateDevices()
      const cameras = all.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
      return cameras.map(({ deviceId, label }) => ({ deviceId, label }))
    },
  }
}
