import { useConsole } from '#web/console/core/console-context.ts'
import { fill } from '#web/wording/fill.ts'

/** Says so where no passkey can work: at an IP address, or without https. */
export function WrongAddress() {
  const { words } = useConsole()
  const { hostname, port, protocol, pathname } = location
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  if (!isAddress && window.isSecureContext) return null
  const isHere = /^127\.|^\[::1\]/.test(hostname)
  const better = isHere ? `${protocol}//localhost:${port}${pathname}` : `https://…${pathname}`
  const { signIn } = words.value
  return (
    <div class="note warn">
      <strong>{signIn.address}</strong>
      <p>{fill(signIn.addressAdvice, { address: better })}</p>
      {isHere && <a href={better + location.hash}>{better}</a>}
    </div>
  )
}
