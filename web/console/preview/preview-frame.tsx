import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { type FromPreview, hear, type PreviewedCheck, type ToPreview } from '#web/preview/preview-messages.ts'

/** Address of the preview. Only the console may frame it. */
const address = '/console/preview'

/** In CSS pixels, as the page in the frame sees them. */
const sizes = { phone: { width: 390, height: 780 }, desk: { width: 1280, height: 800 } } as const
/** The frame takes up the remaining height of the window, within these limits. */
const heights = { least: 420, most: 620, others: 330 } as const

interface PreviewFrameProps {
  readonly previewed: PreviewedCheck
  readonly onStep: (step: PreviewedCheck['step']) => void
  readonly onLanguages: (languages: readonly string[]) => void
}

/** The capture page in a frame, scaled to the available space. */
export function PreviewFrame({ previewed, onStep, onLanguages }: PreviewFrameProps) {
  const { words } = useConsole()
  const room = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const size = previewed.isPhone ? sizes.phone : sizes.desk
  useEffect(() => {
    const from = () => frame.current?.contentWindow
    return hear<FromPreview>(window, from, (message) => {
      if (message.kind === 'went') return onStep(message.step)
      onLanguages(message.languages)
      setReady(true)
    })
  }, [])
  const shown = JSON.stringify(previewed)
  useEffect(() => {
    if (!isReady) return
    const message: ToPreview = { kind: 'show', previewed }
    frame.current?.contentWindow?.postMessage(message, location.origin)
  }, [shown, isReady])
  useLayoutEffect(() => {
    const scale = () => fitInto(room.current!, frame.current!, size)
    const watch = new ResizeObserver(scale)
    watch.observe(room.current!)
    scale()
    return () => watch.disconnect()
  }, [size])
  return (
    <div ref={room} class="preview-room">
      <iframe ref={frame} class="preview-frame" src={address} title={words.value.preview.frame} />
    </div>
  )
}

/** Sets styles from a script, because the document does not allow inline styles. */
function fitInto(
  room: HTMLElement,
  frame: HTMLElement,
  { width, height }: { width: number; height: number },
) {
  const { least, most, others } = heights
  const mostHeight = Math.min(most, Math.max(least, window.innerHeight - others))
  const scale = Math.min(1, room.clientWidth / width, mostHeight / height)
  frame.style.width = `${width}px`
  frame.style.height = `${height}px`
  frame.style.transform = `scale(${scale})`
  room.style.height = `${Math.ceil(height * scale)}px`
  frame.style.insetInlineStart = `${Math.max(0, (room.clientWidth - width * scale) / 2)}px`
}
