import type { Forgery, Moment, Subject } from '#lab/attacks/forgery.ts'
import { actionsIn, type PlaybackChanges, playerOf } from '#lab/attacks/instruments/filmed.ts'
import { isStraight } from '#lab/attacks/instruments/photographed.ts'
import { askedByDefault } from '#lab/attacks/instruments/recorded.ts'
import { framesOf, type SentPicture, trailOf } from '#lab/attacks/methods/filmed-moment.ts'
import type { Footage } from '#lab/attacks/people/footage.ts'
import type { Analysis } from '../../../models/rules/analysis.ts'
import { turnsTheHead } from '../../../models/rules/challenge/movement.ts'
import type { FilmedMovement } from '../../../models/rules/liveness/evidence/film-movement.ts'
import { type FilmOfPerson, filmFacesOfVisit } from '../../../models/rules/liveness/evidence/film-person.ts'
import { type TrailPoint, trailPointOf } from '../../../models/rules/liveness/evidence/trail.ts'
import type { Observation } from '../../../models/rules/observation.ts'
import { observe } from '../../../models/rules/observe.ts'
import { facesIn, portraitOf } from '../../../models/rules/portrait.ts'
import { drawFilmFaces } from '../../../server/features/sessions/pictures/film-faces.ts'

/** A living person's visit as the server sees it, and a film made from a single picture for its head turn. */
export interface FilmedVisit extends FilmOfPerson, FilmedMovement {
  readonly person: string
  readonly noisy: readonly TrailPoint[]
}

/** Analyses a picture in the same way as the server. Includes the embedding if the picture was sampled. */
type Look = (jpeg: Buffer, embedding: boolean) => Promise<Analysis>

const framesOfMoment = 3

/** Creates a visit for each person whose clips show a straight look, with a head turn if the clips contain one. */
export async function visitsOf(
  people: readonly Footage[],
  playing: PlaybackChanges,
  look: Look,
): Promise<FilmedVisit[]> {
  const visits: FilmedVisit[] = []
  for (const footage of people) {
    const subject = playerOf(footage, playing)
    if (subject === undefined) continue
    const turns = actionsIn(footage, askedByDefault).filter(turnsTheHead).slice(0, 1)
    visits.push(await visitOf(subject, ['start', ...turns, 'end'], look))
  }
  return visits
}

async function visitOf(
  { name, forge }: Subject,
  moments: readonly Moment[],
  look: Look,
): Promise<FilmedVisit> {
  const forgery = forge(1)
  const observations: Observation[] = []
  const trail: TrailPoint[] = []
  const noisy: TrailPoint[] = []
  const faces = Math.ceil(filmFacesOfVisit / moments.length)
  for (const [receivedAt, moment] of moments.entries()) {
    const from = receivedAt * forgery.momentInMilliseconds
    observations.push(...(await framesSeen(forgery, moment, from, receivedAt, look)))
    trail.push(...(await filmSeen(await trailOf(forgery, moment, from), receivedAt, faces, look)))
    const noise = isStraight(moment) ? [] : await trailOf(forgery, moment, from, 'noisy')
    noisy.push(...(await filmSeen(noise, receivedAt, 0, look)))
  }
  const steps = moments.slice(0, -1).map((_, answeredAt) => ({ revealedAt: answeredAt - 1, answeredAt }))
  const { neutral, frontal } = facesIn(observations)
  return { person: name, observations, trail, noisy, steps, neutral, portrait: portraitOf(frontal) }
}

async function framesSeen(
  forgery: Forgery,
  moment: Moment,
  from: number,
  receivedAt: number,
  look: Look,
): Promise<Observation[]> {
  const seen: Observation[] = []
  for (const { bytes, time } of await framesOf(forgery, moment, framesOfMoment, from)) {
    const analysis = await look(Buffer.from(bytes, 'base64'), true)
    seen.push(observe(analysis, { step: receivedAt, time, receivedAt, reused: 'none', digest: '' }))
  }
  return seen
}

async function filmSeen(
  pictures: readonly SentPicture[],
  receivedAt: number,
  faces: number,
  look: Look,
): Promise<TrailPoint[]> {
  const drawn = drawFilmFaces(pictures.length, faces)
  const seen: TrailPoint[] = []
  for (const [i, { bytes, time }] of pictures.entries()) {
    const analysis = await look(Buffer.from(bytes, 'base64'), drawn.has(i))
    seen.push(trailPointOf(analysis, { time, receivedAt }))
  }
  return seen
}
