import { useConsole } from '#web/console/core/console-context.ts'

const ofThisMachine = /^(localhost|127\.|\[::1\])/

/** Says beside a code for other devices that they cannot open its address, where it is one of this machine. */
export function LocalNote({ address }: { address: string }) {
  const { words } = useConsole()
  return ofThisMachine.test(new URL(address).host) ? (
    <p class="note warn">{words.value.localAddress}</p>
  ) : null
}
