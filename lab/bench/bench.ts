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

  NAME   acted           acceptance after 1, 3 and 5 tries, acted with footage (ACTED_VISITORS=20 for more, ACTED_ACTS=live,replay),
                         and living people in the page (ACTED_LIVING=5 for more, ACTED_ACTS=living for them alone)
         api             requests per second of the endpoints that integrators call most, compared with a bare route of the framework
         browsers        the first analysis, a picture by stages and a visit in Chromium, Firefox and WebKit, if they are installed
         calls           every analysis endpoint over HTTP, one call and four at a time, by size of the picture, compared with another library
                         [--sizes 640x480,group] [--only detectFaces,getAge] [--calls 15] [--former FOLDER of an earlier build]
         capture         the capture page: bytes, time to the first analysis, cost of a frame, time to the verdict
         codes           spread of the codes that PostgreSQL scans, for real pairs of faces, relative to the bounds of a search [--data FOLDER]
         console         pages of get-sessions among 100,000 sessions while others come in, with every filter: through the console,
                         beside a million faces, and by the handler alone; and each page in Chromium among 20,000 sessions [--only pages]
         cues            what light and surroundings tell living people from their own pictures, moved [--data FOLDER of sets]
         device          what a report of /check-device says: --report FILE
         everybody       everybody living whose clips act, from three distances in two lights, going where the page's hints say: who finishes
                         within three tries, and which hints the picture contradicts [--people N] [--only usual/usual]; goes on where it was ended, unless --fresh
         film-memory     how often a film that was encoded anew is recognised, and one that is honest is taken for a repeat [--data FOLDER of sets]
         film-person     films compared with the person of a visit: one's own, another person's, and one picture with noise [--data FOLDER of sets]
         first-hour      seconds from a clone to the first webhook, by the program of the README and by the one in Python (targets: 90 and 180)
         kernel          the page's networks with and without relaxed instructions, which WebKit lacks
         kiosk           how long a kiosk takes to answer without its server (BENCH_KIOSK_VISITS=10)
         left-behind     what calls without a credential leave in a Redis server, for how long, and the maximum for one address; and 1,200 of
                         them against a Redis of 100 MB
         openid          sign-ins at the OpenID provider, up to a redeemed code: memory over 10,000 of them (BENCH_OPENID_CODES=1000 for
                         fewer), and the cost of a start with and without the provider
         pace            visits from the camera's first picture to the verdict (PACE_VISITS=24) [--only human,slow,threeActions]
                         [--former FOLDER of another build, in turn], and how
                         long instructions are shown, for people who hurry and who take their time (PACE_ROUNDS=5 for more)
         perspective     how coming nearer distinguishes living people from enlarged pictures [--data FOLDER of sets]
         picture-memory  looking a picture up among ten thousand
         page-thread     work of the page's own thread per picture, from Chromium's trace (BENCH_THREAD_VISITS=5) [--former FOLDER of another build]
         pipeline        pictures per second of the server's pipeline, compared with its networks alone and another library
                         [--pack PACK], default standard
         processes       processor time to create and complete a session, with one and with three processes on one Redis server
                         (BENCH_STORE=postgres for three on PostgreSQL, BENCH_FORMER=FOLDER to compare with another build)
         precision       what smaller weights save and cost (SELFSAME_PICTURES names a folder of pictures with one face each)
         search          searches among people: [--sizes 10k,100k,1M] [--rivals product,fullScan] [--load SIZES or none]
                         [--index postgres [--servers N]] for the index on PostgreSQL servers next to that in memory
                         [--index moved] for a move there and back during calls
                         [--data FOLDER], default ../shared/data/recognition/lfw
         resent-pictures how often re-encoded pictures are recognised, and honest ones mistaken for them [--data FOLDER of sets]
         sessions-list   pages of get-sessions among sessions of 400 days [--sizes postgres=5M,lmdb=1M,redis=200k]
         stalls          how long the main thread is busy at a time, and health checks wait, during each large read
                         [--sizes sessions=20k,audit=100k,faces=20k,deliveries=20k,pictures=1k] [--only usage,refused]
         start           time of a start with a short and a long audit log [--sizes 1k,5M or none], and by npm compared with Node alone
         store-size      space of a session and a face in each store, for a week and permanently, and store calls per session
         weak-link       visits over networks of 1.6 and 5 Mbit/s, with an empty cache: the consent screen, "a face or none", the points of a face, and
                         the verdict (BENCH_LINK_VISITS=6) [--only 1.6,5] [--former FOLDER of another build, measured in turn]
         slow            visits on devices that are 4 and 6 times slower: the first hint, pictures analysed and filmed per second, the time (SLOW_ROUNDS=5 for more)

Benches of the built product need a build: npm run build.`

type Options = SearchOptions &
  PipelineOptions &
  EverybodyOptions &
  CallOptions &
  WeakLinkOptions & { report?: string | undefined }
type Bench = (options: Options) => Promise<Record<string, number>>

/** Benches are loaded on demand, because together they would load every runtime in the project. */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  acted: async () => (await import('./acted.ts')).benchActed,
  api: async () => (await import('./api.ts')).benchApi,
  browsers: async () => (await import('./browsers.ts')).benchBrowsers,
  calls: async () => (await import('./calls/calls.ts')).benchCalls,
  capture: async () => (await import('./capture.ts')).benchCapture,
  codes: async () => (await import('./face-servers/codes.ts')).benchCodes,
  console: async () => (await import('./console/console.ts')).benchConsole,
  cues: async () => (await import('./cues.ts')).benchCues,
  device: async () => (await import('./device.ts')).benchDevice,
  'left-behind': async () => (await import('./left-behind/left-behind.ts')).benchLeftBehind,
  openid: async () => (await import('./openid/openid.ts')).benchOpenid,
  pace: async () => (await import('./acted/pace.ts')).benchPace,
  everybody: async () => (await import('./acted/everybody.ts')).benchEverybody,
  'first-hour': async () => (await import('./first-hour/first-hour.ts')).benchFirstHour,
  'film-memory': async () => (await import('./film-memory/film-memory.ts')).benchFilmMemory,
  'film-person': async () => (await import('./film-person/film-person.ts')).benchFilmPerson,
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
