import type { Account } from '#web/console/core/account.ts'
import { Preview } from '#web/console/preview/preview.tsx'
import { type AccountForm, shownAccount } from './account-form.ts'

/** Any check will do, since only the appearance matters. */
const check = { verifierConfigs: { liveness: { type: 'Verification' } } } as const

/** Previews how the account's pages look before the changes are saved. */
export function ThemePreview({ account, form }: { account: Account; form: AccountForm }) {
  return (
    <div class="beside-form">
      <Preview config={check} account={shownAccount(account, form)} />
    </div>
  )
}
