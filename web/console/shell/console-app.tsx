import { useEffect, useState } from 'preact/hooks'
import { ConsoleContext, type ConsoleTools } from '#web/console/core/console-context.ts'
import { InvitationPage } from '#web/console/sign-in/invitation-page.tsx'
import { ReturnPage } from '#web/console/sign-in/return-page.tsx'
import { SignInPage } from '#web/console/sign-in/sign-in-page.tsx'
import { UnreachablePage } from '#web/console/sign-in/unreachable-page.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { Shell } from './shell.tsx'

/** The console's root component. It shows the sign-in page first if necessary. */
export function ConsoleApp({ tools }: { tools: ConsoleTools }) {
  const { presence } = tools.membership
  const [code, setCode] = useState(() => takeCode(window))
  useEffect(() => {
    // Opening an invitation in a tab that already shows the console does not reload the page.
    const take = () => location.hash !== '' && setCode(takeCode(window))
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  const [returned, setReturned] = useState(tools.returned)
  const now = presence.value
  return (
    <ConsoleContext.Provider value={tools}>
      {returned !== undefined ? (
        <ReturnPage returned={returned} onDone={() => setReturned(undefined)} />
      ) : code !== '' && now.kind !== 'asking' ? (
        <InvitationPage code={code} onDone={() => setCode('')} />
      ) : now.kind === 'signedIn' ? (
        <Shell />
      ) : now.kind === 'nobody' ? (
        <SignInPage />
      ) : now.kind === 'unreachable' ? (
        <UnreachablePage />
      ) : (
        <div class="room" aria-busy="true" />
      )}
      <ProviderDialog />
    </ConsoleContext.Provider>
  )
}

/** Reads an invitation's code and removes it from the address. */
function takeCode({ location, history }: Window): string {
  const code = location.hash.slice(1)
  if (code !== '') history.replaceState(null, '', location.pathname + location.search)
  return code
}
