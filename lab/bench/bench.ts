import { writeFile } from 'node:fs/promises'
import { printNumbers } from '#lab/evaluate/print.ts'
import { oneOf, readWords } from '../../build/usage.ts'
import type { EverybodyOptions } from './acted/everybody.ts'
import type { CallOptions } from './calls/calls.ts'
import type { PipelineOptions } from './pipeline.ts'
import type { SearchOptions } from './search.ts'
import type { WeakLinkOptions } from './weak-link/weak-link.ts'

const usage = `Usage: npm run bench -- NAME [--json FILE]

Measures on this machine, prints the figures, and writes them to FILE as one flat object of numbers.

  NAME   acted           who is accepted after 1, 3 and 5 tries, acted by footage (ACTED_VISITORS=20 for more, ACTED_ACTS=live,replay),
                         and living people in the page (ACTED_LIVING=5 for more, ACTED_ACTS=living for them alone)
         api             requests per second of what integrators call most, beside a bare route of the framework
         browsers        the first analysis, a picture by stages and a visit in Chromium, Firefox and WebKit, as far as they are installed
         calls           every analysis endpoint over HTTP, one call and four at a time, by size of the picture, beside another library
                         [--sizes 640x480,group] [--only detectFaces,getAge] [--calls 15] [--former FOLDER of an earlier build]
         capture         the capture page: bytes, time to the first analysis, cost of a frame, time to the verdict
         codes           how far the codes that PostgreSQL scans spread for real pairs of faces, over what the bounds of a search rest on [--data FOLDER]
         console         pages of get-sessions among 100,000 sessions while others come in, with every filter: through the console,
                         beside a million faces, and by the handler alone
         cues            what light and surroundings tell living people from their own pictures, moved [--data FOLDER of sets]
         device          what a report of /check-device says: --report FILE
         everybody       everybody living whose clips act, from three distances in two lights, going where the page's hints say: who finishes
                         within three tries, and which hints the picture contradicts [--people N] [--only usual/usual]; goes on where it was ended, unless --fresh
         film-memory     how often a film that was encoded anew is recognised, and one that is honest is taken for a repeat [--data FOLDER of sets]
         first-hour      seconds from a clone to the first webhook, by the program of the README and by the one in Python (targets: 90 and 180)
         kernel          the page's networks with and without relaxed instructions, which WebKit lacks
         kiosk           how long a kiosk takes to answer without its server (BENCH_KIOSK_VISITS=10)
         left-behind     what calls without a credential leave in a Redis server, for how long, and the most of one address; and 1,200 of them
                         against a Redis of 100 MB
         openid          sign-ins at the OpenID provider, up to a code that is redeemed: memory over 10,000 of them (BENCH_OPENID_CODES=1000 for fewer), and what a start takes without and with the provider
         pace            how long instructions stand, for people who hurry and who take their time (PACE_ROUNDS=5 for more)
         perspective     what coming nearer tells living people from pictures that are enlarged [--data FOLDER of sets]
         picture-memory  looking a picture up among ten thousand
         page-thread     what the page's own thread does for a picture, by Chromium's trace (BENCH_THREAD_VISITS=5) [--former FOLDER of another build]
         pipeline        pictures per second of the server's pipeline, beside its networks alone and another library
                         [--pack PACK], which is standard where not given
         processes       what creating and completing a session takes of the processor with one and with three processes on one Redis server
                         (BENCH_STORE=postgres for three on PostgreSQL, BENCH_FORMER=FOLDER beside another build)
         precision       what smaller weights save and cost (SELFSAME_PICTURES names a folder of pictures with a face each)
         search          searches among people: [--sizes 10k,100k,1M] [--rivals product,fullScan] [--load SIZES or none]
                         [--index postgres [--servers N]] for the index on PostgreSQL servers beside that in memory
                         [--index moved] for a move there and back while calls go on
                         [--data FOLDER], which is ../shared/data/recognition/lfw where not given
         resent-pictures how often pictures that were encoded anew are recognised, and honest ones taken for them [--data FOLDER of sets]
         sessions-list   pages of get-sessions among sessions of 400 days [--sizes postgres=5M,lmdb=1M,redis=200k]
         stalls          how long the main thread is busy at a time, and health checks wait, during each large read
                         [--sizes sessions=20k,audit=100k,faces=20k,deliveries=20k,pictures=1k] [--only usage,refused]
         start           how long a start takes with a short and a long audit log [--sizes 1k,5M or none], and by npm beside Node alone
         store-size      what a session and a face take in each store, for a week and for ever, and how often it is asked
         weak-link       visits over networks of 1.6 and 5 Mbit/s, with an empty cache: the consent screen, "a face or none", the points of a face, and
                         who passes (BENCH_LINK_VISITS=6) [--only 1.6,5] [--former FOLDER of another build, measured in turn]
         slow            visits on devices that are 4 and 6 times slower: the first hint, pictures looked at and filmed a second, the time (SLOW_ROUNDS=5 for more)

What looks at the built product wants it built: npm run build.`

type Options = SearchOptions &
  PipelineOptions &
  EverybodyOptions &
  CallOptions &
  WeakLinkOptions & { report?: string | undefined }
type Bench = (options: Options) => Promise<Record<string, number>>

/** Each is loaded when it is asked for: between them they load every runtime there is. */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  acted: async () => (await import('./acted.ts')).benchActed,
  api: async () => (await import('./api.ts')).benchApi,
  browsers: async () => (await import('./browsers.ts')).benchBrowsers,
  calls: async () => (await import('./calls/calls.ts')).benchCalls,
  capture: async () => (await import('./capture.ts')).benchCapture,
  codes: async () => (await import('./face-servers/codes.ts')).benchCodes,
  console: async () => (await import('./console.ts')).benchConsole,
  cues: async () => (await import('./cues.ts')).benchCues,
  device: async () => (await import('./device.ts')).benchDevice,
  'left-behind': async () => (await import('./left-behind/left-behind.ts')).benchLeftBehind,
  openid: async () => (await import('./openid/openid.ts')).benchOpenid,
  pace: async () => (await import('./acted/pace.ts')).benchPace,
  everybody: async () => (await import('./acted/everybody.ts')).benchEverybody,
  'first-hour': async () => (await import('./first-hour/first-hour.ts')).benchFirstHour,
  'film-memory': async () => (await import('./film-memory/film-memory.ts')).benchFilmMemory,
  'page-thread': async () => (await import('./page-thread/page-thread.ts')).benchPageThread,
  perspective: async () => (await import('./perspective.ts')).benchPerspective,
  kernel: async () => (await import('./capture/kernel.ts')).benchKernel,
  kiosk: async () => (await import('./kiosk.ts')).benchKiosk,
  'picture-memory': async () => (await import('./picture-memory.ts')).benchPictureMemory,
  pipeline: async () => (await import('./pipeline.ts')).benchPipeline,
  processes: async () => (await import('./processes.ts')).benchProcesses,
  precision: async () => (await import('./precision.ts')).benchPrecision,
  slow: async () => (await import('./acted/slow.ts')).benchSlow,
  'resent-pictures': async () => (await import('./film-memory/resent-pictures.ts')).benchResentPictures,
  'sessions-list': async () => (await import('./sessions-list/sessions-list.ts')).benchSessionsList,
  stalls: async () => (await import('./stalls/stalls.ts')).benchStalls,
  start: async () => (await import('./start/start.ts')).benchStart,
  'store-size': async () => (await import('./store-size.ts')).benchStoreSize,
  'weak-link': async () => (await import('./weak-link/weak-link.ts')).benchWeakLink,
  search: async () => (await import('./search.ts')).benchSearch,
}

const text = { type: 'string' } as const
const { values, positionals } = readWords(
  usage,
  {
    json: text,
    sizes: text,
    former: text,
    calls: text,
    rivals: text,
    load: text,
    data: text,
    pack: text,
    people: text,
    fresh: { type: 'boolean', default: false },
    only: text,
    report: text,
    index: text,
    servers: text,
  },
  1,
)
const name = oneOf('NAME', Object.keys(benches), positionals[0])
const run = await benches[name]!()
const figures = await run(values)
printNumbers(figures)
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`)
