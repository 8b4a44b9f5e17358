import type { Action } from '#shared/contract/sessions/session.ts'

/** The movements we recognise: all actions, plus looking down, which is never requested. */
export const movements = [
  'turnLeft',
  'turnRight',
  'lookUp',
  'lookDown',
  'smile',
  'blink',
  'comeCloser',
] as const satisfies readonly (Action | 'lookDown')[]
export type Movement = (typeof movements)[number]

export const headMovements = ['turnLeft', 'turnRight', 'lookUp', 'lookDown'] as const satisfies Movement[]

/** True if the movement turns or tilts the head. */
export function turnsTheHead(movement: Movement): boolean {
  return (headMovements as readonly Movement[]).includes(movement)
}

/** True if a movement contradicts the requested one, i.e. it is a different head movement. Smiles and blinks are ignored. */
export function contradicts(movement: Movement, asked: Action): boolean {
  return movement !== asked && turnsTheHead(movement)
}
