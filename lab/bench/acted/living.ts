import type { Browser, Page } from '@playwright/test'
import { Figures, flatten } from '#lab/evaluate/figures.ts'
import { printFigures } from '#lab/evaluate/print.ts'
import { median } from '#lab/statistics/quantile.ts'
import { wilson } from '#lab/statistics/wilson.ts'
import type { Acting } from '../../../e2e/support/acted/acting.ts'
import { loadPeople, type Person } from '../../../e2e/support/acted/people.ts'
import {
  begin,
  comeBack,
  createCheck,
  openActed,
  type Site,
  signLink,
} from '../../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../../e2e/support/product.ts'

/** How often each person visits each challenge in each light. Use `ACTED_LIVING=5` for the long version. */
const rounds = Number(process.env.ACTED_LIVING ?? 1)
/** A person gives up on a visit after this many tries. */
const mostTries = 3

/** How each camera's light and noise are changed. */
const conditions: readonly { readonly name: string; readonly acting: Partial<Acting> }[] = [
  { name: '', acting: {} },
  { name: 'Dim', acting: { gain: 0.6 } },
  { name: 'Noise14', acting: { noise: 14 } },
  { name: 'Quick', acting: { pace: 'quick' } },
]

type Level = 'Balanced' | 'Advanced'

interface Visit {
  readonly person: string
  readonly level: Level
  readonly condition: string
  /** The reasons for each try that did not pass. */
  readonly refusals: readonly (readonly string[])[]
  readonly passed: boolean
  /** True if the try that passed reached at least `standard` assurance. */
  readonly assured: boolean
  /** Milliseconds from starting the camera until the verdict is on the screen, one number per try. */
  readonly took: readonly number[]
  /** Milliseconds from the last picture to the verdict, one number per try. */
  readonly waited: readonly number[]
}

/**
 * Every living person whose clips contain actions visits the built product in Chromium and follows its instructions like people do: half a second
 * late, and just as slow on the way back. `living.bpcer` is the share of visits that did not pass within three tries, over both lights.
 */
export async function benchLiving(): Promise<Record<string, number>> {
  const browser = await launchBrowser()
  const receiver = await startReceiver()
  const visits: Visit[] = []
  for (const person of await loadPeople(browser)) {
    const product = await startProduct({ CHALLENGE_ACTIONS: person.actions.join(',') })
    visits.push(...(await visitsOf(browser, { product, receiver }, person)))
    await product.stop()
  }
  await receiver.stop()
  await browser.close()
  return report(visits)
}

async function visitsOf(browser: Browser, site: Site, person: Person): Promise<Visit[]> {
  const visits: Visit[] = []
  // With fewer than three actions, an Advanced challenge would repeat one, which the product never does.
  const levels: readonly Level[] = person.actions.length < 3 ? ['Balanced'] : ['Balanced', 'Advanced']
  for (const level of levels) {
    const check = await createCheck(site, { liveness: { type: 'Verification', challengeType: level } })
    for (const { name, acting } of conditions) {
      for (let round = 0; round < rounds; round++) {
        const made = await visit(browser, site, check, person, { manner: 'asked', ...acting })
        const tries = [
          ...made.refusals.map((reasons) => reasons.join('+')),
          ...(made.passed ? [made.assured ? 'standard' : 'passed'] : []),
        ]
        process.stderr.write(
          `${person.actions.join('+')}, ${level}${name && `, ${name}`}: ${tries.join(', ')}\n`,
        )
        visits.push({ person: person.name, level, condition: name, ...made })
      }
    }
  }
  return visits
}

async function visit(browser: Browser, site: Site, check: string, { clip }: Person, acting: Acting) {
  const refusals: (readonly string[])[] = []
  const took: number[] = []
  const waited: number[] = []
  while (refusals.length < mostTries) {
    const { context, page } = await openActed(browser, await signLink(site, check), clip, acting)
    const startedAt = Date.now()
    const outcome = await begin(page)
      .then(() => goThrough(page))
      .then((milliseconds) => waited.push(milliseconds))
      .then(() => took.push(Date.now() - startedAt))
      .then(() => comeBack(site, page))
      .catch((error: Error) => error)
    await context.close()
    const isOver = !(outcome instanceof Error)
    if (isOver && outcome.returned === 'passed') {
      const assured = ['standard', 'high'].includes(outcome.result.assurance!)
      return { refusals, took, waited, passed: true, assured }
    }
    refusals.push(isOver ? outcome.result.verificationFailedReasons : ['notFinished'])
  }
  return { refusals, took, waited, passed: false, assured: false }
}

/** Presses each button that a person would press until the verdict appears. Returns the time since the last picture. */
export async function goThrough(page: Page, timeout = 90_000): Promise<number> {
  const verdict = page.locator('[data-state="passed"], [data-state="notCompleted"]')
  const wayOn = page
    .locator('[data-state="paused"], [data-state="retake"]')
    .getByRole('button', { name: /^(Take again|Continue)$/ })
  await page.addLocatorHandler(wayOn, (button) => button.click())
  await verdict.waitFor({ timeout })
  await page.removeLocatorHandler(wayOn)
  return page.evaluate(() => {
    const at = (name: string) => performance.getEntriesByName(`selfsame:${name}`).at(-1)!.startTime
    return at('verdict') - at('last-frame')
  })
}

function report(visits: readonly Visit[]): Record<string, number> {
  const figures = new Figures()
  const add = (name: string, chosen: readonly Visit[]) => {
    const refused = chosen.filter(({ passed }) => !passed).length
    if (chosen.length > 0)
      figures.add(name, refused / chosen.length, chosen.length, wilson(refused, chosen.length))
  }
  const both = visits.filter(({ condition }) => condition === '' || condition === 'Dim')
  add('bpcer', both)
  for (const level of ['Balanced', 'Advanced'] as const)
    add(
      `bpcer${level}`,
      both.filter((one) => one.level === level),
    )
  for (const { name } of conditions.slice(1))
    add(
      `bpcer${name}`,
      visits.filter(({ condition }) => condition === name),
    )
  for (const { name } of conditions) {
    const chosen = visits.filter(({ condition }) => condition === name)
    figures.rate(`standard${name}`, chosen.filter(({ assured }) => assured).length, chosen.length)
  }
  const first = both.filter(({ refusals }) => refusals.length > 0).length
  figures.rate('refusedAtFirst', first, both.length)
  figures.table({
    title: 'Tries that did not pass',
    columns: ['challenge', 'camera', 'reasons', 'tries'],
    rows: countsOf(visits),
  })
  const people = new Set(visits.map(({ person }) => person)).size
  figures.note(`${people} people: the intervals are those of visits, not of people.`)
  printFigures('living', figures, console.log)
  return {
    ...flatten('living', figures),
    medianVisitMs: median(both.flatMap(({ took }) => took)),
    medianVerdictMs: median(both.flatMap(({ waited }) => waited)),
  }
}

function countsOf(visits: readonly Visit[]): (string | number)[][] {
  const counts = new Map<string, number>()
  for (const { level, condition, refusals } of visits) {
    for (const reasons of refusals) {
      const key = [level, condition || 'as filmed', reasons.join(', ')].join('\t')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts].map(([key, count]) => [...key.split('\t'), count])
}
