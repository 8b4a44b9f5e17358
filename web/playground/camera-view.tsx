import { useEffect, useRef } from 'preact/hooks'
import { type Camera, createCamera } from '#web/capture/analysis/camera/camera.ts'
import { encodeJpeg } from './picked-picture.ts'
import { usePlayground } from './playground-context.ts'

interface CameraViewProps {
  readonly onTaken: (picture: Blob) => void
  readonly onFailed: () => void
  readonly onCancel: () => void
}

/** Shows the camera until a picture is taken. Unmounting turns the camera off. */
export function CameraView({ onTaken, onFailed, onCancel }: CameraViewProps) {
  const { words } = usePlayground()
  const place = useRef<HTMLDivElement>(null)
  const camera = useRef<Camera | undefined>(undefined)
  const shutter = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const opened = createCamera(onFailed)
    camera.current = opened
    place.current?.append(opened.video)
    void opened.open().then((cause) => {
      if (cause === undefined) shutter.current?.focus()
      else if (cause !== 'superseded') onFailed()
    })
    return opened.close
  }, [])
  const take = async () => {
    const video = camera.current?.video
    const picture = video && video.videoWidth > 0 ? await encodeJpeg(video) : undefined
    if (picture !== undefined) onTaken(picture)
  }
  return (
    <>
      <div ref={place} class="play-camera" role="img" aria-label={words.camera} />
      <div class="play-buttons">
        <button ref={shutter} type="button" class="play-press" onClick={() => void take()}>
          {words.shutter}
        </button>
        <button type="button" class="play-press plain" onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
    </>
  )
}
