import type { Analysis, DetectedFace } from '../../models/rules/analysis.ts'
import { faceBox } from '../../models/rules/face/face-box.ts'
import { pathOf } from './data-set.ts'
import { type LabelledPicture, labelledPictures } from './detection/labels.ts'
import { countMatches } from './detection/match.ts'
import { Figures } from './figures.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

/** The options that detect-faces uses for all of a picture's faces. */
const everyFace = { group: true, faces: 100 } as const
/** The minimum intersection over union of two boxes. */
const overlaps = { usual: 0.5, lenient: 0.3 } as const

/**
 * Counts found faces and false alarms, both for all faces in a picture (as in detect-faces) and for the single face of a selfie (as on the capture
 * page). If the labels have no boxes, faces are only counted.
 */
export const detection: Task = {
  name: 'detection',
  summary: 'faces found and false alarms, in groups and in selfies',
  async evaluate(set, bench) {
    const seen = await bench.map(labelledPictures(set), `detection ${set.name}`, (picture) =>
      lookAt(picture, pathOf(set, picture.file), bench),
    )
    return figuresOf(seen.filter((one) => one !== undefined))
  },
}

/** A picture and the faces that were found in it. */
interface DetectedPicture {
  readonly picture: LabelledPicture
  readonly found: readonly DetectedFace[]
  readonly selfie: DetectedFace | undefined
}

async function lookAt(
  picture: LabelledPicture,
  path: string,
  bench: Bench,
): Promise<DetectedPicture | undefined> {
  const all = await bench.analyse(path, everyFace)
  const one = await bench.analyse(path, {})
  if (all === null || one === null) return undefined
  return { picture, found: answeredFaces(all), selfie: answeredFaces({ ...one, others: [] })[0] }
}

function answeredFaces({ faces, others }: Pick<Analysis, 'faces' | 'others'>): DetectedFace[] {
  return [...faces, ...others].map((face) => ({ box: faceBox(face), confidence: face.confidence }))
}

/** How many of a picture's faces were found. Faces are matched by their boxes, or only counted if the labels have none. */
export function hitsOf(
  { boxes, faces }: LabelledPicture,
  found: readonly DetectedFace[],
  least: number,
): number {
  return boxes === undefined ? Math.min(faces, found.length) : countMatches(found, boxes, least)
}

function figuresOf(seen: readonly DetectedPicture[]): Figures {
  const figures = new Figures()
  addGroup(figures, seen, overlaps.usual, '')
  if (seen.some(({ picture }) => picture.boxes !== undefined))
    addGroup(figures, seen, overlaps.lenient, 'AtIou30')
  else figures.note('Faces were counted: the labels have no boxes.')
  const upright = seen.filter(({ picture }) => picture.isUpright)
  if (upright.length < seen.length) addRecall(figures, upright, overlaps.usual, 'uprightRecall')
  addSelfie(figures, seen)
  return figures
}

function addGroup(figures: Figures, seen: readonly DetectedPicture[], least: number, suffix: string): void {
  const hits = addRecall(figures, seen, least, `recall${suffix}`)
  const found = sum(seen.map((one) => one.found.length))
  figures.rate(`precision${suffix}`, hits, found)
  figures.count(`falsePositives${suffix}`, found - hits, seen.length)
  figures.add(`falsePositivesPerPicture${suffix}`, (found - hits) / seen.length, seen.length)
}

function addRecall(figures: Figures, seen: readonly DetectedPicture[], least: number, name: string): number {
  const hits = sum(seen.map(({ picture, found }) => hitsOf(picture, found, least)))
  figures.rate(name, hits, sum(seen.map(({ picture }) => picture.faces)))
  return hits
}

/** The single face of a selfie: whether it is one of the picture's faces, and how often one is found in pictures without any face. */
function addSelfie(figures: Figures, seen: readonly DetectedPicture[]): void {
  const hits = ({ picture, selfie }: DetectedPicture) =>
    selfie === undefined ? 0 : hitsOf(picture, [selfie], overlaps.usual)
  const withFace = seen.filter(({ picture }) => picture.faces > 0)
  figures.rate('selfieRecall', sum(withFace.map(hits)), withFace.length)
  const wrong = seen.filter((one) => one.selfie !== undefined && hits(one) === 0)
  figures.count('selfieFalsePositives', wrong.length, seen.length)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
