import { livingFootage } from '#lab/attacks/instruments/played.ts'
import { openMaterials } from '#lab/attacks/people/materials.ts'
import { quantile } from '#lab/evaluate/statistics/quantile.ts'
import { excessOf, filmDistance, isSameFilm } from '#models/rules/liveness/earlier/same-film.ts'
import { isSameScene, mayBeSameScene } from '#models/rules/liveness/earlier/same-scene.ts'
import { momentsOf, type Scene, sceneOf } from '#models/rules/liveness/earlier/visit.ts'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { openRealAnalysis } from '../../tests/support/real-analysis.ts'
import { type FilmedClip, filmedClips } from './recordings/filmed-visits.ts'

interface Pair {
  readonly person: string
  readonly film: readonly TrailPoint[]
  readonly earlier: readonly TrailPoint[]
}

/**
 * Whether a recording that is sent again is told from people who come again: films of living people's clips beside the same film with
 * other light and noise, its pictures from the same moments and from between them; beside the other half of the clip, other
 * clips of the person, and everybody else's.
 */
export async function benchRecordings({
  data = '../shared/data',
}: {
  data?: string | undefined
}): Promise<Record<string, number>> {
  const materials = await openMaterials(data)
  const analysis = await openRealAnalysis()
  const { signal } = new AbortController()
  const lookAt = (jpeg: Buffer) => analysis.analyse(jpeg, { print: true }, { accountId: 'bench', signal })
  const clips: FilmedClip[] = []
  for (const footage of await livingFootage(materials)) clips.push(...(await filmedClips(footage, lookAt)))
  const kinds: Readonly<Record<string, readonly Pair[]>> = {
    sentAgain: clips.map((clip) => pair(clip, every(clip.sentAgain), every(clip.plain))),
    sentAgainBetween: clips.map((clip) => pair(clip, every(clip.sentAgain, 1), every(clip.plain))),
    otherHalf: clips.flatMap(halves),
    otherClip: pairs(clips).flatMap(([a, b]) => (isOnePerson(a, b) ? between(a, b) : [])),
    otherPerson: pairs(clips).flatMap(([a, b]) => (isOnePerson(a, b) ? [] : between(a, b))),
  }
  return Object.assign(
    {},
    ...Object.entries(kinds).map(([kind, all]) => figuresOf(`recordings.${kind}`, all)),
  )
}

/** Clips are at twelve pictures a second, films at six. */
function every(points: readonly TrailPoint[], from = 0): TrailPoint[] {
  return points.filter((_, i) => i % 2 === from)
}

function pair({ person }: FilmedClip, film: readonly TrailPoint[], earlier: readonly TrailPoint[]): Pair {
  return { person, film, earlier }
}

/** Of clips of four seconds and more. */
function halves(clip: FilmedClip): Pair[] {
  const middle = clip.plain.length >> 1
  const [first, second] = [every(clip.plain.slice(0, middle)), every(clip.plain.slice(middle))]
  return clip.plain.length < 48 ? [] : [pair(clip, second, first), pair(clip, first, second)]
}

function pairs(clips: readonly FilmedClip[]): (readonly [FilmedClip, FilmedClip])[] {
  return clips.flatMap((a) => clips.filter((b) => b !== a).map((b) => [a, b] as const))
}

function between(a: FilmedClip, b: FilmedClip): Pair[] {
  return [pair(a, every(a.plain), every(b.plain))]
}

/** A name is the set and the subject: one person may be in two sets. */
function isOnePerson(a: FilmedClip, b: FilmedClip): boolean {
  return a.person.split(' ').at(-1) === b.person.split(' ').at(-1)
}

/** Degrees: the scene is that of the straight look. */
const straight = 12

function sceneIn(points: readonly TrailPoint[]): Scene | null {
  const ahead = points.filter(({ face }) => face !== null && Math.abs(face.pose.yaw) < straight)
  const used = ahead.length > 0 ? ahead : points
  return sceneOf(used.map(({ place, luminance }) => ({ rim: place, luminance })))
}

function figuresOf(prefix: string, all: readonly Pair[]): Record<string, number> {
  const measured = all.map(({ person, film, earlier }) => {
    const [a, b] = [momentsOf(film), momentsOf(earlier)]
    const scenes = [sceneIn(film), sceneIn(earlier)] as const
    const isReused = mayBeSameScene(...scenes) && isSameFilm(a, b)
    return { person, distance: filmDistance(a, b), isScene: isSameScene(...scenes), isReused }
  })
  const moving = measured.flatMap((one) => one.distance ?? [])
  const movers = measured.filter(({ distance }) => distance !== undefined)
  const at = (values: readonly number[], share: number) => quantile([...values], share)
  return {
    [`${prefix}.pairs`]: all.length,
    [`${prefix}.sameScene`]: measured.filter(({ isScene }) => isScene).length,
    [`${prefix}.moving`]: moving.length,
    [`${prefix}.movingPeople`]: new Set(movers.map(({ person }) => person.split(' ').at(-1))).size,
    [`${prefix}.reused`]: measured.filter(({ isReused }) => isReused).length,
    ...Object.fromEntries(
      ([0, 0.5, 0.95, 1] as const).flatMap((share) => [
        [
          `${prefix}.poses.q${share}`,
          at(
            moving.map(({ poses }) => poses),
            share,
          ),
        ],
        [
          `${prefix}.trail.q${share}`,
          at(
            moving.map(({ trail }) => trail),
            share,
          ),
        ],
        [`${prefix}.excess.q${share}`, at(moving.map(excessOf), share)],
      ]),
    ),
  }
}
