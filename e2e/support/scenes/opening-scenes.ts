import { begin, createCheck, signLink } from '../acted/scenario.ts'
import {
  balanced,
  everything,
  hang,
  type Scene,
  type Stage,
  shortenSession,
  state,
  withCamera,
} from './scene.ts'

/** The screens from the demo and the link to the camera. */
export const openingScenes: readonly Scene[] = [
  { name: 'demo', seen: 'form fieldset', whole: true, drive: openDemo },
  {
    name: 'opening',
    seen: state('opening'),
    async drive({ page, open }) {
      await page.route('**/read-link', hang)
      await open()
      await page.waitForTimeout(700)
    },
  },
  {
    name: 'opening-slow',
    seen: `${state('opening')}:has(button)`,
    slow: true,
    async drive({ page, open }) {
      await page.route('**/read-link', hang)
      await open()
    },
  },
  ...linkProblems(),
  { name: 'consent', seen: state('consent'), drive: ({ open }) => open(everything) },
  { name: 'consent-arabic', seen: `html[lang="ar"] ${state('consent')}`, drive: inLanguage('ar') },
  { name: 'consent-german', seen: `html[lang="de"] ${state('consent')}`, drive: inLanguage('de') },
  {
    name: 'another-way',
    seen: state('anotherWay'),
    async drive({ page, open }) {
      await open(balanced)
      await page.getByRole('button', { name: 'Another way' }).click()
    },
  },
  {
    name: 'declined',
    seen: state('declined'),
    async drive({ page, open }) {
      await open(balanced)
      await page.getByRole('button', { name: 'I don’t agree' }).click()
    },
  },
  {
    name: 'ready',
    seen: state('ready'),
    async drive({ page, open }) {
      await open(balanced)
      await page.getByRole('button', { name: 'Agree and continue' }).click()
    },
  },
  {
    name: 'deadline-near',
    seen: `${state('ready')} .banner`,
    async drive(stage) {
      await shortenSession(stage.page, 170)
      await stage.open(balanced)
      await stage.page.getByRole('button', { name: 'Agree and continue' }).click()
    },
  },
  {
    name: 'time-over',
    seen: state('timeOver'),
    async drive(stage) {
      await shortenSession(stage.page, 2)
      await stage.open(balanced)
      await stage.page.getByRole('button', { name: 'Agree and continue' }).click()
    },
  },
  {
    name: 'asking',
    seen: state('asking'),
    drive: (stage) => withCamera(stage, 'new Promise(() => {})'),
  },
  {
    name: 'asking-late',
    seen: `${state('asking')} .lead:not(:empty)`,
    slow: true,
    drive: (stage) => withCamera(stage, 'new Promise(() => {})'),
  },
  {
    name: 'starting',
    seen: state('starting'),
    async drive(stage) {
      await stage.film(stage.cast.still)
      await stage.page.route('**/*.{onnx,wasm}', hang)
      await stage.open(balanced)
      await begin(stage.page)
    },
  },
]

function linkProblems(): Scene[] {
  const answered = (name: string, cause: string, status: number, code: string): Scene => ({
    name,
    seen: state('linkProblem', cause),
    async drive({ page, open }) {
      await page.route('**/read-link', (route) =>
        route.fulfill({
          status,
          contentType: 'application/problem+json',
          body: JSON.stringify({ type: 'about:blank', title: code, status, code, requestId: 'r' }),
        }),
      )
      await open()
    },
  })
  return [
    {
      name: 'link-missing',
      seen: state('linkProblem', 'missing'),
      async drive({ page, site }) {
        await page.goto(`${site.product.address}/verification`)
      },
    },
    {
      name: 'link-wrong',
      seen: state('linkProblem', 'wrong'),
      async drive({ page, site }) {
        await page.goto(`${site.product.address}/verification/none?reSignature=00`)
      },
    },
    {
      name: 'link-used',
      seen: state('linkProblem', 'gone'),
      async drive({ page, site, context }) {
        const link = await signLink(site, await createCheck(site, balanced))
        const elsewhere = await context.browser()!.newContext()
        const first = await elsewhere.newPage()
        await first.goto(link)
        await first.getByRole('button', { name: 'Agree and continue' }).click()
        await first.locator(state('ready')).waitFor()
        await elsewhere.close()
        await page.goto(link)
      },
    },
    answered('link-too-many', 'tooMany', 429, 'too_many_requests'),
    {
      name: 'link-unreachable',
      seen: state('linkProblem', 'unreachable'),
      async drive({ page, open }) {
        await page.route('**/read-link', (route) => route.abort('connectionrefused'))
        await open()
      },
    },
    {
      name: 'link-finished',
      seen: state('linkProblem', 'finished'),
      async drive({ page, open }) {
        await open(balanced)
        await page.getByRole('button', { name: 'Agree and continue' }).click()
        await page.getByRole('button', { name: 'Stop the check' }).click()
        await page.reload()
        await page.reload()
      },
    },
  ]
}

async function openDemo({ page, site }: Stage): Promise<void> {
  await page.goto(`${site.product.address}/demo`)
}

function inLanguage(locale: string): Scene['drive'] {
  return ({ open }) => open(everything, `&reLocale=${locale}`)
}
