import { networkInterfaces } from 'node:os'
import { renderUnicodeCompact } from 'uqr'
import { keptLeaf } from './kept-leaf.ts'
import { lanAddresses, lanNames } from './lan.ts'
import type { Leaf } from './leaf-certificate.ts'

/** How a phone on the same network reaches the server. */
export interface Trial {
  readonly leaf: Leaf
  /** The host for URLs: this machine's address on its network. */
  readonly host: string
  /** The text printed for the person with the phone. */
  wordsFor(address: string): string
}

/** Prepares the certificate and addresses for `npm start -- --https`. @param host the host that the server listens on */
export async function prepareTrial(dataDir: string, host: string): Promise<Trial> {
  const interfaces = networkInterfaces()
  const everywhere = host === '0.0.0.0' || host === '::'
  const [reached = '127.0.0.1'] = everywhere ? lanAddresses(interfaces) : [host]
  const names = [...new Set([...lanNames(interfaces), ...(everywhere ? [] : [host])])]
  return { leaf: await keptLeaf(dataDir, names, Date.now()), host: reached, wordsFor: phoneWords }
}

/** The QR code, what to expect, and what does not work over this connection. */
function phoneWords(address: string): string {
  return `
On a phone in the same network, point the camera at this code:

${renderUnicodeCompact(address, { border: 2 })}
${address}

The phone warns once, because no authority vouches for this certificate: choose to continue. It is valid for 14 days, and nothing is installed.
Not available this way: the home screen app and captures without a network (browsers store nothing from a page that they warned about),
passkeys (they need a host name, not an address), and kiosks. Anyone on this network can open the server, so use it only to try things out.`
}
