/** All hints, most important first. Only the first one that applies is shown. */
export const hints = [
  'onePerson',
  'tooDark',
  'showFace',
  'back',
  'intoPicture',
  'closer',
  'toLeft',
  'toRight',
  'up',
  'down',
  'toLight',
  'backlight',
  'tooBright',
  'visible',
  'straight',
  'upright',
  'still',
] as const
export type Hint = (typeof hints)[number]

/** Hints for an action that is overdone or that the camera cannot see starting. Each one describes what the camera sees. */
export type ActingHint =
  | 'otherWay'
  | 'farEnough'
  | 'headStraight'
  | 'chinLevel'
  | 'eyesOpen'
  | 'noSmile'
  | 'notCloser'

/** Problems with the camera, browser or network whose wording names both the cause and the remedy. */
const surroundings = ['noPicture', 'smallPicture', 'hiddenPictures', 'noWebAssembly', 'slowNetwork'] as const
export type SurroundingProblem = (typeof surroundings)[number]

/** Why there is no camera picture, in enough detail to suggest a remedy. */
export const cameraCauses = [
  ...surroundings,
  'blocked',
  'dismissed',
  'blockedBySystem',
  'embedded',
  'unsupportedApp',
  'noCamera',
  'inUse',
  'stopped',
  'away',
  'reconnected',
  'oldBrowser',
  'notLoaded',
  'wrongFile',
  'tooSlow',
] as const
export type CameraCause = (typeof cameraCauses)[number]

/** True if the wording has a `surroundings` entry for this cause. */
export function isSurrounding(cause: CameraCause): cause is SurroundingProblem {
  return (surroundings as readonly CameraCause[]).includes(cause)
}

/** Picture problems that are explained to the person. */
export const captureFaults = [
  'dark',
  'bright',
  'blurred',
  'far',
  'turned',
  'covered',
  'several',
  'absent',
] as const
export type CaptureFault = (typeof captureFaults)[number]

/** Advice for the next try. */
export const tips = ['light', 'size', 'blur', 'steps'] as const
export type Tip = (typeof tips)[number]

/** Why a link or address cannot be opened. */
export type LinkProblem = 'missing' | 'wrong' | 'gone' | 'tooMany' | 'unreachable' | 'finished'
