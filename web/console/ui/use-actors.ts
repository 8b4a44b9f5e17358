import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'

/** Names an actor: people have names already, keys are known by their ids. */
export type ActorNames = (by: string) => string

/** The names of the account's keys. People who may not see the keys read the beginning of an id. */
export function useActors(): ActorNames {
  const { calls } = useConsole()
  const may = useMay()
  const found = useAccountData(async () => {
    const { keys } = may('getKeys') ? await calls.configuration.getKeys() : { keys: [] }
    return new Map(keys.map(({ keyId, name }) => [keyId, name]))
  })
  return (by) => found.last?.get(by) ?? shortened(by)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function shortened(by: string): string {
  return uuid.test(by) ? by.slice(0, 8) : by
}
