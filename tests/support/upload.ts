import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The one photograph that the house may keep: see pictures/NOTICE.md. */
export const astronaut = readFileSync(join(import.meta.dirname, 'pictures/astronaut.png'))

/** A picture as a body carries it. */
export const bytesOf = (picture: Uint8Array) => ({ bytes: Buffer.from(picture).toString('base64') })
