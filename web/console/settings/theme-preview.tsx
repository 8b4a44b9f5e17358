import { useMe } from '#web/console/core/console-context.ts'
import { Preview } from '#web/console/preview/preview.tsx'
import { checkOf, themeOfAccount } from '#web/console/preview/preview-plan.ts'
import { type Account, type AccountForm, shownAccount } from './account-form.ts'

/** Any check will do: it is the look that is looked at. */
const check = { verifierConfigs: { liveness: { type: 'Verification' } } } as const

/** The pages of the account as they would look, before anything is saved. */
export function ThemePreview({ account, form }: { account: Account; form: AccountForm }) {
  const { environment, region } = useMe()
  const theme = themeOfAccount(shownAccount(account, form), region)
  return (
    <div class="beside-form">
      <Preview check={checkOf(check, theme, environment)} />
    </div>
  )
}
