import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The only photograph in the repository; see pictures/NOTICE.md. */
export const astronaut = readFileSync(join(import.meta.dirname, 'pictures/astronaut.png'))

/** A picture as it appears in a request body. */
export const bytesOf = (picture: Uint8Array) => ({ bytes: Buffer.from(picture).toString('base64') })
