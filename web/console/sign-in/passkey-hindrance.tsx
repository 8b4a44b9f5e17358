import { useConsole } from '#web/console/core/console-context.ts'
import { passkeyHindranceOf } from '#web/console/core/passkey-place.ts'
import { fill } from '#web/wording/fill.ts'

/** Explains why passkeys do not work here: an IP address, no https, or an unsupported browser. */
export function PasskeyHindrance() {
  const { words } = useConsole()
  const { signIn } = words.value
  switch (passkeyHindranceOf(window)) {
    case 'address':
      return <WrongAddress />
    case 'browser':
      return (
        <div class="note warn">
          <strong>{signIn.noPasskeys}</strong>
          <p>{signIn.noPasskeysAdvice}</p>
        </div>
      )
    default:
      return null
  }
}

function WrongAddress() {
  const { words } = useConsole()
  const { hostname, port, protocol, pathname } = location
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
