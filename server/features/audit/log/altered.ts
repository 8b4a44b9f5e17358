import { AlteredRecord } from '#server/platform/store/sealed/sealed-store.ts'

/** What was read, or `altered` where the seal of the store does not open it. @throws whatever else goes wrong */
export async function unlessAltered<T>(read: Promise<T>): Promise<T | 'altered'> {
  return read.catch((error: unknown) => {
    if (error instanceof AlteredRecord) return 'altered'
    throw error
  })
}
