/** Keeps the screen on as long as the page is seen. A browser that cannot do it works as before. */
export function stayAwake(): void {
  const ask = () => {
    if (!document.hidden) navigator.wakeLock?.request('screen').catch(() => {}) // a low battery may refuse
  }
  document.addEventListener('visibilitychange', ask) // the lock ends when the page is hidden
  ask()
}

/** Takes the whole screen; only within a touch. An installed kiosk has it already. */
export function fillScreen(): void {
  if (document.fullscreenElement !== null || matchMedia('(display-mode: fullscreen)').matches) return
  document.documentElement.requestFullscreen?.().catch(() => {}) // a device may not allow it
}
