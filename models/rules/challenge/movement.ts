import type { Action } from '#shared/contract/sessions/session.ts'

/** What a person may do: the actions, and looking down, which is never asked and is a movement all the same. */
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

/** Whether a movement is one of the head. */
export function turnsTheHead(movement: Movement): boolean {
  return (headMovements as readonly Movement[]).includes(movement)
}

/** Movements that speak against an asked one: those of the head, other than it. A smile or a blink happens to anyone. */
export function contradicts(movement: Movement, asked: Action): boolean {
  return movement !== asked && turnsTheHead(movement)
}
