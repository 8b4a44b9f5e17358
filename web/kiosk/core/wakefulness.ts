/** Keeps the screen on while the page is visible, if the browser supports it. */
export function stayAwake(): void {
  const ask = () => {
    if (!document.hidden) navigator.wakeLock?.request('screen').catch(() => {}) // may be refused on low battery
  }
  document.addEventListener('visibilitychange', ask) // the lock is released when the page is hidden
  ask()
}

/** Enters full screen. Works only during a touch; an installed kiosk is already in full screen. */
export function fillScreen(): void {
  if (document.fullscreenElement !== null || matchMedia('(display-mode: fullscreen)').matches) return
  document.documentElement.requestFullscreen?.().catch(() => {}) // not supported on every device
}
