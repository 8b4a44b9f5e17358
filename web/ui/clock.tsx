import { useEffect, useState } from 'preact/hooks'
import type { NextStep } from '#shared/contract/sessions/session.ts'
import { steadyNow } from '#web/ui/steady-now.ts'
import { count } from '#web/wording/fill.ts'
import type { Wording } from '#web/wording/wording.ts'

interface ClockProps {
  readonly step: NextStep
  readonly startedAt: number
  readonly wording: Wording
}

/**
 * The remaining seconds in words. [Note: Reading time] The countdown waits until the action has been read (1 s plus 350 ms per
 * word), so that it does not compete with speech. It never exceeds the server's limit.
 */
export function Clock({ step, startedAt, wording }: ClockProps) {
  const [now, setNow] = useState(steadyNow())
  useEffect(() => {
    const timer = setInterval(() => setNow(steadyNow()), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="clock">{count(wording.locale, wording.seconds, secondsLeft(step, startedAt, now, wording))}</p>
  )
}

function secondsLeft(step: NextStep, startedAt: number, now: number, wording: Wording): number {
  const words = wording.action[step.action].split(' ').length
  const whole = step.timeLimitInSeconds - 1
  const left = whole - (now - startedAt) / 1000
  return Math.max(0, Math.ceil(Math.min(left, whole - Math.min(whole / 2, 1 + 0.35 * words))))
}
