import { randomBytes } from 'node:crypto'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import type { Logo } from '#shared/contract/sessions/logo.ts'
import type { EncodedLogo } from './logo-encoder.ts'

/** The logos' path prefix. */
export const logoPath = '/logo/'

/** The longest lifetime of a session that refers to the logo, plus a margin. */
const retiredForSeconds = 3600

/** The logo pictures. Each has a unique address, so a new logo gets a new address. */
export interface Logos {
  make(encoded: EncodedLogo): { readonly logo: Logo; readonly writes: readonly Write[] }
  /** WebP, or undefined if the logo does not exist. */
  find(logoId: string): Promise<Buffer | undefined>
  /** Removes a replaced logo once no open page can request it any more. */
  retire(logo: Logo | null): Promise<readonly Write[]>
}

export function createLogos(store: Store): Logos {
  const pictures = createTable<string>(store, 'logo')
  return {
    make({ bytes, ...shape }) {
      const logoId = randomBytes(16).toString('hex')
      const writes = [pictures.write(deployment, logoId, bytes.toString('base64'))]
      return { logo: { address: `${logoPath}${logoId}`, ...shape }, writes }
    },
    async find(logoId) {
      const picture = await pictures.get(deployment, logoId)
      return picture === undefined ? undefined : Buffer.from(picture, 'base64')
    },
    async retire(logo) {
      if (logo === null) return []
      const logoId = logo.address.slice(logoPath.length)
      const picture = await pictures.get(deployment, logoId)
      return picture === undefined ? [] : [pictures.write(deployment, logoId, picture, retiredForSeconds)]
    },
  }
}
