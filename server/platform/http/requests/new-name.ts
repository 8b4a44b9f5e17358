import { newNameFault } from '#shared/identity/new-name.ts'
import { Problem } from '#shared/problem.ts'

/**
 * [Note: Stored names are never refused] A write that repeats a stored name succeeds, whatever earlier releases accepted.
 * @param stored names that the write would leave unchanged
 * @throws {Problem} 400
 */
export function refuseUnfitName(
  pointer: string,
  text: string | null | undefined,
  stored: readonly (string | null | undefined)[] = [],
): void {
  if (text === null || text === undefined || stored.includes(text)) return
  const fault = newNameFault(text)
  if (fault !== undefined) throw Problem.at(pointer, fault)
}
