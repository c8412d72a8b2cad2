import { describe, expect, it } from 'vitest'
import { type Part, sentenceOf } from './sentence.ts'

const around = { who: 'Mireille Daoust', patient: 'Éloïse', stage: null, stayed: null, lostReason: null }
const call = { type: 'call', description: 'Prefers texts.', outcome: null } as const
const read = (summary: Part[]) => summary.map((part) => (typeof part === 'string' ? part : part.strong)).join('')

describe('sentenceOf', () => {
  it('tells how a call went', () => {
    const say = (outcome: 'reached' | 'voicemail' | 'no_answer' | null) => read(sentenceOf({ ...call, outcome }, around).summary)
    expect(say('reached')).toBe('Mireille Daoust reached Éloïse by phone')
    expect(say('voicemail')).toBe('Mireille Daoust left Éloïse a voicemail')
    expect(say('no_answer')).toBe('Mireille Daoust called Éloïse, no answer')
    expect(say(null)).toBe('Mireille Daoust called Éloïse')
  })
  it('does not repeat what stands for an unwritten text', () => {
    expect(sentenceOf({ ...call, outcome: 'no_answer', description: 'No answer' }, around).text).toBeNull()
    expect(sentenceOf({ ...call, outcome: 'reached', description: 'No answer' }, around).text).toBe('No answer')
  })
  it('gives what was written its own place', () => {
    const note = sentenceOf({ type: 'note', description: 'Allergic to latex', outcome: null }, around)
    expect([read(note.summary), note.text]).toEqual(['Mireille Daoust added a note', 'Allergic to latex'])
  })
  it('issue 7: tells who wrote a mail', () => {
    const mail = { type: 'email', description: 'May I come later?', outcome: null } as const
    const say = (direction: string, who: string | null) => {
      const { summary, text } = sentenceOf({ ...mail, metadata: { direction } }, { ...around, who })
      return [read(summary), text]
    }
    expect(say('inbound', null)).toEqual(['Éloïse wrote', 'May I come later?'])
    expect(say('outbound', 'Mireille Daoust')).toEqual(['Mireille Daoust emailed Éloïse', 'May I come later?'])
    expect(say('outbound', null)).toEqual(['The clinic emailed Éloïse', 'May I come later?'])
  })

  it('says what became of an appointment, and who said so', () => {
    const booked = {
      type: 'meeting',
      description: 'Consultation booked for Tue, Dec 1, 2026',
      outcome: null,
      metadata: { appointmentId: 'a' },
    } as const
    expect([read(sentenceOf(booked, around).summary), sentenceOf(booked, around).text]).toEqual([
      'Consultation booked for Tue, Dec 1, 2026 · Mireille Daoust',
      null,
    ])
    expect(read(sentenceOf({ ...booked, metadata: null }, around).summary)).toBe('Mireille Daoust met Éloïse')
  })
  it('says what the system noted without a name', () => {
    const note = sentenceOf({ type: 'note', description: 'Another lead from Website', outcome: null }, { ...around, who: null })
    expect([read(note.summary), note.text]).toEqual(['Another lead from Website', null])
  })
  it('names the stage and how long the patient was in the one before', () => {
    const move = { type: 'consult_booked', description: 'Stage changed from Contacted to Consult Booked', outcome: null } as const
    const to = { ...around, stage: 'Consult Booked', stayed: '64 days' }
    expect(read(sentenceOf(move, to).summary)).toBe('Mireille Daoust moved the stage to Consult Booked after 64 days')
    expect(read(sentenceOf(move, { ...to, who: null, stayed: null }).summary)).toBe('Stage moved to Consult Booked')
  })
  it('keeps the words of a move whose stage is no longer known', () => {
    const move = { type: 'stage_changed', description: 'Stage changed from A to B', outcome: null } as const
    expect(read(sentenceOf(move, around).summary)).toBe('Stage changed from A to B by Mireille Daoust')
  })
  it('names a sales receipt and what was sold; who took it stands with the amount', () => {
    const entry = { type: 'sales_receipt', description: 'Sales receipt 1047, $169.50', outcome: null } as const
    const receipt = { isRefund: false, number: '1047', items: 'Consultation fee', totalCents: 16_950, paid: 'Visa' }
    expect(read(sentenceOf(entry, { ...around, receipt }).summary)).toBe('Sales receipt 1047, Consultation fee')
    expect(read(sentenceOf(entry, { ...around, receipt: { ...receipt, isRefund: true } }).summary)).toBe(
      'Refund receipt 1047, Consultation fee',
    )
    expect(read(sentenceOf(entry, around).summary)).toBe('Sales receipt 1047, $169.50 · Mireille Daoust')
  })
  it('says everything else in the words it was noted in', () => {
    const tag = { type: 'tag', description: 'Tag Welcome added', outcome: null } as const
    expect(read(sentenceOf(tag, around).summary)).toBe('Tag Welcome added by Mireille Daoust')
    expect(read(sentenceOf(tag, { ...around, who: null }).summary)).toBe('Tag Welcome added')
    const task = { type: 'task', description: 'Send the consultation package', outcome: null } as const
    expect(read(sentenceOf(task, around).summary)).toBe('Send the consultation package · Mireille Daoust')
  })
})
