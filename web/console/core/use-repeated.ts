import { useEffect, useRef } from 'preact/hooks'

/** Repeats work while the page is visible, and runs it once more when the page becomes visible again. */
export function useRepeated(milliseconds: number, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    const tick = () => document.visibilityState === 'visible' && latest.current()
    const timer = setInterval(tick, milliseconds)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [milliseconds])
}
