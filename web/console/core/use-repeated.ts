import { useEffect, useRef } from 'preact/hooks'

/** Does something again and again while the page is looked at, and once more when somebody comes back to it. */
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
