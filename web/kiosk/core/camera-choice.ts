/** A camera that this device has. `label` is empty until the browser was allowed to use one. */
export interface ChoosableCamera {
  readonly deviceId: string
  readonly label: string
}

/** Which camera the checks of this device use. */
export interface CameraChoice {
  /** The chosen camera's id, or null where the browser chooses. */
  chosen(): string | null
  choose(deviceId: string | null): void
  list(): Promise<readonly ChoosableCamera[]>
}

const key = 'selfsame:kiosk-camera'

/** Keeps the choice on the device: it names a camera, and no person. */
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
