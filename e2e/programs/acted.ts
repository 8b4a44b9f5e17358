import { loadClip } from '../support/acted/clips.ts'
import { createCheck, signLink, visit } from '../support/acted/scenario.ts'
import { launchBrowser } from '../support/browser.ts'
import { startProduct, startReceiver } from '../support/product.ts'

/** `npm run acted -- CLIP [RUNS] [Balanced|Advanced] [asked|loop]`: many visits of an acted person, with what came of each. */
const [
  file = 'Krzysiek354_real.webm',
  runs = '5',
  challengeType = 'Balanced',
  manner = 'asked',
  reads = 'page',
] = process.argv.slice(2)

const browser = await launchBrowser()
const clip = await loadClip(browser, file)
const receiver = await startReceiver()
const product = await startProduct({
  CHALLENGE_ACTIONS: process.env.CHALLENGE_ACTIONS ?? 'turnLeft,turnRight,lookUp',
})
const site = { product, receiver }
const verificationId = await createCheck(site, {
  liveness: { type: 'Verification', challengeType: challengeType as 'Balanced' },
  age: { type: 'CalculationOnly' },
  faceRecognition: { type: 'CalculationOnly' },
})
const counts: Record<string, number> = {}
for (let run = 1; run <= Number(runs); run++) {
  const started = Date.now()
  try {
    const link = await signLink(site, verificationId)
    const { returned, parameters, signature, result } = await visit(site, browser, link, clip, {
      manner: manner as 'asked',
      reads: reads as 'page',
    })
    await receiver.next(result.verificationSessionId)
    counts[returned] = (counts[returned] ?? 0) + 1
    const reasons = result.verificationFailedReasons.join(',')
    console.log(run, returned, reasons, signature, parameters.get('reFaceId'), `${Date.now() - started} ms`)
  } catch (error) {
    counts.error = (counts.error ?? 0) + 1
    console.log(run, 'error', String(error).split('\n')[0])
  }
}
console.log(file, challengeType, manner, counts)
await browser.close()
await product.stop()
await receiver.stop()
