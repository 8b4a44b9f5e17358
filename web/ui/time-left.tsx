import { useEffect, useState } from 'preact/hooks'
import { steadyNow } from '#web/ui/steady-now.ts'
import { fill } from '#web/wording/fill.ts'

interface TimeLeftProps {
  /** Contains the `{time}` placeholder. */
  readonly text: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** The remaining minutes and seconds, updated every second. Screen readers do not announce it, because nothing is lost at the end. */
export function TimeLeft({ text, until }: TimeLeftProps) {
  const [now, setNow] = useState(steadyNow())
  useEffect(() => {
    const timer = setInterval(() => setNow(steadyNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <p class="clock" role="timer" aria-live="off">
      {fill(text, { time })}
    </p>
  )
}
