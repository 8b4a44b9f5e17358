import type { Page } from '@playwright/test'

/** What does not fit into the page: it scrolls sideways, or words stand beyond what holds them or beyond the window. */
export async function overflowsOf(page: Page): Promise<string[]> {
  return page.evaluate(findOverflows)
}

/** The same, run in the page of any browser. */
export function findOverflows(): string[] {
  const faults: string[] = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push(`scrolls sideways: ${root.scrollWidth} > ${innerWidth}`)
  for (const element of document.querySelectorAll<HTMLElement>('h1, p, dt, dd, li, .button, .hint, .mark')) {
    const { left, right } = element.getBoundingClientRect()
    const text = element.innerText.trim().slice(0, 40)
    if (text === '') continue
    if (left < -0.5 || right > innerWidth + 0.5) faults.push(`stands beyond the window: ${text}`)
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
      faults.push(`is wider than its place: ${text}`)
  }
  return faults
}
