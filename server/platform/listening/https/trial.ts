import { networkInterfaces } from 'node:os'
import { renderUnicodeCompact } from 'uqr'
import { keptLeaf } from './kept-leaf.ts'
import { lanAddresses, lanNames } from './lan.ts'
import type { Leaf } from './leaf-certificate.ts'

/** How a server is reached from a phone on the same network. */
export interface Trial {
  readonly leaf: Leaf
  /** The name in addresses: where this machine is on its network. */
  readonly host: string
  /** What is printed for whoever holds the phone. */
  wordsFor(address: string): string
}

/** Gets ready what `npm start -- --https` needs. @param host what is listened on */
export async function prepareTrial(dataDir: string, host: string): Promise<Trial> {
  const interfaces = networkInterfaces()
  const everywhere = host === '0.0.0.0' || host === '::'
  const [reached = '127.0.0.1'] = everywhere ? lanAddresses(interfaces) : [host]
  const names = [...new Set([...lanNames(interfaces), ...(everywhere ? [] : [host])])]
  return { leaf: await keptLeaf(dataDir, names, Date.now()), host: reached, wordsFor: phoneWords }
}

/** The code, what to expect, and what does not work this way. */
function phoneWords(address: string): string {
  return `
On a phone in the same network, point the camera at this code:

${renderUnicodeCompact(address, { border: 2 })}
${address}

The phone warns once, for nobody vouches for this certificate: choose to go on. It holds for 14 days, and nothing was installed.
What does not work this way: the app on the home screen and captures without a network (browsers keep nothing of a page that they warned
of), passkeys (they need a name, not an address), and kiosks. Everybody in this network can open the server: use it to try things out.`
}
