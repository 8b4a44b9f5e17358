import { begin } from '../acted/scenario.ts'
import { balanced, capture, type Scene, state, withCamera } from './scene.ts'

export function cameraScenes(): Scene[] {
  const refused = (cause: string, error: string, message = ''): Scene => ({
    name: `camera-${cause}`,
    seen: state('cameraProblem', cause),
    drive: (stage) =>
      withCamera(stage, `Promise.reject(new DOMException(${JSON.stringify(message)}, '${error}'))`),
  })
  const without = (cause: string, script: string): Scene => ({
    name: `camera-${cause}`,
    seen: state('cameraProblem', cause),
    async drive({ page, open }) {
      await page.addInitScript(script)
      await open()
    },
  })
  return [
    {
      name: 'camera-blocked',
      seen: state('cameraProblem', 'blocked'),
      async drive(stage) {
        await stage.page.addInitScript(`navigator.permissions.query = async () => ({ state: 'denied' })`)
        await withCamera(stage, `Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))`)
      },
    },
    refused('dismissed', 'NotAllowedError', 'Permission dismissed'),
    refused('blockedBySystem', 'NotAllowedError', 'Permission denied by system'),
    refused('embedded', 'SecurityError'),
    refused('noCamera', 'NotFoundError'),
    refused('inUse', 'NotReadableError'),
    without('unsupportedApp', `Object.defineProperty(navigator, 'mediaDevices', { value: undefined })`),
    without('oldBrowser', 'WebAssembly.validate = () => false'),
    unloaded('notLoaded', { status: 404 }),
    unloaded('wrongFile', { contentType: 'text/html', body: '<h1>Sign in to this network</h1>' }),
    {
      name: 'camera-stopped',
      seen: state('cameraProblem', 'stopped'),
      async drive(stage) {
        await capture(stage, stage.cast.far, balanced)
        for (let times = 0; times < 2; times++) {
          await stage.page.locator(state('align')).waitFor()
          await stage.page.evaluate(() => window.actor.vanish())
          await stage.page.waitForTimeout(500)
        }
      },
    },
    {
      name: 'camera-reconnected',
      seen: state('cameraProblem', 'reconnected'),
      async drive(stage) {
        await stage.page.addInitScript(() =>
          Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true }),
        )
        await stage.page.route('**/submit-step', (route) => route.abort('internetdisconnected'))
        await capture(stage, stage.cast.still, balanced)
        await stage.page.locator(state('offline')).waitFor()
        await stage.page.unroute('**/submit-step')
        await stage.page.getByRole('button', { name: 'Try now' }).click()
      },
    },
    {
      name: 'camera-away',
      seen: state('cameraProblem', 'away'),
      async drive(stage) {
        await capture(stage, stage.cast.far, balanced)
        await stage.page.locator(state('align')).waitFor()
        await stage.page.evaluate(() => {
          Object.defineProperty(document, 'hidden', { value: true, configurable: true })
          document.dispatchEvent(new Event('visibilitychange'))
        })
      },
    },
  ]
}

/** Answers requests for networks this way. */
function unloaded(
  cause: 'notLoaded' | 'wrongFile',
  answer: { status?: number; contentType?: string; body?: string },
): Scene {
  return {
    name: `camera-${cause}`,
    seen: state('cameraProblem', cause),
    async drive(stage) {
      await stage.film(stage.cast.still)
      await stage.page.route('**/*.{onnx,onnx?*}', (route) => route.fulfill(answer))
      await stage.open(balanced)
      await begin(stage.page)
      // The first failure happened before the camera was requested. The screen appears again after a retry.
      await stage.page.getByRole('button', { name: 'Try again' }).click({ timeout: 20_000 })
    },
  }
}
