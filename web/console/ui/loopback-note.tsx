import { isLoopbackAddress } from '#shared/web-address.ts'
import { useConsole } from '#web/console/core/console-context.ts'

/** The command that opens the server to a phone in the same network. */
const command = 'npm start -- --https'

/** Beside a code to scan, where it leads to this machine alone. [Note: Loopback leads nowhere] A phone that opens it asks itself. */
export function LoopbackNote({ address }: { address: string }) {
  const { words } = useConsole()
  if (!isLoopbackAddress(address)) return null
  return (
    <p class="muted">
      {words.value.link.onlyHere}{' '}
      <code class="code" dir="ltr">
        {command}
      </code>
    </p>
  )
}
