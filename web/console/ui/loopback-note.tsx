import { isLoopbackAddress } from '#shared/web-address.ts'
import { useConsole } from '#web/console/core/console-context.ts'

/** The command that makes the server reachable for phones on the same network. */
const command = 'npm start -- --https'

/** A note next to a QR code with a loopback address. [Note: Loopback leads nowhere] A phone that opened it would contact itself. */
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
