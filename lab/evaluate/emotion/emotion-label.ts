import { type Expressions, expressionNames } from '../../../models/rules/analysis.ts'

/** A labelled emotion: one of the network's seven, or contempt, which the network does not know. */
export type Emotion = keyof Expressions | 'contempt'

const spellings: Readonly<Record<Emotion, readonly string[]>> = {
  neutral: ['neutral', 'none', 'calm'],
  happy: ['happy', 'happiness', 'joy', 'smile'],
  sad: ['sad', 'sadness'],
  angry: ['angry', 'anger'],
  fearful: ['fearful', 'fear', 'afraid', 'scared'],
  disgusted: ['disgusted', 'disgust'],
  surprised: ['surprised', 'surprise'],
  contempt: ['contempt', 'contemptuous'],
}

const emotions = new Map(
  Object.entries(spellings).flatMap(([emotion, words]) => words.map((word) => [word, emotion as Emotion])),
)

/** Sets spell emotions in different ways. Undefined if the word is not an emotion. */
export function emotionOf(label: string | undefined): Emotion | undefined {
  return emotions.get((label ?? '').trim().toLowerCase())
}

/** The expression with the largest share. */
export function dominantOf(expressions: Expressions): keyof Expressions {
  return expressionNames.reduce((best, name) => (expressions[name] > expressions[best] ? name : best))
}
