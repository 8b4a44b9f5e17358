import { AlteredRecord } from '#server/platform/store/sealed/sealed-store.ts'

/** The read's result, or `altered` if the store's seal does not open it. @throws any other error */
export async function unlessAltered<T>(read: Promise<T>): Promise<T | 'altered'> {
  return read.catch((error: unknown) => {
    if (error instanceof AlteredRecord) return 'altered'
    throw error
  })
}
