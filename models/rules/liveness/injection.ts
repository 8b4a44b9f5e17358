import type { InjectionHint } from '#shared/contract/sessions/session.ts'

/** Words in the names of virtual cameras. */
const programs =
  /\b(virtual|obs|fake|dummy|loopback)|v4l2|manycam|xsplit|snap ?camera|camtwist|mmhmm|vcam|nvidia broadcast/i

/**
 * With at least this number of pictures, reports if more than this share is exactly as bright as the previous one; a
 * camera's noise would change the last digit.
 */
const repeated = { fewest: 10, share: 0.8 } as const

/**
 * Hints in a device's report that its pictures come from no camera; none for a report of another form.
 * [Note: A hint is the device's own word] An attacker can write any report, so none speaks in anyone's favour. A hint
 * lowers `high` to
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
