import { newNameFault } from '#shared/identity/new-name.ts'
import { Problem } from '#shared/problem.ts'

/**
 * [Note: Stored names are never refused] A write that sends a text as it is stored passes, whatever earlier releases accepted.
 * @param stored texts that the write would leave as they are
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
