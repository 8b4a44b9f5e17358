import type { InjectionHint } from '#shared/contract/sessions/session.ts'

/** Words that appear in the names of virtual cameras. */
const programs =
  /\b(virtual|obs|fake|dummy|loopback)|v4l2|manycam|xsplit|snap ?camera|camtwist|mmhmm|vcam|nvidia broadcast/i

/**
 * If there are at least this many pictures, reports when more than this share is exactly as bright as the previous picture. A camera's noise
 * would change the last digit.
 */
const repeated = { fewest: 10, share: 0.8 } as const

/**
 * Looks for hints in a device's report that its pictures do not come from a camera. Returns none if the report has a different format.
 * [Note: A hint is the device's own word] An attacker can write any report, so a hint never counts in anyone's favour. It lowers `high` to
 * `standard`, is reported to the operator, and decides nothing else.
 */
export function injectionHintsOf(report: Readonly<Record<string, unknown>> | null): InjectionHint[] {
  const { camera, analyses, repeats } = report ?? {}
  const isProgram = typeof camera === 'string' && programs.test(camera)
  const isConstant =
    typeof analyses === 'number' &&
    typeof repeats === 'number' &&
    analyses >= repeated.fewest &&
    repeats > repeated.share * analyses
  return [
    ...(isProgram ? (['virtualCamera'] as const) : []),
    ...(isConstant ? (['constantPictures'] as const) : []),
  ]
}
