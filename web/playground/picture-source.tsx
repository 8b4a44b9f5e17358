import { useEffect, useRef, useState } from 'preact/hooks'
import { CameraView } from './camera-view.tsx'
import { type PickedPicture, type PickFault, pickPicture } from './picked-picture.ts'
import { usePlayground } from './playground-context.ts'

/** Eileen Collins, photographed by NASA; in the public domain. */
const sample = new URL('./astronaut.jpg', import.meta.url).href

interface PictureSourceProps {
  readonly label: string
  /** True if this field receives pasted pictures. */
  readonly takesPaste: boolean
  readonly onPicked: (picture: PickedPicture) => void
}

/** Lets the person drop, paste, choose or take a picture. */
export function PictureSource({ label, takesPaste, onPicked }: PictureSourceProps) {
  const { words } = usePlayground()
  const [fault, setFault] = useState<PickFault | 'noCamera'>()
  const [isTaking, setTaking] = useState(false)
  const [isOver, setOver] = useState(false)
  const take = async (file: Blob | undefined, name: string) => {
    if (file === undefined) return
    setTaking(false)
    const picked = await pickPicture(file, name)
    if (typeof picked === 'string') setFault(picked)
    else onPicked(picked)
  }
  usePaste(takesPaste, (file) => void take(file, file.name))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer?.files[0]
    void take(file, file?.name ?? '')
  }
  return (
    <section
      class="play-source"
      aria-label={label}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {isTaking ? (
        <CameraView
          onTaken={(picture) => void take(picture, 'camera.jpg')}
          onFailed={() => {
            setTaking(false)
            setFault('noCamera')
          }}
          onCancel={() => setTaking(false)}
        />
      ) : (
        <>
          <p class="play-drop">{words.drop}</p>
          <Ways onFile={(file, name) => void take(file, name)} onCamera={() => setTaking(true)} />
        </>
      )}
      <p class="play-fault" role="status">
        {fault !== undefined && words[fault]}
      </p>
    </section>
  )
}

interface WaysProps {
  readonly onFile: (file: Blob | undefined, name: string) => void
  readonly onCamera: () => void
}

/** The buttons for a file, the camera and the sample picture. */
function Ways({ onFile, onCamera }: WaysProps) {
  const { words } = usePlayground()
  const takeSample = async () => {
    const answer = await fetch(sample).catch(() => undefined)
    onFile(await answer?.blob(), 'astronaut.jpg')
  }
  return (
    <div class="play-buttons">
      <FileButton onFile={(file) => onFile(file, file.name)} />
      <button type="button" class="play-press plain" onClick={onCamera}>
        {words.take}
      </button>
      <button type="button" class="play-press plain" onClick={() => void takeSample()}>
        {words.sample}
      </button>
    </div>
  )
}

/** A separate button, because Enter does not open the file chooser in some browsers. */
function FileButton({ onFile }: { onFile: (file: File) => void }) {
  const { words } = usePlayground()
  const field = useRef<HTMLInputElement>(null)
  const choose = () => {
    const file = field.current?.files?.[0]
    if (field.current !== null) field.current.value = ''
    if (file !== undefined) onFile(file)
  }
  return (
    <>
      <input ref={field} type="file" accept="image/*" hidden onChange={choose} />
      <button type="button" class="play-press" onClick={() => field.current?.click()}>
        {words.choose}
      </button>
    </>
  )
}

/** Receives pictures that are pasted anywhere on the page. */
function usePaste(isOn: boolean, onFile: (file: File) => void): void {
  const latest = useRef(onFile)
  latest.current = onFile
  useEffect(() => {
    if (!isOn) return
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const file = [...(clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (file !== undefined) latest.current(file)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [isOn])
}
