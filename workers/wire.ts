import { transferHandlers } from 'comlink'
import type { ProblemCode } from '#shared/contract/problem-codes.ts'
import { Problem } from '#shared/problem.ts'

interface Thrown {
  readonly value: unknown
}

interface Carried {
  readonly problem?: { code: ProblemCode; detail: string }
  readonly error?: string
}

/** Lets a Problem cross to the other side with its code; any other error arrives with its message alone. */
export function carryProblems(): void {
  const standard = transferHandlers.get('throw')!
  transferHandlers.set('throw', {
    canHandle: standard.canHandle,
    serialize: ({ value }: Thrown): [Carried, never[]] => [pack(value), []],
    deserialize: (carried: Carried) => {
      throw unpack(carried)
    },
  } as never)
}

function pack(value: unknown): Carried {
  if (value instanceof Problem) return { problem: { code: value.code, detail: value.message } }
  return { error: value instanceof Error ? value.message : String(value) }
}

function unpack({ problem, error }: Carried): Error {
  return problem === undefined ? new Error(error) : new Problem(problem.code, problem.detail)
}
