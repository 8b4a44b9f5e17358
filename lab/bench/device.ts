import { readFile } from 'node:fs/promises'
import { refuse } from '../../build/usage.ts'
import { type DeviceFacts, findingsOf, type Speed } from '../../shared/browsers/device-report.ts'

/** `npm run bench -- device --report FILE`: prints a report of `/check-device` as text and as figures. */
export async function benchDevice({
  report,
}: {
  report?: string | undefined
}): Promise<Record<string, number>> {
  if (report === undefined) return refuse('device needs --report FILE, a report of /check-device.')
  const facts = readReport(await readFile(report, 'utf8').catch(() => refuse(`${report} cannot be read.`)))
  const lines = [['Browser', facts.browser], ['In the app', facts.insideApp ?? 'none'], ...findingsOf(facts)]
  for (const [question, found] of lines) console.log(`${question}: ${found}`)
  return figuresOf(facts)
}

/** Parses a report that a user sent. Throws if it is not in the right format. */
export function readReport(text: string): DeviceFacts {
  try {
    const facts = JSON.parse(text) as Partial<DeviceFacts> | null
    const isOne = facts?.version === 1 && typeof facts.browser === 'string' && facts.needs !== undefined
    if (isOne && facts.storage !== undefined) return facts as DeviceFacts
  } catch {
    // read by name below
  }
  return refuse('This is no report of /check-device.')
}

/** All numbers in a report, named in the same way as other benches' figures. */
export function figuresOf({ camera, speed, memoryGigabytes, processors, storage }: DeviceFacts) {
  const measured: Record<string, number | null | undefined> = {
    'device.processors': processors,
    'device.memoryGigabytes': memoryGigabytes,
    'device.storageMegabytes': storage.quotaMegabytes,
    'device.cameraWidth': camera?.width,
    'device.cameraHeight': camera?.height,
    'device.camerasPicturesPerSecond': camera?.measuredRate ?? camera?.promisedRate,
    ...(speed !== null && prefixed(speedFigures(speed))),
  }
  const known = Object.entries(measured).filter((one): one is [string, number] => typeof one[1] === 'number')
  return Object.fromEntries(known)
}

function prefixed(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`device.${name}`, value]))
}

/** A report's speed figures. Reports from before stages were measured have none. */
export function speedFigures(
  speed: Omit<Speed, 'stages' | 'quickest'> & Partial<Speed>,
): Record<string, number> {
  const { firstAnalysis, medianPerPicture, stages = {}, quickest = {} } = speed
  const named = (times: Readonly<Record<string, number>>, end: string) =>
    Object.entries(times).map(([stage, milliseconds]) => [`${stage}.${end}`, milliseconds] as const)
  return {
    msToFirstAnalysis: firstAnalysis,
    medianMsPerFrame: medianPerPicture,
    ...Object.fromEntries([...named(stages, 'medianMs'), ...named(quickest, 'leastMs')]),
  }
}
