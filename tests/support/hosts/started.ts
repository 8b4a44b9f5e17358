import { onTestFinished } from 'vitest'
import { type Host, startHost } from '../host.ts'

/** Starts a host that closes when the current test ends. */
export async function started(options: Parameters<typeof startHost>[0] = {}): Promise<Host> {
  const host = await startHost(options)
  onTestFinished(() => host.close())
  return host
}
