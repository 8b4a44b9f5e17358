import type { Scope } from '#shared/endpoint.ts'
import { type Host, startHost } from '../support/host.ts'

/** The setting that all cases share: a host with two accounts, and keys that it rejects. */
export interface Setting {
  readonly host: Host
  /** The `Authorization` for a key with every scope. */
  readonly key: string
  /** The same for the other account. */
  readonly stranger: string
  /** A valid key for the account that has only these scopes. */
  keyWith(...scopes: Scope[]): Promise<string>
  /** A valid key for a deleted account. */
  orphan(): Promise<string>
  /** A host with its own ports, started when this name is first used. */
  hostWith(name: string, options: Parameters<typeof startHost>[0]): Promise<Host>
  close(): Promise<void>
}

export async function startSetting(): Promise<Setting> {
  const host = await startHost()
  const { accounts } = host.services
  const { apiKey: strange } = await accounts.create('Another account')
  const others = new Map<string, Promise<Host>>()
  const keyOf = async (accountId: string, scopes: readonly Scope[]) =>
    `ApiKey ${(await accounts.keys.create(accountId, 'A key', scopes)).apiKey}`
  return {
    host,
    key: `ApiKey ${host.apiKey}`,
    stranger: `ApiKey ${strange}`,
    keyWith: (...scopes) => keyOf(host.accountId, scopes),
    orphan: () => keyOf('gone', ['admin', 'configure', 'analyse', 'tokens']),
    hostWith(name, options) {
      const started = others.get(name) ?? startHost(options)
      others.set(name, started)
      return started
    },
    async close() {
      for (const other of others.values()) await (await other).close()
      await host.close()
    },
  }
}
