import type { Action } from '#shared/contract/sessions/session.ts'

/** Recognised movements: the actions, and looking down, which is never requested. */
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

/** True for a movement of the head. */
export function turnsTheHead(movement: Movement): boolean {
  return (headMovements as readonly Movement[]).includes(movement)
}

/** Movements that contradict a requested one: other movements of the head. A smile or a blink is ignored. */
export function contradicts(movement: Movement, asked: Action): boolean {
  return movement !== asked && turnsTheHead(movement)
}
