import type { Page } from '@playwright/test'

/** How the page overflows: horizontal scrolling, or text outside its container or the window. */
export async function overflowsOf(page: Page): Promise<string[]> {
  return page.evaluate(findOverflows)
}

/** The same check as a function that runs inside any browser's page. */
export function findOverflows(): string[] {
  const faults: string[] = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push(`scrolls sideways: ${root.scrollWidth} > ${innerWidth}`)
  for (const element of document.querySelectorAll<HTMLElement>('h1, p, dt, dd, li, .button, .hint, .mark')) {
    const { left, right } = element.getBoundingClientRect()
    const text = element.innerText.trim().slice(0, 40)
    if (text === '') continue
    if (left < -0.5 || right > innerWidth + 0.5) faults.push(`is outside the window: ${text}`)
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
      faults.push(`overflows its container: ${text}`)
  }
  return faults
}
