import { afterEach, expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { useQueue } from '#web/console/review/use-queue.ts'
import { type RunHook, runHook, settled, toolsWith } from '../run-hook.ts'

type Answer = { reviewedAt: string }

let run: RunHook<Parameters<typeof useQueue>[0], ReturnType<typeof useQueue>>
afterEach(() => run.end())

/** A queue with a, b, c and d. Reviews are answered when the test tells it to. */
async function queue() {
  const answers: {
    id: string
    note?: string
    done: (answer: Answer) => void
    fail: (why: unknown) => void
  }[] = []
  const taken = { by: 'Bob', decision: 'Fail', note: null, reviewedAt: 'then' }
  let back: (() => void) | undefined
  const given: object[] = []
  const configuration = {
    getSessions: async ({ verificationSessionId }: { verificationSessionId?: string }) => ({
      sessions: (verificationSessionId === undefined ? ['a', 'b', 'c', 'd'] : [verificationSessionId]).map(
        (id) => ({
          verificationSessionId: id,
          review: verificationSessionId === undefined ? null : taken,
        }),
      ),
      cursor: null,
    }),
    getSecondOpinions: async () => ({
      sessions: [{ verificationSessionId: 's' }, { verificationSessionId: 't' }],
    }),
    giveSecondOpinion: (body: object) => {
      given.push(body)
      return Promise.resolve({ givenAt: 'now' })
    },
    reviewSession: ({ verificationSessionId: id, note }: { verificationSessionId: string; note?: string }) =>
      new Promise((done, fail) => void answers.push({ id, ...(note !== undefined && { note }), done, fail })),
    undoReview: () =>
      new Promise<void>((done) => {
        back = done
      }),
  }
  run = runHook(useQueue, { withPassed: false, isMine: false, isSecond: false }, toolsWith({ configuration }))
  await vi.waitFor(() => expect(shown()).toBe('a'))
  return { answers, given, goBack: () => back!() }
}

const shown = () => run.now.session?.verificationSessionId
test('during a decision the view does not move, and its answer brings the next one', async () => {
  const { answers } = await queue()
  void run.now.decide('Pass')
  await settled()
  run.now.move(1)
  await settled()
  expect(shown()).toBe('a')
  answers[0]!.done({ reviewedAt: 'now' })
  await settled()
  expect([shown(), run.now.at, run.now.decided?.id]).toEqual(['b', 0, 'a'])
})

test('a note stays with its session', async () => {
  const { answers } = await queue()
  run.now.setNote('of a')
  await settled()
  run.now.move(1)
  await settled()
  expect([shown(), run.now.note]).toEqual(['b', ''])
  run.now.setNote('of b')
  await settled()
  run.now.move(-1)
  await settled()
  expect([shown(), run.now.note]).toEqual(['a', 'of a'])
  void run.now.decide('Fail')
  await settled()
  answers[0]!.done({ reviewedAt: 'now' })
  await settled()
  expect(answers[0]).toMatchObject({ id: 'a', note: 'of a' })
  expect([shown(), run.now.note]).toEqual(['b', 'of b'])
})

test('another person’s decision is reported for that session only, which then leaves', async () => {
  const { answers } = await queue()
  void run.now.decide('Pass')
  await settled()
  answers[0]!.fail(new Problem('already_reviewed', 'Somebody was faster.'))
  await settled()
  expect([shown(), run.now.faster?.by]).toEqual(['a', 'Bob'])
  run.now.move(1)
  await settled()
  expect([shown(), run.now.faster]).toEqual(['b', undefined])
  run.now.move(-1)
  await settled()
  expect(shown()).toBe('b')
})

test('a decision that is taken back returns to view with the unchanged queue', async () => {
  const { answers, goBack } = await queue()
  run.now.move(1)
  await settled()
  void run.now.decide('Pass')
  await settled()
  answers[0]!.done({ reviewedAt: 'now' })
  await settled()
  expect(shown()).toBe('c')
  void run.now.undo()
  await settled()
  goBack()
  await settled()
  expect([shown(), run.now.at]).toEqual(['b', 1])
})

test('a second opinion is given for the session that is shown, and is no decision', async () => {
  const { answers, given } = await queue()
  expect(run.now.seconds).toBe(2)
  run.give({ withPassed: false, isMine: false, isSecond: true })
  await vi.waitFor(() => expect(shown()).toBe('s'))
  await run.now.decide('Fail')
  await settled()
  expect(given).toEqual([{ verificationSessionId: 's', decision: 'Fail' }])
  expect([shown(), run.now.seconds, run.now.decided, answers]).toEqual(['t', 1, undefined, []])
})
