import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Preview } from '#web/console/preview/preview.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import type { Config } from './config-form.ts'

/** Previews an unsaved configuration, which is undefined while its JSON is invalid. */
export function ConfigPreview({ config }: { config: Config | undefined }) {
  const { calls } = useConsole()
  const found = useAccountData(() => calls.configuration.getAccount())
  const account = found.value?.account
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {account !== undefined && <Preview config={config} account={account} />}
    </>
  )
}
