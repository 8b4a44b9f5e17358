import { Preview } from '#web/console/preview/preview.tsx'
import { type Account, type AccountForm, shownAccount } from './account-form.ts'

/** Any check will do: it is the look that is looked at. */
const check = { verifierConfigs: { liveness: { type: 'Verification' } } } as const

/** The pages of the account as they would look, before anything is saved. */
export function ThemePreview({ account, form }: { account: Account; form: AccountForm }) {
  return (
    <div class="beside-form">
      <Preview config={check} account={shownAccount(account, form)} />
    </div>
  )
}
