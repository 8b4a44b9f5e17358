import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkRecipe } from '#models/rules/pack-recipe.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { PackFault } from './pack-fault.ts'

const timeoutInMilliseconds = 10 * 60_000

/** Gets a network's bytes, up to one more than its recipe allows. @throws {PackFault} */
export type NetworkSource = (
  network: NetworkRecipe,
  onProgress: (bytes: number) => void,
) => Promise<Uint8Array>

/**
 * Fetches from the publisher's address. [Note: No redirect for weights] An address that names a commit responds directly, so
 * a redirect does not come from the publisher.
 */
export function fromPublisher(outbound: Outbound): NetworkSource {
  return async ({ address, bytes: mostBytes, file }, onProgress) => {
    const signal = new AbortController().signal
    const accept = 'application/octet-stream, */*'
    try {
      return await outbound.get({
        ...{ address, mostBytes, accept, onProgress, signal, timeoutInMilliseconds },
        mostRedirects: 0,
      })
    } catch (error) {
      const host = new URL(address).hostname
      throw new PackFault(`${file} could not be fetched from ${host}: ${wordsOf(error)}. ${insteadOf(file)}`)
    }
  }
}

/** Reads from a folder, using the file names in the recipe. */
export function fromFolder(folder: string): NetworkSource {
  return async ({ file, bytes }) => {
    const path = join(folder, file)
    try {
      const source = await open(path, 'r')
      try {
        const { size } = await source.stat()
        if (size !== bytes) throw new PackFault(`${path} has ${size} bytes, not ${bytes}.`)
        return await source.readFile()
      } finally {
        await source.close()
      }
    } catch (error) {
      throw error instanceof PackFault ? error : new PackFault(`${path} cannot be read.`)
    }
  }
}

function insteadOf(file: string): string {
  return `If this machine cannot reach it, fetch ${file} elsewhere and install it with --from FOLDER.`
}

function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return (message || code || String(error)).replace(/\.$/, '')
}
