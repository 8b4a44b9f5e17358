import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { shootScreens, writePicture } from './write-picture.ts'

const size = { width: 390, height: 844 }
const shown = { width: 296, height: 640 }
const gap = 18

/** Three of the check's screens on a phone, side by side. */
export async function drawCheck(browser: Browser): Promise<string> {
  const screens = await shootScreens(browser, size, ['consent', 'action-turnLeft', 'passed'])
  const small = await Promise.all(screens.map((screen) => sharp(screen).resize(shown).png().toBuffer()))
  const pieces = small.map((input, index) => ({ input, left: gap + index * (shown.width + gap), top: gap }))
  const width = small.length * (shown.width + gap) + gap
  return writePicture('check.png', { width, height: shown.height + 2 * gap, pieces }, width)
}
