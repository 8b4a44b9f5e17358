import { answerSteps, balanced, capture, everything, hang, type Scene, state } from './scene.ts'

export const captureScenes: readonly Scene[] = [
  {
    name: 'align',
    seen: `${state('align')}:not(:has(.hint))`,
    async drive(stage) {
      await capture(stage, stage.cast.actor, balanced)
    },
  },
  {
    name: 'align-hint',
    seen: `${state('align')} .hint`,
    drive: (stage) => capture(stage, stage.cast.far, balanced),
  },
  {
    name: 'align-help-offered',
    seen: `${state('align')} .controls button`,
    slow: true,
    drive: (stage) => capture(stage, stage.cast.two, balanced),
  },
  {
    name: 'help-two-people',
    seen: state('help'),
    slow: true,
    async drive(stage) {
      await capture(stage, stage.cast.two, balanced)
      await stage.page.getByRole('button', { name: 'Help' }).click({ timeout: 40_000 })
    },
  },
  {
    name: 'hold',
    seen: state('hold'),
    drive: (stage) => capture(stage, stage.cast.actor, balanced),
  },
  {
    name: 'one-moment',
    seen: state('done'),
    async drive(stage) {
      await stage.page.route('**/submit-step', hang)
      await capture(stage, stage.cast.actor, everything)
    },
  },
  {
    name: 'waiting-for-network',
    seen: `${state('done')} .hint-line p`,
    async drive(stage) {
      await stage.page.route('**/submit-step', hang)
      await capture(stage, stage.cast.still, everything)
    },
  },
  ...(['turnLeft', 'turnRight', 'lookUp', 'blink', 'smile', 'comeCloser'] as const).map(
    (action): Scene => ({
      name: `action-${action}`,
      seen: `${state('action')}[data-action="${action}"]`,
      async drive(stage) {
        await answerSteps(stage.page, { next: { step: 1, action, timeLimitInSeconds: 10 }, accepted: true })
        await capture(stage, stage.cast.still, everything)
      },
    }),
  ),
  {
    name: 'action-arabic',
    seen: `html[lang="ar"] ${state('action')}`,
    async drive(stage) {
      await stage.film(stage.cast.still)
      await stage.open(everything, '&reLocale=ar')
      await stage.page.getByRole('button', { name: 'الموافقة والمتابعة' }).click()
      await stage.page.getByRole('button', { name: 'تشغيل الكاميرا' }).click()
    },
  },
  {
    name: 'paused',
    seen: state('paused'),
    async drive(stage) {
      await capture(stage, stage.cast.still, everything)
      await stage.page.getByRole('button', { name: 'More time' }).click({ timeout: 30_000 })
    },
  },
  {
    name: 'last-look',
    seen: state('closing'),
    async drive(stage) {
      await answerSteps(stage.page, { next: null, accepted: true })
      await capture(stage, stage.cast.actor, balanced)
    },
  },
  {
    name: 'retake',
    seen: state('retake'),
    slow: true,
    async drive(stage) {
      await answerSteps(stage.page, { next: null, accepted: true })
      await capture(stage, stage.cast.still, balanced)
      await stage.page.locator(state('closing')).waitFor({ timeout: 40_000 })
      await stage.page.evaluate(() => window.actor.spoil('brightness(0.07)'))
    },
  },
]
