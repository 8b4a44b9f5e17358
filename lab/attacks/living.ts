import { scaled } from '#lab/pictures/raster.ts'
import { expose } from '#lab/pictures/sensor.ts'
import { showProgress } from '#lab/progress.ts'
import { groupBy } from '#lab/statistics/bootstrap.ts'
import { type Product, startProduct } from '../../e2e/support/product.ts'
import { turnsTheHead } from '../../models/rules/challenge/movement.ts'
import { actionCounts } from '../../models/rules/challenge/progress.ts'
import { mapConcurrent } from '../../shared/concurrency/map-concurrent.ts'
import type { Action } from '../../shared/contract/sessions/session.ts'
import { attempted, type CellResult, findingsIn } from './cell.ts'
import type { Subject } from './forgery.ts'
import { actionsIn, type PlaybackChanges, plainly, playerOf } from './instruments/filmed.ts'
import { livingFootage } from './instruments/played.ts'
import { askedByDefault } from './instruments/recorded.ts'
import { type Challenge, isAssured, type Way } from './methods/method.ts'
import { script } from './methods/script.ts'
import type { Materials } from './people/materials.ts'
import type { Rate } from './rates.ts'
import { type Rival, takenForLiving } from './rivals.ts'
import { sessionOf } from './seeds.ts'

/** How living people's cameras and rooms affect their pictures. */
export const conditions: Readonly<Record<string, PlaybackChanges>> = {
  bpcer: plainly,
  bpcerNoise14: { ...plainly, alter: (picture, random) => expose(picture, { gain: 1, noise: 14 }, random) },
  bpcerLowLight: { ...plainly, alter: (picture, random) => expose(picture, { gain: 0.4, noise: 2 }, random) },
  bpcerSmall: { ...plainly, alter: (picture) => scaled(picture, 320) },
  bpcerLowRate: { ...plainly, every: 3 },
}
export type Condition = keyof typeof conditions

/** A living person who is rejected may try again, and counts as rejected after three failures. */
const mostTries = 3

interface Person {
  readonly subject: Subject
  /** The actions in this person's footage. The product only requests these. */
  readonly actions: readonly Action[]
}

/**
 * Living people who perform the requested actions through the API, like `script` does. `passed` has one entry per visit and is true if one of its
 * tries passed. People are grouped by the actions in their footage, so that they are never asked for an action that it lacks.
 */
export async function measureLiving(
  materials: Materials,
  condition: Condition,
  { challenge, visits, most, seed, settings, rival }: LivingPlan,
): Promise<CellResult & { readonly taken?: Rate }> {
  const people = await castOf(materials, condition, challenge, most)
  const progress = showProgress(`living ${condition} ${challenge}`, people.length)
  const visited: Visit[][] = []
  const findings: Record<string, number> = {}
  for (const [actions, group] of groupBy(people, (person) => person.actions.join(','))) {
    const product = await startProduct({ ...settings, CHALLENGE_ACTIONS: actions })
    try {
      visited.push(...(await visitsOf(product, challenge, group, visits, seed, progress.step)))
      for (const [name, count] of Object.entries(findingsIn(await product.sessionFigures()))) {
        findings[name] = (findings[name] ?? 0) + count
      }
    } finally {
      await product.stop()
    }
  }
  progress.end()
  const passed = visited.map((visits) => visits.map((visit) => visit.passed))
  const assured = visited.map((visits) => visits.map((visit) => visit.assured))
  const subjects = people.map(({ subject }) => subject)
  const taken = rival && (await takenForLiving(rival, subjects))
  return { counted: passed, tried: passed, assured, findings, ...(taken && { taken }) }
}

interface LivingPlan {
  readonly challenge: Challenge
  readonly visits: number
  readonly most: number
  readonly seed: number
  readonly settings: Record<string, string>
  readonly rival?: Rival
}

async function castOf(
  materials: Materials,
  condition: Condition,
  challenge: Challenge,
  most: number,
): Promise<Person[]> {
  const people = (await livingFootage(materials)).flatMap((footage) => {
    const actions = actionsIn(footage, askedByDefault)
    const subject = playerOf(footage, conditions[condition])
    // The product always asks for a head turn, so people without one in their footage are skipped.
    const canBeAsked = actions.some(turnsTheHead) && actions.length >= actionCounts[challenge]
    return subject === undefined || !canBeAsked ? [] : [{ subject, actions }]
  })
  return people.slice(0, most)
}

async function visitsOf(
  product: Product,
  challenge: Challenge,
  group: readonly Person[],
  visits: number,
  seed: number,
  done: () => void,
): Promise<Visit[][]> {
  const visited = group.map((): Visit[] => [])
  const way = await script.open(product, { challenge, asked: {}, film: 'own' })
  await mapConcurrent(group, script.atOnce, async ({ subject }, index) => {
    for (let visit = 0; visit < visits; visit++) {
      visited[index]!.push(await passesWithin(way, subject, sessionOf(seed, visit * mostTries)))
    }
    done()
  })
  await way.close()
  return visited
}

/** A visit's outcome: whether one of its tries passed, and whether its assurance was high enough. */
interface Visit {
  readonly passed: boolean
  readonly assured: boolean
}

async function passesWithin(way: Way, subject: Subject, firstSession: number): Promise<Visit> {
  for (let i = 0; i < mostTries; i++) {
    const attempt = await attempted(() => way.attempt(subject.forge(firstSession + i)))
    if (attempt.passed) return { passed: true, assured: isAssured(attempt) }
  }
  return { passed: false, assured: false }
}
