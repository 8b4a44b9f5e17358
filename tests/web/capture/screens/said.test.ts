import { describe, expect, test } from 'vitest'
import { beginning } from '#web/capture/machine/machine.ts'
import type { Situation, StateOf } from '#web/capture/machine/state.ts'
import { alarmOf, saidOf } from '#web/capture/screens/said.ts'
import { type Exhibit, exhibits } from '#web/preview/preview-exhibits.ts'
import { createSpeech } from '#web/ui/speech.ts'
import { loadWording } from '#web/wording/languages.ts'

const plan = {
  verifiers: { liveness: true, age: true, gender: true, faceRecognition: true, emotion: true },
  challenge: { type: 'Advanced' as const, actionCount: 3 },
  evidence: null,
  locale: null,
  theme: { accountName: 'Northwind', accentColour: null, logo: null, region: 'EU' },
  embedOrigins: [],
}

function situationOf({ state, context }: Exhibit): Situation {
  return { state, context: { ...beginning.context, plan, ...context } }
}

const languages = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pl', 'pt', 'zh']
const english = await loadWording('en')

describe('the announcement', () => {
  test.each(languages)('is something on every screen, in %s', async (language) => {
    const wording = await loadWording(language)
    for (const [name, exhibit] of Object.entries(exhibits)) {
      const situation = situationOf(exhibit)
      const heard = [saidOf(situation, wording), alarmOf(situation, wording)].filter(
        (text) => text !== undefined,
      )
      expect(heard, name).toHaveLength(1)
      expect(heard[0], name).toMatch(/^[^{}]*\S[^{}]*$/)
    }
  })

  test('is the new part of a screen shortly before the end', () => {
    const near = situationOf({ ...exhibits.ready!, context: { nearDeadline: true } })
    expect(saidOf(near, english)).toBe(english.said.ready)
  })

  test('does not change with each piece that is sent', () => {
    const sending = exhibits.sending!.state as StateOf<'sending'>
    const saidAt = (share: number) => saidOf(situationOf({ state: { ...sending, share } }), english)
    expect(new Set([0, 0.1, 0.3, 0.49].map(saidAt)).size).toBe(1)
    expect(new Set([0.5, 0.7, 1].map(saidAt)).size).toBe(1)
    expect(saidAt(0.5)).not.toBe(saidAt(0.4))
  })

  test('is the whole screen if it may be tried again, with its tip', () => {
    const offered = (attemptsLeft: number, tip: 'blur' | null) => {
      const state = { name: 'furtherTry' } as const
      return saidOf(situationOf({ state, context: { furtherTry: { attemptsLeft, tip } } }), english)
    }
    const { title, text, blur } = english.furtherTry
    expect(offered(2, null)).toBe(`${title} ${text} You can try 2 more times.`)
    expect(offered(1, 'blur')).toBe(`${title} ${text} ${blur} You can try 1 more time.`)
  })

  test('mentions checking only once everything is sent', () => {
    const late = (phase: 'sending' | 'checking') => {
      const sending = exhibits.sending!.state as StateOf<'sending'>
      return saidOf(situationOf({ state: { ...sending, phase, late: true } }), english)
    }
    expect(late('sending')).toBe(english.text.staysOpen)
    expect(late('checking')).toBe(english.text.stillChecking)
  })
})

describe('the voices of the page', () => {
  test('change with every text, even if it repeats the one before', () => {
    const speech = createSpeech()
    for (const [voice, speak] of [
      [speech.polite, speech.say],
      [speech.assertive, speech.interrupt],
    ] as const) {
      const heard = Array.from({ length: 3 }, () => {
        speak('The camera stopped')
        return voice.value
      })
      expect(heard[1]).not.toBe(heard[0])
      expect(heard[2]).not.toBe(heard[1])
      expect(heard.map((text) => text.trim())).toEqual(Array(3).fill('The camera stopped'))
    }
  })
})
