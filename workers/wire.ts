import { type TransferHandler, transferHandlers } from 'comlink'
import { Problem } from '#shared/problem.ts'
import type { ProblemCode } from '#shared/problem-codes.ts'

interface ThrownValue {
  readonly value: unknown
}

interface CarriedError {
  readonly problem?: { code: ProblemCode; detail: string }
  readonly error?: { name: string; message: string }
}

/** Passes a Problem to the other side with its code; other errors arrive with name and message. */
export function carryProblems(): void {
  const standard = transferHandlers.get('throw')!
  const carrying: TransferHandler<ThrownValue, CarriedError> = {
    canHandle: (value): value is ThrownValue => standard.canHandle(value),
    serialize: ({ value }) => [pack(value), []],
    deserialize: (carried) => {
      throw unpack(carried)
    },
  }
  transferHandlers.set('throw', carrying)
}

function pack(value: unknown): CarriedError {
  if (value instanceof Problem) return { problem: { code: value.code, detail: value.message } }
  const { name, message } = value instanceof Error ? value : new Error(String(value))
  return { error: { name, message } }
}

function unpack({ problem, error }: CarriedError): Error {
  if (problem !== undefined) return new Problem(problem.code, problem.detail)
  return Object.assign(new Error(error?.message), { name: error?.name ?? 'Error' })
}
