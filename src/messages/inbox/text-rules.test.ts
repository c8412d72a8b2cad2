import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf } from '../../../simulators/twilio/message.ts'
import { type MessageStatus, messageStatuses } from './rules.ts'
import { inboxTexts } from './texts.ts'
import { laterStatus, plainText, reasonOf, sizeOfText, statusOf, wordOf } from './text-rules.ts'

describe('sizeOfText', () => {
  it.each([
    ['', 'GSM-7', 0, 160],
    ['Hello', 'GSM-7', 1, 155],
    ['é'.repeat(160), 'GSM-7', 1, 0],
    ['a'.repeat(161), 'GSM-7', 2, 145],
    ['a'.repeat(306), 'GSM-7', 2, 0],
    ['a'.repeat(307), 'GSM-7', 3, 152],
    ['€'.repeat(80), 'GSM-7', 1, 0],
    ['€'.repeat(81), 'GSM-7', 2, 143],
    ['a'.repeat(152) + '€'.repeat(5), 'GSM-7', 2, 143],
    ['ê'.repeat(70), 'UCS-2', 1, 0],
    ['ê'.repeat(71), 'UCS-2', 2, 63],
    ['🙂', 'UCS-2', 1, 68],
    ['🙂'.repeat(35), 'UCS-2', 1, 0],
    ['🙂'.repeat(36), 'UCS-2', 2, 61],
    ['’', 'UCS-2', 1, 69],
  ] as const)('splits %j as %s into %d segments, %d places left (issue 28)', (text, encoding, segments, left) => {
    expect(sizeOfText(text)).toMatchObject({ encoding, segments, left })
  })

  const texts = fc.string({ unit: fc.constantFrom(...'aZ 09é€^|ê’🙂\n'), maxLength: 800 })

  it('never needs fewer segments for more text, and each holds what it may (issue 28)', () =>
    fc.assert(
      fc.property(texts, texts, (one, more) => {
        const [size, longer] = [sizeOfText(one), sizeOfText(one + more)]
        expect(longer.segments).toBeGreaterThanOrEqual(size.segments)
        const capacity = size.encoding === 'GSM-7' ? (size.segments <= 1 ? 160 : 153) : size.segments <= 1 ? 70 : 67
        expect(size.left).toBeGreaterThanOrEqual(0)
        expect(size.units + size.left).toBe(Math.max(1, size.segments) * capacity)
      }),
    ))

  it('counts as the vendor does where no character stands at the edge of a segment (issue 28)', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ 09éê'), minLength: 1, maxLength: 800 }), (text) => {
        expect(sizeOfText(text).segments).toBe(segmentsOf(text))
      }),
    ))
})

it('writes our own texts in GSM-7 (issue 28)', () => {
  for (const language of ['en', 'fr'] as const) {
    const t = inboxTexts[language]
    const [practice, phone] = ['Harbourview', '(905) 555-0118']
    for (const text of [
      t('textsStopped', { practice }),
      t('textsStarted', { practice }),
      t('textsHelp', { practice, phone }),
      t('textsHelpNoPhone', { practice }),
    ])
      expect(sizeOfText(plainText(text))).toMatchObject({ encoding: 'GSM-7', segments: 1 })
  }
})

describe('the state of a text', () => {
  const reports: readonly MessageStatus[] = ['sent', 'delivered', 'failed']

  it('is the same whatever the order and number of reports (issue 28)', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...messageStatuses),
        fc.array(fc.constantFrom(...reports), { maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (first, given, order) => {
          const shuffled = [...given, ...given].map((one) => [order.next().value as number, one] as const)
          const inOrder = given.reduce(laterStatus, first)
          expect(shuffled.toSorted(([a], [b]) => a - b).reduce((state, [, one]) => laterStatus(state, one), first)).toBe(inOrder)
        },
      ),
    ))

  it.each([
    ['delivered', 'sent', 'delivered'],
    ['failed', 'sent', 'failed'],
    ['uncertain', 'sent', 'sent'],
    ['sending', 'delivered', 'delivered'],
    ['queued', 'failed', 'failed'],
  ] as const)('%s, then a report of %s, is %s (issue 28)', (current, reported, expected) =>
    expect(laterStatus(current, reported)).toBe(expected),
  )

  it('reads the states and codes of Twilio (issue 28)', () => {
    expect(['accepted', 'queued', 'sent'].map(statusOf)).toEqual(['sent', 'sent', 'sent'])
    expect([statusOf('delivered'), statusOf('undelivered'), statusOf('failed'), statusOf('other')]).toEqual([
      'delivered',
      'failed',
      'failed',
      null,
    ])
    expect(reasonOf(30003)).toBe('The phone is off or out of reach.')
    expect(reasonOf(30099)).toBe('The carrier did not deliver it (Twilio’s code 30099).')
    expect(reasonOf(null)).toBe('The carrier did not deliver it.')
  })
})

describe('wordOf', () => {
  it.each([
    ['STOP', 'stop'],
    [' stop\n', 'stop'],
    ['StopAll', 'stop'],
    ['unsubscribe', 'stop'],
    ['Cancel', 'stop'],
    ['end', 'stop'],
    ['quit', 'stop'],
    ['arret', 'stop'],
    ['Arrêtez!', 'stop'],
    ['Stop all', 'stop'],
    ['opt-out', 'stop'],
    ['STOP STOP', 'stop'],
    ['ＳＴＯＰ', 'stop'],
    ['S\u200bTOP', 'stop'],
    ['ARRÊT', 'stop'],
    ['Arre\u0302t', 'stop'],
    ['start', 'start'],
    ['UnStop', 'start'],
    ['help', 'help'],
    ['Info', 'help'],
    ['aide', 'help'],
    ['Stop.', 'stop'],
    ['«\u00a0ARRÊT!\u00a0»', 'stop'],
    ['STOP 🙂', 'stop'],
    ['help?', 'help'],
  ] as const)('reads %j as %s (issue 28)', (text, meaning) => expect(wordOf(text, { isStopped: false })?.meaning).toBe(meaning))

  it.each(['please stop', `stop${'!'.repeat(100)}`, 'STOP it', 'stop. now', 'non-stop', 'end of day', '', '...', 'constructor', 'arrêter'])(
    'reads nothing in %j (issue 28)',
    (text) => expect(wordOf(text, { isStopped: true })).toBeNull(),
  )

  it('counts yes and oui only from a number that has stopped (issue 28)', () => {
    for (const word of ['yes', 'OUI']) {
      expect(wordOf(word, { isStopped: false })).toBeNull()
      expect(wordOf(word, { isStopped: true })?.meaning).toBe('start')
    }
  })
})
