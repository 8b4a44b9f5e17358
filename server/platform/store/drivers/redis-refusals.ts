import { WriteFailed } from '#server/platform/store/store.ts'

/** What the words of a server's refusal begin with that answers and yet takes no writes. */
const refusals: Readonly<Record<string, string>> = {
  OOM: 'Redis is out of memory',
  MISCONF: 'Redis cannot write to its disk',
  READONLY: 'Redis is a replica that only reads',
  NOREPLICAS: 'Redis has too few replicas',
}

/** @throws {WriteFailed} where the server answers, and takes no writes */
export async function taken<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const why = error instanceof Error ? refusals[error.message.split(' ')[0] ?? ''] : undefined
    throw why === undefined ? error : new WriteFailed(why)
  }
}
