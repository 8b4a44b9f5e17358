import { Figures, flatten } from '#lab/evaluate/figures.ts'
import { printFigures } from '#lab/evaluate/print.ts'
import { needFootage } from '#lab/footage.ts'
import { newCamera } from '../../e2e/support/acted/camera.ts'
import { type Clip, loadClip } from '../../e2e/support/acted/clips.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { openRealAnalysis } from '../../tests/support/real-analysis.ts'
import type { Treatment } from './acted/camera.ts'
import { type Act, actorOf, mixed, printAttackOf } from './acted/cast.ts'
import { benchLiving } from './acted/living.ts'
import { type Attempt, remembering, setStage } from './acted/session.ts'

/** The number of visitors of each kind, who try `mostTries` times each. Use `ACTED_VISITORS=40` for the long version. */
const visitors = Number(process.env.ACTED_VISITORS ?? 4)
/** `ACTED_ACTS=living,live,replay` runs only these acts. */
const chosen = process.env.ACTED_ACTS?.split(',')
const tries = [1, 3, 5] as const
const mostTries = 5
/** One more camera than a visitor has tries, so that two visitors' tries use different cameras. */
const cameras = Array.from({ length: mostTries + 1 }, (_, i) => newCamera(i / mostTries))

const live = ['Krzysiek354_real.webm', 'tranvanluyt2203_real.mp4']
const replay = 'tranvanluyt2203_fake.mp4'
const treated: readonly Treatment[] = [
  'noise14',
  'noise14Blurred',
  'blurred',
  'sharpened',
  'brightened',
  'mirrored',
]

/**
 * `npm run bench -- acted`: living people visit the page, and footage is played in sessions on the product's own server: live people, replays of
 * them on a screen (some with altered pictures), photographs, and strangers. Each try uses a different camera with its own light, noise and timing.
 * `heldByScoreAlone` is the share of tries that passed or were only rejected because of the passive score.
 */
export async function benchActed(): Promise<Record<string, number>> {
  needFootage(...live, replay)
  const living = isChosen('living') ? await benchLiving() : {}
  const analysis = remembering(await openRealAnalysis())
  const figures = new Figures()
  for (const [name, cast] of Object.entries(await gatherActs())) {
    if (!isChosen(name)) continue
    for (const level of levelsOf(name)) {
      const visits: Attempt[][] = []
      for (let visitor = 0; visitor < visitors; visitor++) {
        for (const act of cast) visits.push(await visit(analysis, level, act, visitor))
      }
      report(figures, level === 'Balanced' ? name : `${name}.advanced`, visits)
      process.stderr.write(`${name} ${level}\n`)
    }
  }
  figures.note('Two live people and one replay: the intervals are those of visits, not of people.')
  printFigures('acted', figures, console.log)
  return { ...living, ...flatten('acted', figures) }
}

function isChosen(name: string): boolean {
  return chosen?.includes(name) ?? true
}

async function gatherActs(): Promise<Readonly<Record<string, readonly Act[]>>> {
  const browser = await launchBrowser()
  const files = [...live, replay]
  const [krzysiek, tran, screen] = (await Promise.all(files.map((file) => loadClip(browser, file)))) as [
    Clip,
    Clip,
    Clip,
  ]
  await browser.close()
  const treatedReplays = treated.map((name) => [`replay.${name}`, [actorOf(screen, name)]] as const)
  const prints = (['still', 'tilted', 'swung'] as const).map(
    (manner) => [`print.${manner}`, [printAttackOf(krzysiek, manner), printAttackOf(tran, manner)]] as const,
  )
  return {
    live: [actorOf(krzysiek), actorOf(tran)],
    replay: [actorOf(screen)],
    ...Object.fromEntries([...treatedReplays, ...prints]),
    strangers: [mixed(krzysiek, tran), mixed(tran, krzysiek)],
  }
}

/** Three actions triple the number of pictures, so only people and the plain replay get them. */
function levelsOf(name: string): readonly ('Balanced' | 'Advanced')[] {
  return name === 'live' || name === 'replay' ? ['Balanced', 'Advanced'] : ['Balanced']
}

/** A single visitor's tries. All of them are run, so that any number of tries can be evaluated on the same visits. */
async function visit(
  analysis: Parameters<typeof setStage>[0],
  level: 'Balanced' | 'Advanced',
  act: Act,
  visitor: number,
): Promise<Attempt[]> {
  const stage = await setStage(analysis, level)
  const made: Attempt[] = []
  for (let i = 0; i < mostTries; i++) {
    const number = (visitor + i) % cameras.length
    const camera = { ...cameras[number]!, offset: ((visitor * 7 + i * 3) % 10) / 10 }
    made.push(await stage.attempt(act(camera, String(number))))
  }
  await stage.close()
  return made
}

function report(figures: Figures, name: string, visits: readonly (readonly Attempt[])[]): void {
  for (const count of tries) {
    const accepted = visits.filter((made) => made.slice(0, count).some(({ passed }) => passed)).length
    figures.rate(`${name}.acceptedAfter${count}`, accepted, visits.length)
  }
  const all = visits.flat()
  const hangsOnScore = all.filter(({ passed, reasons, findings }) => {
    const others = findings.filter((finding) => finding !== 'passiveScoreLow')
    return passed || (others.length === 0 && reasons.every((reason) => reason === 'livenessFailed'))
  }).length
  figures.rate(`${name}.heldByScoreAlone`, hangsOnScore, all.length)
  const why = new Map<string, number>()
  for (const { reasons, findings } of all) {
    for (const word of new Set([...reasons, ...findings])) why.set(word, (why.get(word) ?? 0) + 1)
  }
  figures.table({
    title: `${name}: findings in ${all.length} tries`,
    columns: ['finding', 'tries'],
    rows: [...why],
  })
}
