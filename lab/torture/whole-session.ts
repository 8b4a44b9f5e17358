import sharp from 'sharp'
import { createSignature } from '../../shared/contract/configuration/signature.ts'
import { initRedirectSession, submitSession, submitStep } from '../../shared/contract/sessions/session.ts'
import { getSessionResult } from '../../shared/contract/sessions/session-result.ts'
import { astronaut, bytesOf } from '../../tests/support/upload.ts'
import { consent } from '../../tests/support/visit.ts'
import type { Caller } from './caller.ts'

/**
 * Goes from a signed link to its result, sending a picture for one step and a final one. Returns the session's id. Sessions with different numbers
 * send different pictures.
 */
export async function passSession(caller: Caller, verificationId: string, number: number): Promise<string> {
  const { signedQueryString } = await caller.call(createSignature, { body: { queryString: `n=${number}` } })
  const opened = await caller.call(initRedirectSession, {
    body: { verificationId, queryString: signedQueryString },
  })
  const bearer = opened.sessionToken
  const frame = async (of: number) => ({ ...(await shot(of)), time: of })
  await caller.call(submitStep, { bearer, body: { step: 0, frames: [await frame(3 * number + 1)] } })
  const frames = [{ ...(await frame(3 * number + 2)), challengeStep: 0 }]
  await caller.call(submitSession, { bearer, body: { frames, consent } })
  const { verificationSessionId } = opened
  await caller.call(getSessionResult, { query: { verificationSessionId } })
  return verificationSessionId
}

/** A photograph that varies slightly each time, because a known picture would be handled differently. */
export async function shot(number: number): Promise<{ bytes: string }> {
  const [left, top] = [number % 13, Math.floor(number / 13) % 13]
  const brightness = 0.8 + ((number * 37) % 41) / 100
  const jpeg = await sharp(astronaut)
    .extract({ left, top, width: 480, height: 480 })
    .modulate({ brightness })
    .jpeg({ quality: 85 })
    .toBuffer()
  return bytesOf(jpeg)
}
