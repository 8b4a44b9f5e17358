import { WriteFailed } from '#server/platform/store/store.ts'

/** Error prefixes of a server that responds but refuses writes. */
const refusals: Readonly<Record<string, string>> = {
  OOM: 'Redis is out of memory',
  MISCONF: 'Redis cannot write to its disk',
  READONLY: 'Redis is a read-only replica',
  NOREPLICAS: 'Redis has too few replicas',
}

/** @throws {WriteFailed} if the server responds but refuses writes */
export async function taken<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const why = error instanceof Error ? refusals[error.message.split(' ')[0] ?? ''] : undefined
    throw why === undefined ? error : new WriteFailed(why)
  }
}
