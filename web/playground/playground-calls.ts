import { type CallSettings, type Calls, createCalls } from '#shared/client/calls.ts'
import { getAge, getGender } from '#shared/contract/analysis/demographic.ts'
import { detectEmotionAttention } from '#shared/contract/analysis/emotion-attention.ts'
import { getQuality } from '#shared/contract/analysis/face-quality.ts'
import { compareFaceEmbeddings, getFaceEmbeddings } from '#shared/contract/analysis/face-verification.ts'
import { detectLiveness } from '#shared/contract/analysis/liveness.ts'

const endpoints = {
  getQuality,
  getAge,
  getGender,
  detectEmotionAttention,
  detectLiveness,
  getFaceEmbeddings,
  compareFaceEmbeddings,
} as const

/** The endpoints that the playground uses. They are available with any key, and none of them stores anything. */
export type PlaygroundCalls = Calls<typeof endpoints>

/** How calls are sent: with the console's sign-in, or with a bearer token. */
export type PlaygroundSending = Pick<CallSettings, 'origin' | 'fetch' | 'credentialFor'>

const answerMilliseconds = 30_000

export function createPlaygroundCalls(sending: PlaygroundSending): PlaygroundCalls {
  const patient = { timeoutInMilliseconds: answerMilliseconds, retries: 1, longestWaitInSeconds: 5 }
  return createCalls(endpoints, { ...sending, ...patient }, () => true) as unknown as PlaygroundCalls
}
