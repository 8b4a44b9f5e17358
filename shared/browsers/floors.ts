/** The three engine families. All browsers on iOS and iPadOS belong to Safari's. */
export const engines = ['chromium', 'firefox', 'safari'] as const
export type Engine = (typeof engines)[number]

interface Floor {
  /** The oldest version that is supported. */
  readonly version: string
  /** The browsers that use this engine. */
  readonly browsers: string
  readonly reason: string
}

/** [Note: Floors] The oldest browsers that a check must support. Styles target them, the build is checked against them, and the page lists them. */
export const floors: Readonly<Record<Engine, Floor>> = {
  chromium: {
    version: '109',
    browsers: 'Chrome, Edge, Opera, Samsung Internet and other browsers made of Chromium',
    reason: 'the last for Windows 7 and 8.1',
  },
  firefox: {
    version: '115',
    browsers: 'Firefox, on a desk and on Android',
    reason:
      'the last for Windows 7 and 8.1 and macOS 10.12 to 10.14; the first long-lived one with module workers',
  },
  safari: {
    version: '16.4',
    browsers: 'Safari, and every browser of iOS and iPadOS',
    reason: 'the first with SIMD in WebAssembly and canvases in workers',
  },
}

/** A platform feature that a check requires or can make use of. */
interface Feature {
  readonly name: string
  readonly purpose: string
  /** The first version of each engine that supports the feature, or null if none does. */
  readonly since: Readonly<Record<Engine, string | null>>
}

export const abilities = ['simd', 'moduleWorker', 'worker', 'imageBitmap', 'mediaDevices'] as const
/** An ability that is checked before the link is used up. */
export type Ability = (typeof abilities)[number]

/** Required abilities. A check cannot run without them. */
export const needs: Readonly<Record<Ability, Feature>> = {
  simd: {
    name: 'WebAssembly with SIMD',
    purpose: 'the networks that guide the person',
    since: { chromium: '91', firefox: '89', safari: '16.4' },
  },
  moduleWorker: {
    name: 'Workers that are modules',
    purpose: 'the networks run next to the page, which stays responsive',
    since: { chromium: '80', firefox: '114', safari: '15' },
  },
  worker: {
    name: 'Canvases in workers (`OffscreenCanvas`)',
    purpose: 'pictures are read and packed there',
    since: { chromium: '69', firefox: '105', safari: '16.4' },
  },
  imageBitmap: {
    name: '`createImageBitmap` with a size',
    purpose: 'the camera’s pictures reach the worker',
    since: { chromium: '59', firefox: '98', safari: '15' },
  },
  mediaDevices: {
    name: '`getUserMedia`, over https or on this machine',
    purpose: 'the camera; apps that show pages inside themselves often lack it',
    since: { chromium: '53', firefox: '36', safari: '11' },
  },
}

export const comforts = ['serviceWorker', 'passkeys', 'wakeLock', 'storageEstimate'] as const
/** An ability that a browser may lack. */
export type Comfort = (typeof comforts)[number]

interface ComfortFeature extends Feature {
  readonly without: string
}

/** Optional abilities. A check works without them. */
export const wishes: Readonly<Record<Comfort, ComfortFeature>> = {
  serviceWorker: {
    name: 'Service workers',
    purpose: 'pages open without a network',
    since: { chromium: '45', firefox: '44', safari: '11.1' },
    without: 'a visit needs the network throughout, and a kiosk cannot be set up',
  },
  passkeys: {
    name: 'Passkeys (`PublicKeyCredential`)',
    purpose: 'assurance `high`, and signing in to the console',
    since: { chromium: '67', firefox: '60', safari: '13' },
    without: '`high` is not reached; the console is entered with an address that lets one in once',
  },
  wakeLock: {
    name: 'Screen wake lock',
    purpose: 'a kiosk’s screen stays lit',
    since: { chromium: '84', firefox: '126', safari: '16.4' },
    without: 'the device’s own setting must keep the screen lit',
  },
  storageEstimate: {
    name: '`navigator.storage.estimate`',
    purpose: 'a kiosk knows how much room is left',
    since: { chromium: '61', firefox: '57', safari: '17' },
    without: 'a kiosk finds out when it saves',
  },
}

/**
 * [Note: Old browsers get a message] The oldest browsers that can parse the pages. They cannot run the check, but a page that they could
 * not parse would stay blank instead of saying so. Older ones are excluded: private fields would be lowered to maps, even in loops over pixels.
 */
export const readers: Readonly<Record<Engine, string>> = { chromium: '91', firefox: '90', safari: '16' }

/** True if `version` is the same as `least` or newer. */
export function isSince(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major === leastMajor ? minor >= leastMinor : major > leastMajor
}

const builders: Readonly<Record<Engine, string>> = {
  chromium: 'chrome',
  firefox: 'firefox',
  safari: 'safari',
}

/** Converts versions to the notation that the build uses. */
export function buildTargets(versions: Readonly<Record<Engine, string>>): string[] {
  return engines.map((engine) => `${builders[engine]}${versions[engine]}`)
}

/** Each engine's minimum version. */
export function floorVersions(): Readonly<Record<Engine, string>> {
  const { chromium, firefox, safari } = floors
  return { chromium: chromium.version, firefox: firefox.version, safari: safari.version }
}
