import { isLoopbackAddress } from '#shared/web-address.ts'
import { useConsole } from '#web/console/core/console-context.ts'

/** Command that makes the server reachable for phones in the same network. */
const command = 'npm start -- --https'

/** Note next to a QR code whose address is on loopback. [Note: Loopback leads nowhere] A phone that opens it would contact itself. */
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
