import { render } from 'preact'
import type { DeviceFacts } from '#shared/browsers/device-report.ts'
import { createCamera } from '#web/capture/analysis/camera/camera.ts'
import { unsuitedBrowser } from '#web/capture/flow/browser.ts'
import { readCamera } from './camera-facts.ts'
import { DevicePage } from './device-page.tsx'
import { readPlatform } from './platform-facts.ts'
import { measureSpeed } from './speed.ts'
import { loadDeviceWording } from './wording/device-languages.ts'

async function measure(useCamera: boolean): Promise<DeviceFacts> {
  const platform = await readPlatform()
  const camera = createCamera(() => {})
  try {
    const seen = useCamera ? await readCamera(camera) : null
    const isTooOld = unsuitedBrowser(platform.needs) === 'oldBrowser'
    const video = seen?.problem === null ? camera.video : null
    return { ...platform, camera: seen, speed: isTooOld ? null : await measureSpeed(video) }
  } finally {
    camera.close()
  }
}

const words = await loadDeviceWording(navigator.languages)
document.documentElement.lang = words.locale
document.documentElement.dir = words.direction
document.title = `${words.title.tab} · Selfsame`
render(<DevicePage words={words} measure={measure} />, document.getElementById('app')!)
