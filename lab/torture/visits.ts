import { loadClip } from '../../e2e/support/acted/clips.ts'
import { createCheck, type Outcome, signLink } from '../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../e2e/support/product.ts'
import {
  clockJumps,
  fullStorage,
  refusesStorage,
  reloaded,
  translated,
} from '../../e2e/support/surroundings/browsers.ts'
import { cameras } from '../../e2e/support/surroundings/cameras.ts'
import { calls, type FateName, fates, gap, request } from '../../e2e/support/surroundings/networks.ts'
import type { Surrounding } from '../../e2e/support/surroundings/surrounding.ts'
import { visitAmid } from '../../e2e/support/surroundings/visits.ts'
import { randomNumbers } from '../../shared/random-numbers.ts'

/** Reasons that put the blame on the person. They must never be caused by a network, camera or browser. */
const slanders = ['evidenceMissing', 'challengeFailed']

/** A single visit. `came` is `passed` or the name of its failure. */
interface VisitTrial {
  readonly met: string
  readonly came: string
}

/** Runs visits with an acted person. Each is disturbed by two randomly drawn conditions that end on their own. */
export async function tortureVisits(visits: number, seed: number): Promise<readonly VisitTrial[]> {
  const browser = await launchBrowser()
  const clip = await loadClip(browser, 'Krzysiek354_real.webm')
  const receiver = await startReceiver()
  const product = await startProduct({ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp' })
  const site = { product, receiver }
  const id = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
  const draw = drawnBy(randomNumbers(seed))
  const tried: VisitTrial[] = []
  for (let visit = 1; visit <= visits; visit++) {
    const met = draw()
    const link = await signLink(site, id)
    const came = await visitAmid(site, browser, link, clip, met).then(nameOf, (error) => `error: ${error}`)
    tried.push({ met: met.map(({ name }) => name).join(' + '), came })
    console.log(`${visit}`.padStart(4), tried.at(-1)!.came.split('\n')[0], `(${tried.at(-1)!.met})`)
  }
  await browser.close()
  await product.stop()
  await receiver.stop()
  return tried
}

function nameOf({ returned, result }: Outcome): string {
  return returned === 'passed' ? 'passed' : result.verificationFailedReasons.join(', ')
}

/** Draws two kinds of conditions that end on their own. Two sets of cameras would add up to one that does not exist. */
function drawnBy(random: () => number): () => readonly Surrounding[] {
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const seconds = () => Math.round(2 + random() * 13)
  const kinds: readonly (() => Surrounding)[] = [
    () => request(oneOf(calls), oneOf(Object.keys(fates) as FateName[]), seconds()),
    () => request('submit-step', oneOf(Object.keys(fates) as FateName[]), seconds()),
    () => gap(random() * 8, seconds()),
    () =>
      oneOf([
        cameras(['black', 'good']),
        cameras(['logo', 'busy', 'good']),
        cameras(['opens its eyes in 2.5 s']),
        cameras(['good'], { list: 'never listed' }),
      ]),
    () => oneOf([translated, fullStorage, refusesStorage, reloaded]),
    () => clockJumps(oneOf([-48, -1, 1, 48])),
  ]
  return () => {
    const first = oneOf(kinds)
    return [first(), oneOf(kinds.filter((kind) => kind !== first))()]
  }
}

/** True if at least 97 % passed and no failure puts the blame on the person. */
export function survived(tried: readonly VisitTrial[]): boolean {
  const passed = tried.filter(({ came }) => came === 'passed').length
  const isSlandered = tried.some(({ came }) => slanders.some((slander) => came.includes(slander)))
  return passed >= 0.97 * tried.length && !isSlandered
}
