import type { BrowserContext } from '@playwright/test'
import type { Method } from './method.ts'
import { openPages } from './page.ts'

/** The page's own analysis, modified to claim that every requested action was performed while the forger's pictures are sent. */
export const worker: Method = {
  name: 'worker',
  is: 'The page in Chromium with its analysis edited: it always finds that what is asked was done.',
  atOnce: 1,
  open: (product, plan) => openPages(product, plan, editWorker),
}

const channel = 'asked'

async function editWorker(context: BrowserContext): Promise<void> {
  await context.addInitScript(tellWorker, channel)
  await context.route('**/assets/analysis.worker-*.js', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: `${edit}\n${await answer.text()}` })
  })
}

/** Runs in the page and forwards the requested action to the worker. */
function tellWorker(name: string): void {
  const channel = new BroadcastChannel(name)
  const tell = () =>
    channel.postMessage(document.querySelector('[data-state]')?.getAttribute('data-action') ?? null)
  new MutationObserver(tell).observe(document, { subtree: true, childList: true, attributes: true })
}

/**
 * Runs in the worker before its own code. While an action is requested, the detected face is given a pose and an expression that grow towards it
 * within half a second. Otherwise, it looks straight ahead.
 */
const edit = `
{
  const post = self.postMessage.bind(self)
  let asked = null
  let since = 0
  new BroadcastChannel(${JSON.stringify(channel)}).onmessage = ({ data }) => {
    if (data !== asked) since = performance.now()
    asked = data
  }
  const shows = {
    turnLeft: (face, share) => { face.pose.yaw = 28 * share },
    turnRight: (face, share) => { face.pose.yaw = -28 * share },
    lookUp: (face, share) => { face.pose.pitch = 24 * share },
    smile: (face, share) => { face.smile = 0.5 + 0.3 * share; if (face.expressions) face.expressions.happy = share },
    blink: (face, share) => { if (face.eyesClosed) face.eyesClosed.left = face.eyesClosed.right = share },
    comeCloser: (face, share) => { face.box.width *= 1 + 0.6 * share },
  }
  self.postMessage = (message, more) => {
    const face = message?.value?.face
    if (face?.pose) {
      Object.assign(face.pose, { yaw: 0, pitch: 0 })
      face.smile = 0.5
      if (face.expressions) face.expressions.happy = 0
      if (asked !== null) shows[asked]?.(face, Math.min(1, (performance.now() - since) / 600))
    }
    post(message, more)
  }
}`
