import { useEffect, useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { fill } from '#web/wording/fill.ts'
import { type Film, shownFor } from './film.ts'

/** Plays the film at up to three pictures per second. If the person prefers reduced motion, it stays still until they press play. */
export function FilmStrip({ film }: { film: Film }) {
  const { words } = useConsole()
  const { evidence } = words.value
  const [at, setAt] = useState(0)
  const [isPlaying, setPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  const place = Math.min(at, film.length - 1)
  useEffect(() => {
    if (!isPlaying) return
    const timer = setTimeout(
      () => {
        if (place + 1 < film.length) setAt(place + 1)
        else setPlaying(false)
      },
      shownFor(film, place),
    )
    return () => clearTimeout(timer)
  }, [isPlaying, place, film])
  const press = () => {
    if (!isPlaying && place + 1 >= film.length) setAt(0)
    setPlaying(!isPlaying)
  }
  const position = fill(evidence.at, { n: place + 1, all: film.length })
  return (
    <figure class="film">
      <img src={jpeg(film[place]!.bytes)} alt={evidence.film} width={256} height={192} />
      <figcaption>
        <Button onPress={press}>{isPlaying ? evidence.pause : evidence.play}</Button>
        <input
          type="range"
          min={0}
          max={film.length - 1}
          value={place}
          aria-label={evidence.film}
          aria-valuetext={position}
          onInput={(event) => {
            setPlaying(false)
            setAt(Number(event.currentTarget.value))
          }}
        />
        <span class="small">{position}</span>
      </figcaption>
    </figure>
  )
}

/** Returns a data URL, so that the picture is never stored in a file. */
export function jpeg(bytes: string): string {
  return `data:image/jpeg;base64,${bytes}`
}
