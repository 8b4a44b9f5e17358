import type { InjectionHint } from '#shared/contract/sessions/session.ts'

/** Words in the names of cameras that are programs. */
const programs =
  /\b(virtual|obs|fake|dummy|loopback)|v4l2|manycam|xsplit|snap ?camera|camtwist|mmhmm|vcam|nvidia broadcast/i

/** From so many pictures on, and beyond this share of them, pictures that are as bright as the one before are reported: to the last digit, which a camera's noise changes. */
const repeated = { fewest: 10, share: 0.8 } as const

/**
 * What of a device's report hints that its pictures come from no camera. Of a report that has another form: nothing.
 * [Note: A hint is the device's own word] Whoever injects pictures writes it as he likes, so that none speaks for
 * anybody. One that is there takes `high` to `standard`, is reported to the operator, and decides nothing else.
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
