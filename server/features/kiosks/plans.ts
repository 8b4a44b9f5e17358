import { randomInt, randomUUID } from 'node:crypto'
import { jwtVerify } from 'jose'
import * as v from 'valibot'
import { drawAction } from '#models/rules/challenge/draw-action.ts'
import { timeLimitInSeconds } from '#models/rules/challenge/progress.ts'
import { drawSizes } from '#models/rules/challenge/size.ts'
import type { KioskRecord } from '#server/features/callers/callers.ts'
import type { TokenKeys } from '#server/features/tokens/tokens.ts'
import { refuseForeignKeys, signed } from '#server/platform/crypto/signed-token.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { type KioskPlan, kioskPlan, kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'
import { issuersOf } from './issuers.ts'

const daysInSeconds = (days: number) => days * 24 * 3600
/** A visit needs up to three actions, two more after a wrong one, and two alternatives, plus one spare. */
const actionsOfPlan = 8
/** [Note: A plan ends in the end] This long after a plan expires, captures that claim to be older are no longer believed. */
const planHonouredInSeconds = daysInSeconds(60)

type Challenge = Pick<KioskPlan, 'challengeType' | 'actionCount'>

/** Challenges drawn in advance, for kiosks that cannot request each action. */
export interface Plans {
  /** Draws and signs `count` new plans for a kiosk. */
  draw(kiosk: KioskRecord, challenge: Challenge, count: number): Promise<string[]>
  /** The plan, if this server issued it for this kiosk and it had not expired at the capture's reported time. */
  read(jws: string, kiosk: KioskRecord, capturedAt: number): Promise<KioskPlan | undefined>
}

interface Dependencies {
  keys: TokenKeys
  issuer: () => string
  allowedActions: readonly Action[]
  now: Clock
}

export function createPlans({ keys, issuer, allowedActions, now }: Dependencies): Plans {
  function newPlan({ kioskId, verificationId }: KioskRecord, challenge: Challenge): KioskPlan {
    const issued = Math.floor(now() / 1000)
    return {
      ...challenge,
      jti: randomUUID(),
      iss: issuer(),
      sub: kioskId,
      verificationId,
      actions: drawActions(allowedActions),
      turnsAgain: true,
      ...(allowedActions.includes('comeCloser') && { sizes: drawSizes(randomInt) }),
      timeLimitInSeconds,
      iat: issued,
      exp: issued + daysInSeconds(kioskLimits.planInDays),
    }
  }

  async function verifyPlan(jws: string, kiosk: KioskRecord, capturedAt: number): Promise<unknown> {
    const verified = await jwtVerify(
      jws,
      async (header) => {
        refuseForeignKeys(header)
        const key = await keys.find(header.kid ?? '')
        if (key === undefined) throw new Error('unknown key')
        return key.publicKey
      },
      {
        algorithms: ['ES256'],
        typ: kioskTypes.plan,
        issuer: issuersOf(kiosk, issuer()),
        subject: kiosk.kioskId,
        currentDate: new Date(capturedAt),
      },
    )
    return verified.payload
  }

  return {
    async draw(kiosk, challenge, count) {
      const { kid, privateKey } = await keys.current()
      const header = { alg: 'ES256', kid, typ: kioskTypes.plan }
      return Array.from({ length: count }, () => signed(header, newPlan(kiosk, challenge), privateKey))
    },
    async read(jws, kiosk, capturedAt) {
      if (capturedAt > now() + kioskLimits.driftInSeconds * 1000) return undefined
      const claims = await verifyPlan(jws, kiosk, capturedAt).catch(unlessOurs)
      const plan = v.safeParse(kioskPlan, claims)
      if (!plan.success || plan.output.verificationId !== kiosk.verificationId) return undefined
      return now() / 1000 <= plan.output.exp + planHonouredInSeconds ? plan.output : undefined
    },
  }
}

function drawActions(allowed: readonly Action[]): Action[] {
  const drawn: Action[] = []
  while (drawn.length < actionsOfPlan) drawn.push(drawAction(allowed, drawn, randomInt))
  return drawn
}

/** A failure to read a key from the store says nothing about the plan. */
function unlessOurs(error: unknown): undefined {
  if (error instanceof Problem) throw error
  return undefined
}
