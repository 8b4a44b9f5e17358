export interface OutsideProgram {
  readonly name: string
  /** Commands in the path, or absolute paths with at most one `*`; any of them will do. */
  readonly found: readonly string[]
  /** Debian's packages. */
  readonly packages: readonly string[]
  readonly neededBy: string
  /** The checks of `npm run verify` that use it. */
  readonly checks: readonly string[]
  /** False if its tests are skipped without it. */
  readonly required: boolean
}

export const outsidePrograms: readonly OutsideProgram[]
export function missingPrograms(programs?: readonly OutsideProgram[], path?: string): OutsideProgram[]
export function sentenceFor(
  checks: readonly string[],
  missing?: readonly OutsideProgram[],
): string | undefined
