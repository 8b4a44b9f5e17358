import { loadClip } from '../../e2e/support/acted/clips.ts'
import { createCheck, type Outcome } from '../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../e2e/support/product.ts'
import { cases } from '../../e2e/support/surroundings/cases.ts'
import { moments, type Surrounding } from '../../e2e/support/surroundings/surrounding.ts'
import { linkAmid, visitAmid } from '../../e2e/support/surroundings/visits.ts'
import { randomNumbers } from '../../shared/random-numbers.ts'

/** Reasons that put the blame on the person. They must never be caused by a network, camera or browser. */
const slanders = ['evidenceMissing', 'forgerySuspected', 'challengeFailed']

/** A server that has seen the same recording more often than this rightly takes one visit for the picture of another. */
const visitsOfProduct = 10

/** A single visit. `came` is `passed`, the reasons of the verdict, or the screen that the person is stuck at. */
interface VisitTrial {
  readonly met: string
  readonly came: string
  /** For a verdict of Fail: the server's counters since the product started. */
  readonly account?: string
}

/** Runs visits with an acted person. Each is disturbed by two surroundings that are drawn from the table, at random moments. */
export async function tortureVisits(visits: number, seed: number): Promise<readonly VisitTrial[]> {
  const browser = await launchBrowser()
  const clip = await loadClip(browser, 'Krzysiek354_real.webm')
  const draw = drawnBy(randomNumbers(seed))
  const tried: VisitTrial[] = []
  while (tried.length < visits) {
    const receiver = await startReceiver()
    const product = await startProduct({ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp' })
    const site = { product, receiver }
    const id = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
    for (let visit = 0; visit < visitsOfProduct && tried.length < visits; visit++) {
      const met = draw()
      const link = await linkAmid(site, id, met)
      const came = await visitAmid(site, browser, link, clip, met).then(nameOf, (error) => ({
        came: `${error.message}`,
      }))
      tried.push({ met: met.map(({ name }) => name).join(' + '), ...came })
      console.log(`${tried.length}`.padStart(4), tried.at(-1)!.came, `(${tried.at(-1)!.met})`)
    }
    await product.stop()
    await receiver.stop()
  }
  await browser.close()
  return tried
}

function nameOf({ returned, result, account }: Outcome): Pick<VisitTrial, 'came' | 'account'> {
  if (returned === 'passed') return { came: 'passed' }
  return { came: result.verificationFailedReasons.join(', '), account }
}

/** The surroundings of each case that a visit passes amid, because they end or the page finds a way around them. */
const ending: readonly (readonly Surrounding[])[] = Object.values(cases)
  .map((rows) => rows.flatMap((row) => ('met' in row && !(row.comes instanceof RegExp) ? row.met : [])))
  .filter((all) => all.length > 0)

/**
 * Draws two surroundings, each first by its case, and then the moment from which it holds. Two sets of cameras would add up to a device
 * that does not exist, and so would two browsers' languages.
 */
function drawnBy(random: () => number): () => readonly Surrounding[] {
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const one = () => {
    const surrounding = oneOf(oneOf(ending))
    return surrounding.from?.(oneOf(moments)) ?? surrounding
  }
  return () => {
    const first = one()
    for (;;) {
      const second = one()
      const isSameKind = second.kind === first.kind && (first.kind === 'camera' || first.kind === 'link')
      if (!isSameKind) return [first, second]
    }
  }
}

/** The share of visits that passed, from 0 to 1. */
export function passedShare(tried: readonly VisitTrial[]): number {
  return tried.filter(({ came }) => came === 'passed').length / tried.length
}

/** True if at least 97 % passed and no failure puts the blame on the person. */
export function survived(tried: readonly VisitTrial[]): boolean {
  const isSlandered = tried.some(({ came }) => slanders.some((slander) => came.includes(slander)))
  return passedShare(tried) >= 0.97 && !isSlandered
}
