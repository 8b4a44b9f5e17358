import type { Feed } from '#models/picture/feed.ts'
import type { Picture } from '#models/picture/picture.ts'
import { type Effort, uncertaintyOf } from '#models/rules/age/age-uncertainty.ts'
import type { AgeEstimate, GenderEstimate } from '#models/rules/analysis.ts'
import type { Mesh } from '#models/rules/face/mesh.ts'
import { genderConfidence } from '#models/rules/gender.ts'
import { faceRegion } from './landmarks.ts'
import { mirrorImage } from './mirror-image.ts'
import type { Session } from './session.ts'

export interface Demographic {
  readonly age: AgeEstimate
  readonly gender: GenderEstimate
}

/** The second network and the mirrored crops for the first one are only used on the server. */
export interface DemographicNetworks {
  readonly first: Session
  readonly second?: Session
}

const firstFeed: Feed = { size: 112, channels: 'RGB', scale: 1, offset: 0 }
/** Crop sizes, as multiples of the mesh's longer side. */
const firstSides = [0.92, 1, 1.08] as const
const secondFeed: Feed = { size: 224, channels: 'BGR', scale: 1, offset: 0 }
const secondSide = 1.4

interface Answers {
  /** The mean over all crops, in years. */
  readonly age: number
  /** Years. */
  readonly spread: number
  /** Probability 0...1. */
  readonly male: number
}

/**
 * Age in years and gender. The age is the mean over crops of the first network (face-api.js's TinyXception), including
 * mirrored ones if there is a second network. [Note: The second network says how sure] HSE's MobileNet returns a
 * probability for each year. The breadth of this distribution predicts the error of the first network better than
 * anything else that was tried, while averaging in its age made the estimate worse on both data sets. The gender weighs
 * the first network two to one.
 */
export async function estimateDemographic(
  { first, second }: DemographicNetworks,
  picture: Picture,
  mesh: Mesh,
): Promise<Demographic> {
  const own = await askFirst(first, picture, mesh, second !== undefined)
  if (second === undefined) return demographicOf(own, own, 'light')
  return demographicOf(own, await askSecond(second, picture, mesh), 'full')
}

async function askFirst(session: Session, picture: Picture, mesh: Mesh, mirrors: boolean): Promise<Answers> {
  const ages: number[] = []
  const males: number[] = []
  for (const side of firstSides) {
    const crop = picture.crop(faceRegion(mesh, side), firstFeed)
    for (const seen of mirrors ? [crop, mirrorImage(crop, picture)] : [crop]) {
      const { age, gender } = await session.run(seen)
      ages.push(age!.data[0]!)
      males.push(gender!.data[0]!)
    }
  }
  return { age: mean(ages), spread: deviation(ages), male: mean(males) }
}

/** The network returns one probability per year of age, from 0 to 99. */
async function askSecond(session: Session, picture: Picture, mesh: Mesh): Promise<Answers> {
  const { age, gender } = await session.run(picture.crop(faceRegion(mesh, secondSide), secondFeed))
  const shares = age!.data
  const expected = shares.reduce((sum, share, years) => sum + share * years, 0)
  const variance = shares.reduce((sum, share, years) => sum + share * (years - expected) ** 2, 0)
  return { age: expected, spread: Math.sqrt(variance), male: gender!.data[0]! }
}

function demographicOf(first: Answers, second: Answers, effort: Effort): Demographic {
  const prediction = Math.max(0, first.age)
  const { spread } = second
  const male = (2 * first.male + second.male) / 3
  return {
    age: { prediction, uncertainty: uncertaintyOf(prediction, spread, effort), spread },
    gender: { male, confidence: genderConfidence(male, prediction) },
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function deviation(values: readonly number[]): number {
  const average = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2)))
}
