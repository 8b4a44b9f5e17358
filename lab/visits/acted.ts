import { stripVTControlCharacters } from 'node:util'
import { needFootage } from '#lab/footage.ts'
import { oneOf, readWords, wholeNumber } from '../../build/usage.ts'
import { loadClip, replayVideos } from '../../e2e/support/acted/clips.ts'
import { createCheck, signLink, visit } from '../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../e2e/support/product.ts'
import { productAt } from './product-at.ts'

const usage = `Usage: npm run acted -- [CLIP] [RUNS] [Balanced or Advanced] [asked or loop] [page or network] [--at ADDRESS]

Makes RUNS visits of an acted person and prints the outcome of each. Defaults: Krzysiek354_real.webm, 5, Balanced, asked
and page. CHALLENGE_ACTIONS=smile,turnLeft has the server ask for other actions.

  CLIP      a file of ${replayVideos}, with its lines in segments.csv there
  asked     the person does what the page asks; loop plays the clip in a loop
  network   reads the requested actions from the server's answers, not from the page
  --at      visits the server at this address instead of starting one, with a key of its first account in SELFSAME_API_KEY; it
            must ask for actions that the clip has. Does not wait for a webhook. Exits with 1 if no visit passed,
            or if one ended without a result`

const { positionals: words, values } = readWords(usage, { at: { type: 'string' } }, 5)
const [file = 'Krzysiek354_real.webm', runs = '5'] = words
const challengeType = oneOf('The challenge', ['Balanced', 'Advanced'], words[2] ?? 'Balanced')
const manner = oneOf('The manner', ['asked', 'loop'], words[3] ?? 'asked')
const reads = oneOf('What is read', ['page', 'network'], words[4] ?? 'page')
const most = wholeNumber('RUNS', runs)
needFootage(file)

const browser = await launchBrowser()
const clip = await loadClip(browser, file)
const receiver = await startReceiver()
const started =
  values.at === undefined
    ? await startProduct({ CHALLENGE_ACTIONS: process.env.CHALLENGE_ACTIONS ?? 'turnLeft,turnRight,lookUp' })
    : undefined
const product = started ?? productAt(values.at!, process.env.SELFSAME_API_KEY)
const site = { product, receiver }
const verificationId = await createCheck(
  site,
  {
    liveness: { type: 'Verification', challengeType },
    age: { type: 'CalculationOnly' },
    faceRecognition: { type: 'CalculationOnly' },
  },
  started === undefined ? { webhookConfig: {} } : {},
)
const counts: Record<string, number> = {}
for (let run = 1; run <= most; run++) {
  const begun = Date.now()
  try {
    const link = await signLink(site, verificationId)
    const { returned, parameters, signature, result } = await visit(site, browser, link, clip, {
      manner,
      reads,
    })
    if (started !== undefined) await receiver.next(result.verificationSessionId)
    counts[returned] = (counts[returned] ?? 0) + 1
    const reasons = result.verificationFailedReasons.join(',')
    console.log(
      run,
      returned,
      result.assurance,
      reasons,
      signature,
      parameters.get('reFaceId'),
      `${Date.now() - begun} ms`,
    )
  } catch (error) {
    counts.error = (counts.error ?? 0) + 1
    console.log(run, 'error', wordsOf(error))
  }
}
console.log(file, challengeType, manner, counts)
for (const line of await product.sessionFigures()) if (!line.endsWith(' 0')) console.log(line)
await browser.close()
await started?.stop()
await receiver.stop()
if (values.at !== undefined && (counts.passed === undefined || counts.error !== undefined))
  process.exitCode = 1

/** Playwright's message, and after it what it waited for, without the colours of a terminal. */
function wordsOf(error: unknown): string {
  const [first, ...log] = stripVTControlCharacters(String(error)).split('\n')
  return [first, ...log.map((line) => line.trim()).filter((line) => line.startsWith('- '))].join(' ')
}
