import { describe, expect, test } from 'vitest'
import type { Analysis } from '#models/rules/analysis.ts'
import { createAnalysisPool, type RunningWorker } from '#server/features/analysis/pool.ts'
import type { Piece } from '#workers/api.ts'

/** A worker with jobs that end when the test tells them to. */
function createFakeWorkers() {
  const jobs: { picture: number; done: () => void; pause: () => void }[] = []
  const dropped: number[] = []
  const workers: { die: () => void; stopped: boolean }[] = []
  const work = (picture: number) =>
    new Promise<Piece>((tell) =>
      jobs.push({
        picture,
        done: () => tell({ analysis: { width: picture } as Analysis }),
        pause: () => tell({ rest: picture }),
      }),
    )
  const startWorker = (): RunningWorker => {
    let die = () => {}
    const failed = new Promise<Error>((settle) => {
      die = () => settle(new Error('died'))
    })
    const worker = { die, stopped: false }
    workers.push(worker)
    return {
      api: {
        prepare: async () => {},
        begin: (picture) => work(picture[0]!),
        goOn: (rest) => work(rest),
        drop: async (rest) => void dropped.push(rest),
      },
      failed,
      stop: async () => {
        worker.stopped = true
      },
    }
  }
  return { jobs, workers, dropped, startWorker }
}

function start(threads = 1, pieceTimeoutInMilliseconds = 60_000, patienceInMilliseconds = 60_000) {
  const fake = createFakeWorkers()
  const pool = createAnalysisPool({
    threads,
    startWorker: fake.startWorker,
    pieceTimeoutInMilliseconds,
    // As if a picture had kept the processor busy the whole time.
    usedMilliseconds: () => performance.now(),
    patienceInMilliseconds,
    onFailure: () => {},
    now: () => fake.jobs.length,
  })
  const analyse = (picture: number, signal = new AbortController().signal, accountId = 'a') => {
    const answer = pool.analyse(Uint8Array.of(picture), {}, { accountId, signal })
    // Some tests abandon pictures that only time out long after the test.
    answer.catch(() => undefined)
    return answer
  }
  const analyseFor = (accountId: string, picture: number) => analyse(picture, undefined, accountId)
  const flood = (accountId: string, count: number) => {
    for (let i = 0; i < count; i++) void analyseFor(accountId, i)
  }
  return { ...fake, pool, analyse, analyseFor, flood }
}

const tick = () => new Promise((done) => setTimeout(done, 5))

describe('the analysis pool', () => {
  test('gives each worker one picture at a time, in order', async () => {
    const { analyse, jobs } = start(2)
    const answers = [1, 2, 3, 4].map((picture) => analyse(picture))
    await tick()
    expect(jobs.map(({ picture }) => picture)).toEqual([1, 2])
    jobs[1]!.done()
    await tick()
    expect(jobs.map(({ picture }) => picture)).toEqual([1, 2, 3])
    jobs[0]!.done()
    jobs[2]!.done()
    await tick()
    jobs[3]!.done()
    expect((await Promise.all(answers)).map(({ width }) => width)).toEqual([1, 2, 3, 4])
  })

  const busy = { code: 'overloaded', retryAfterInSeconds: 2 }

  test('answers overloaded to an account that holds half of the places, and still accepts another', async () => {
    const { analyseFor, flood, jobs } = start()
    flood('flood', 33)
    await tick()
    await expect(analyseFor('flood', 33)).rejects.toMatchObject(busy)
    const quiet = analyseFor('quiet', 99)
    jobs[0]!.done()
    await tick()
    jobs[1]!.done()
    await tick()
    jobs[2]!.done()
    expect((await quiet).width).toBe(99)
  })

  test('has a place for an account that waits for nothing yet, even when all are taken', async () => {
    const { analyseFor, flood, jobs } = start()
    flood('a', 33)
    flood('b', 32)
    await tick()
    const quiet = analyseFor('c', 99)
    await expect(analyseFor('c', 0)).rejects.toMatchObject(busy)
    for (let i = 0; i < 3; i++) {
      jobs[i]!.done()
      await tick()
    }
    expect(jobs.map(({ picture }) => picture)).toContain(99)
    jobs[jobs.length - 1]!.done()
    for (const job of jobs) job.done()
    expect((await quiet).width).toBe(99)
  })

  test('answers overloaded to every account when twice the number wait', async () => {
    const { analyseFor } = start()
    for (let i = 0; i < 129; i++) void analyseFor(String(i), i)
    await tick()
    await expect(analyseFor('one more', 0)).rejects.toMatchObject(busy)
  })

  test('lets the accounts take turns, each in its own order', async () => {
    const { analyseFor, jobs } = start()
    for (const picture of [1, 2, 3, 4]) void analyseFor('a', picture)
    for (const picture of [11, 12]) void analyseFor('b', picture)
    void analyseFor('c', 21)
    for (let i = 0; i < 7; i++) {
      await tick()
      jobs[i]!.done()
    }
    expect(jobs.map(({ picture }) => picture)).toEqual([1, 11, 21, 2, 12, 3, 4])
  })

  test('answers overloaded to a picture that has waited too long', async () => {
    const { analyse, jobs } = start(1, 60_000, 20)
    const working = analyse(0)
    await expect(analyse(1)).rejects.toMatchObject(busy)
    jobs[0]!.done()
    expect((await working).width).toBe(0)
    const next = analyse(2)
    await tick()
    jobs[1]!.done()
    expect((await next).width).toBe(2)
  })

  test('frees the place of a client that hangs up', async () => {
    const { analyse, jobs } = start()
    void analyse(0)
    const gone = new AbortController()
    const waiting = Array.from({ length: 8 }, (_, i) => analyse(i + 1, gone.signal).catch(() => 'gone'))
    await tick()
    gone.abort()
    expect(await Promise.all(waiting)).toEqual(Array(8).fill('gone'))
    const next = analyse(9)
    jobs[0]!.done()
    await tick()
    jobs[1]!.done()
    expect((await next).width).toBe(9)
  })

  test('keeps the worker busy until the job of a client that hung up is over', async () => {
    const { analyse, jobs } = start()
    const gone = new AbortController()
    const first = analyse(0, gone.signal).catch(() => 'gone')
    await tick()
    gone.abort()
    expect(await first).toBe('gone')
    void analyse(1)
    await tick()
    expect(jobs).toHaveLength(1)
    jobs[0]!.done()
    await tick()
    expect(jobs).toHaveLength(2)
  })

  test('lets no later picture pass those that wait', async () => {
    const { analyse, jobs } = start()
    const answers = [analyse(0), analyse(1)]
    await tick()
    jobs[0]!.done()
    answers.push(answers[0]!.then(() => analyse(2)))
    await tick()
    jobs[1]!.done()
    await tick()
    jobs[2]!.done()
    expect((await Promise.all(answers)).map(({ width }) => width)).toEqual([0, 1, 2])
    expect(jobs.map(({ picture }) => picture)).toEqual([0, 1, 2])
  })

  test('replaces a worker that died, and fails only the job it had', async () => {
    const { analyse, jobs, workers } = start()
    const lost = analyse(0).catch((error: Error) => error.message)
    const next = analyse(1)
    await tick()
    workers[0]!.die()
    expect(await lost).toBe('died')
    await tick()
    expect(workers).toHaveLength(2)
    jobs[1]!.done()
    expect((await next).width).toBe(1)
  })

  test('ends a worker that takes too long over a picture', async () => {
    const { analyse, workers } = start(1, 10)
    await expect(analyse(0)).rejects.toMatchObject({ code: 'unreadable_image' })
    expect(workers[0]!.stopped).toBe(true)
  })

  test('lets another account run between the faces of a picture, and continues with it afterwards', async () => {
    const { analyseFor, jobs } = start()
    const crowd = analyseFor('flood', 1)
    void analyseFor('flood', 2)
    await tick()
    const quiet = analyseFor('quiet', 99)
    jobs[0]!.pause()
    await tick()
    expect(jobs.map(({ picture }) => picture)).toEqual([1, 99])
    jobs[1]!.done()
    expect((await quiet).width).toBe(99)
    await tick()
    expect(jobs.map(({ picture }) => picture)).toEqual([1, 99, 1])
    jobs[2]!.done()
    expect((await crowd).width).toBe(1)
  })

  test('continues at once with a picture if no other waits', async () => {
    const { analyse, jobs } = start()
    const crowd = analyse(1)
    await tick()
    jobs[0]!.pause()
    await tick()
    jobs[1]!.done()
    expect((await crowd).width).toBe(1)
  })

  test('forgets the rest of a picture whose client hung up, and gives its worker to the next', async () => {
    const { analyse, jobs, dropped } = start()
    const gone = new AbortController()
    const crowd = analyse(1, gone.signal).catch(() => 'gone')
    const next = analyse(2, undefined, 'b')
    await tick()
    gone.abort()
    expect(await crowd).toBe('gone')
    jobs[0]!.pause()
    await tick()
    expect(dropped).toEqual([1])
    jobs[1]!.done()
    expect((await next).width).toBe(2)
  })

  test('asks for a retry of a picture that waited in a worker that another one ended', async () => {
    const { analyseFor, jobs } = start(1, 30)
    const crowd = analyseFor('a', 1)
    await tick()
    const hanging = analyseFor('b', 2)
    jobs[0]!.pause()
    await expect(hanging).rejects.toMatchObject({ code: 'unreadable_image' })
    await expect(crowd).rejects.toMatchObject(busy)
  })

  test('limits the time that a picture holds a worker at a stretch, not that of all its faces', async () => {
    const { analyse, jobs } = start(1, 40)
    const crowd = analyse(1)
    for (let i = 0; i < 4; i++) {
      await new Promise((over) => setTimeout(over, 20))
      jobs[i]!.pause()
      await tick()
    }
    jobs[4]!.done()
    expect((await crowd).width).toBe(1)
  })
})
