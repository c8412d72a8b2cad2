import { describe, expect, it } from 'vitest'
import { type Part, describeEntry } from './describe-entry.ts'

const context = { who: 'Mireille Daoust', patient: 'Éloïse', stage: null, stayed: null, lostReason: null }
const call = { type: 'call', description: 'Prefers texts.', outcome: null } as const
const read = (summary: Part[]) => summary.map((part) => (typeof part === 'string' ? part : part.strong)).join('')

describe('describeEntry', () => {
  it('describes the outcome of a call', () => {
    const describeWith = (outcome: 'reached' | 'voicemail' | 'no_answer' | null) =>
      read(describeEntry({ ...call, outcome }, context).summary)
    expect(describeWith('reached')).toBe('Mireille Daoust reached Éloïse by phone')
    expect(describeWith('voicemail')).toBe('Mireille Daoust left Éloïse a voicemail')
    expect(describeWith('no_answer')).toBe('Mireille Daoust called Éloïse, no answer')
    expect(describeWith(null)).toBe('Mireille Daoust called Éloïse')
  })
  it('does not repeat the default description of a call without notes', () => {
    expect(describeEntry({ ...call, outcome: 'no_answer', description: 'No answer' }, context).text).toBeNull()
    expect(describeEntry({ ...call, outcome: 'reached', description: 'No answer' }, context).text).toBe('No answer')
  })
  it('returns the text of a note separately', () => {
    const note = describeEntry({ type: 'note', description: 'Allergic to latex', outcome: null }, context)
    expect([read(note.summary), note.text]).toEqual(['Mireille Daoust added a note', 'Allergic to latex'])
  })
  it('names the sender of an email', () => {
    const mail = { type: 'email', description: 'May I come later?', outcome: null } as const
    const describeWith = (direction: string, who: string | null) => {
      const { summary, text } = describeEntry({ ...mail, metadata: { direction } }, { ...context, who })
      return [read(summary), text]
    }
    expect(describeWith('inbound', null)).toEqual(['Éloïse wrote', 'May I come later?'])
    expect(describeWith('outbound', 'Mireille Daoust')).toEqual(['Mireille Daoust emailed Éloïse', 'May I come later?'])
    expect(describeWith('outbound', null)).toEqual(['The clinic emailed Éloïse', 'May I come later?'])
  })

  it('shows an appointment event with its author', () => {
    const booked = {
      type: 'meeting',
      description: 'Consultation booked for Tue, Dec 1, 2026',
      outcome: null,
      metadata: { appointmentId: 'a' },
    } as const
    expect([read(describeEntry(booked, context).summary), describeEntry(booked, context).text]).toEqual([
      'Consultation booked for Tue, Dec 1, 2026 · Mireille Daoust',
      null,
    ])
    expect(read(describeEntry({ ...booked, metadata: null }, context).summary)).toBe('Mireille Daoust met Éloïse')
    const added = { ...booked, description: 'Added to the waiting list: Consult', metadata: { waitingEntryId: 'a' } }
    expect(read(describeEntry(added, context).summary)).toBe('Added to the waiting list: Consult · Mireille Daoust')
  })
  it('shows entries by the system without an author', () => {
    const note = describeEntry({ type: 'note', description: 'Another lead from Website', outcome: null }, { ...context, who: null })
    expect([read(note.summary), note.text]).toEqual(['Another lead from Website', null])
  })
  it('names the new stage and the time in the previous one', () => {
    const move = { type: 'consult_booked', description: 'Stage changed from Contacted to Consult Booked', outcome: null } as const
    const to = { ...context, stage: 'Consult Booked', stayed: '64 days' }
    expect(read(describeEntry(move, to).summary)).toBe('Mireille Daoust changed the stage to Consult Booked after 64 days')
    expect(read(describeEntry(move, { ...to, who: null, stayed: null }).summary)).toBe('Stage changed to Consult Booked')
  })
  it('falls back to the description of a move whose stage is unknown', () => {
    const move = { type: 'stage_changed', description: 'Stage changed from A to B', outcome: null } as const
    expect(read(describeEntry(move, context).summary)).toBe('Stage changed from A to B by Mireille Daoust')
  })
  it('names a sales receipt and its items', () => {
    const entry = { type: 'sales_receipt', description: 'Sales receipt 1047, $169.50', outcome: null } as const
    const receipt = { isRefund: false, number: '1047', items: 'Consultation fee', totalCents: 16_950, paid: 'Visa' }
    expect(read(describeEntry(entry, { ...context, receipt }).summary)).toBe('Sales receipt 1047, Consultation fee')
    expect(read(describeEntry(entry, { ...context, receipt: { ...receipt, isRefund: true } }).summary)).toBe(
      'Refund receipt 1047, Consultation fee',
    )
    expect(read(describeEntry(entry, context).summary)).toBe('Sales receipt 1047, $169.50 · Mireille Daoust')
  })
  it('falls back to the description for other types', () => {
    const tag = { type: 'tag', description: 'Tag Welcome added', outcome: null } as const
    expect(read(describeEntry(tag, context).summary)).toBe('Tag Welcome added by Mireille Daoust')
    expect(read(describeEntry(tag, { ...context, who: null }).summary)).toBe('Tag Welcome added')
    const task = { type: 'task', description: 'Send the consultation package', outcome: null } as const
    expect(read(describeEntry(task, context).summary)).toBe('Send the consultation package · Mireille Daoust')
  })
})
