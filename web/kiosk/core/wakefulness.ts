/** Keeps the screen on while the page is visible, if the browser supports it. */
export function stayAwake(): void {
  const ask = () => {
    if (!document.hidden) navigator.wakeLock?.request('screen').catch(() => {}) // may be refused when the battery is low
  }
  document.addEventListener('visibilitychange', ask) // the browser releases the lock when the page is hidden
  ask()
}

/** Enters full screen. This only works during a touch. An installed kiosk is already in full screen. */
export function fillScreen(): void {
  if (document.fullscreenElement !== null || matchMedia('(display-mode: fullscreen)').matches) return
  document.documentElement.requestFullscreen?.().catch(() => {}) // not every device supports this
}
