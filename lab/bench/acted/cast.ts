import type { Camera } from '../../../e2e/support/acted/camera.ts'
import type { Clip } from '../../../e2e/support/acted/clips.ts'
import { createStudio, readFrame, type Treatment, tilted, treatments } from './camera.ts'
import type { Moment, Performer } from './session.ts'

/** Creates the performer for one try in front of one camera. */
export type Act = (camera: Camera, cameraName: string) => Performer

/** When pictures are taken during a segment: early in the movement, halfway through, and twice at its peak. */
const shares = { moving: [0.12, 0.35, 0.6, 0.75], straight: [0.15, 0.35, 0.55, 0.85] }
/** Shifts a try's pictures in time, in fixed steps so that tries can share cached analyses. */
const offsets = [0, 0.05, 0.1]

const mirrorOf: Partial<Record<Moment, Moment>> = { turnLeft: 'turnRight', turnRight: 'turnLeft' }

/** The person in a clip, live or on a screen, performing the requested actions. */
export function actorOf(clip: Clip, treatment: Treatment = 'plain'): Act {
  const studio = createStudio()
  return (camera, cameraName) => (moment) => {
    const shown = treatment === 'mirrored' ? (mirrorOf[moment] ?? moment) : moment
    return Promise.all(
      framesAt(clip, shown, camera.offset).map((file) =>
        studio(`${cameraName} ${file}`, camera, async () => treatments[treatment](await readFrame(file))),
      ),
    )
  }
}

function framesAt(clip: Clip, moment: Moment, offset: number): string[] {
  const isStraight = moment === 'start' || moment === 'end'
  const segments = clip.segments.filter(({ action }) => action === (isStraight ? 'frontal' : moment))
  const { startSeconds, endSeconds } = segments[moment === 'end' ? segments.length - 1 : 0]!
  const first = Math.ceil(startSeconds * clip.framesPerSecond)
  const length = Math.floor(endSeconds * clip.framesPerSecond) - first + 1
  const later = offsets[Math.floor(offset * offsets.length)]!
  return (isStraight ? shares.straight : shares.moving).map(
    (share) => clip.frames[first + Math.floor((share + later) * length)]!,
  )
}

/** Two people: one of them looks straight ahead, and the other performs the actions. */
export function mixed(straight: Clip, acting: Clip): Act {
  const [first, second] = [actorOf(straight), actorOf(acting)]
  return (camera, name) => {
    const [face, body] = [first(camera, name), second(camera, name)]
    return (moment) => (moment === 'start' || moment === 'end' ? face(moment) : body(moment))
  }
}

/** How a print is held at each moment, in degrees. `swung` starts on the other side. */
const holds = {
  still: { turnLeft: [0, 0], turnRight: [0, 0], lookUp: [0, 0] },
  tilted: { turnLeft: [48, 0], turnRight: [-48, 0], lookUp: [0, 45] },
  swung: { turnLeft: [45, 0], turnRight: [-45, 0], lookUp: [0, 40] },
} as const

/** A hand-held photograph of the person that is turned as requested. */
export function printAttackOf(clip: Clip, manner: keyof typeof holds): Act {
  const studio = createStudio()
  const frontal = framesAt(clip, 'start', 0)[1]!
  return (camera, cameraName) => {
    const picture = (yaw: number, pitch: number, shake: number) => {
      const held = { yaw: yaw + shake, pitch: pitch - shake / 2 }
      const key = `${cameraName} ${held.yaw} ${held.pitch}`
      return studio(key, camera, async () => tilted(await readFrame(frontal), held))
    }
    return async (moment) => {
      const isStraight = moment === 'start' || moment === 'end'
      const asked = isStraight ? [0, 0] : holds[manner][moment as 'turnLeft']
      const from = manner === 'swung' ? -35 : 0
      const shakes = [-1.5, 0, 1, 2]
      if (isStraight) return Promise.all(shakes.map((shake) => picture(from, 0, shake)))
      return Promise.all(
        shakes.map((shake, i) => {
          const share = (i + 1) / shakes.length
          return picture(from + (asked[0]! - from) * share, asked[1]! * share, shake)
        }),
      )
    }
  }
}
