import { type Moment, runsOf } from '../../../e2e/support/acted/witness.ts'

/** The true position of the straight face in a clip, relative to the picture's centre, as shares of its shorter side. */
export interface TrueFace {
  readonly width: number
  readonly height: number
  readonly x: number
  readonly y: number
  /** The picture's width divided by its height. */
  readonly aspect: number
}

/**
 * The face at a given moment, in the same shares. `inside` is how far the face's box is from the nearest edge, and negative if it extends beyond it.
 */
interface FacePlace {
  readonly width: number
  readonly x: number
  readonly y: number
  readonly inside: number
}

/** When a hint is wrong. Between these limits and the page's own thresholds, either hint is fine. */
const contradicts: Readonly<Record<string, (seen: FacePlace, isLit: boolean) => boolean>> = {
  closer: ({ width }) => width > 0.45,
  back: ({ width }) => width < 0.55,
  toLeft: ({ x }) => x > -0.1,
  toRight: ({ x }) => x < 0.1,
  up: ({ y }) => y < 0.1,
  down: ({ y }) => y > -0.1,
  intoPicture: ({ inside }) => inside > 0.03,
  showFace: ({ inside, width }) => inside > 0 && width > 0.1,
  tooDark: (_seen, isLit) => isLit,
  onePerson: () => true,
}

/** Hints lag slightly behind the pictures and stay long enough to be read. */
const noticedMilliseconds = 600
const readMilliseconds = 1800

export interface HintCount {
  /** How often each hint appeared. */
  readonly shown: Readonly<Record<string, number>>
  /** How often a hint was wrong when it appeared, or stayed wrong for longer than it takes to read it. */
  readonly wrong: Readonly<Record<string, number>>
}

/** Counts the hints shown while the person was looking straight ahead, and those that the picture contradicts. */
export function countHints(moments: readonly Moment[], face: TrueFace, isLit: boolean): HintCount {
  const shown: Record<string, number> = {}
  const wrong: Record<string, number> = {}
  const add = (counts: Record<string, number>, hint: string) => {
    counts[hint] = (counts[hint] ?? 0) + 1
  }
  for (const run of runsOf(moments, ({ state, hint }) => `${state} ${hint}`)) {
    const { hint } = run[0]!
    if (hint === null) continue
    add(shown, hint)
    // If an action requests a size, the same words are the actual instruction.
    const isWrong = (moment: Moment) =>
      moment.state !== 'action' &&
      moment.isStraight &&
      (contradicts[hint]?.(seenAt(moment, face), isLit) ?? false)
    if (isWrongFromTheStart(run, moments, isWrong) || isWrongTooLong(run, isWrong)) add(wrong, hint)
  }
  return { shown, wrong }
}

/** True if the hint was wrong when it appeared and the whole time while it was being chosen. */
function isWrongFromTheStart(
  run: readonly Moment[],
  moments: readonly Moment[],
  isWrong: (moment: Moment) => boolean,
): boolean {
  const first = run[0]!
  const before = moments.filter(({ at }) => at <= first.at && at >= first.at - noticedMilliseconds)
  return before.every(isWrong)
}

function isWrongTooLong(run: readonly Moment[], isWrong: (moment: Moment) => boolean): boolean {
  return runsOf(run, (moment) => String(isWrong(moment))).some(
    (part) => isWrong(part[0]!) && part.at(-1)!.at - part[0]!.at > readMilliseconds,
  )
}

function seenAt({ place = { size: 1, right: 0, down: 0 } }: Moment, face: TrueFace): FacePlace {
  const x = face.x * place.size + place.right
  const y = face.y * place.size + place.down
  const [width, height] = [face.width * place.size, face.height * place.size]
  const [halfWidth, halfHeight] = [Math.max(1, face.aspect) / 2, Math.max(1, 1 / face.aspect) / 2]
  const inside = Math.min(halfWidth - Math.abs(x) - width / 2, halfHeight - Math.abs(y) - height / 2)
  return { width, x, y, inside }
}
