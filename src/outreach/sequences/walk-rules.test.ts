import { describe, expect, it } from 'vitest'
import { type BranchEvent, type Definition, definition as definitionShape, type Step } from './definition-contract.ts'
import type { Calendar } from './timing-rules.ts'
import { type Facts, firstPlace, type Happened, mapOf, nextMove, type Place, placeAfter } from './walk-rules.ts'

const calendar: Calendar = { timeZone: 'America/Toronto', closedWeekdays: new Set([6, 7]), closedDays: new Set() }
const start = new Date('2026-11-20T15:00:00Z')
const nothing: Happened = { reply: null, booking: null, link: null, surgery: null, optOut: null, otherStage: null, subjectEnded: null }
const facts = (happened: Partial<Happened> = {}, rest: Partial<Facts> = {}): Facts => ({
  happened: { ...nothing, ...happened },
  startedAt: start,
  eventAt: null,
  calendar,
  timeZone: 'America/Toronto',
  quietHours: { from: '21:00', to: '08:00' },
  sent: [],
  perWeek: 3,
  ...rest,
})

const template = '01890000-0000-7000-8000-000000000001'
const text = (id: string): Step => ({ id, kind: 'text', templateId: template })
const wait = (id: string, amount: number): Step => ({ id, kind: 'wait', amount, unit: 'days', working: false, at: null })
const task = (id: string): Step => ({ id, kind: 'task', title: 'Call', type: 'Call', hours: 4, people: [] })
const branch = (id: string, on: BranchEvent, yes: Step[], no: Step[]): Step => ({ id, kind: 'branch', on, days: 1, yes, no })

const plain: Definition = {
  trigger: { kind: 'lead', sourceIds: [] },
  filter: '',
  steps: [],
  exits: { reply: 'leave', booking: true, surgery: true, stage: false },
  hours: { from: '08:00', to: '20:00' },
  again: null,
  holdOut: 0,
  alertDays: null,
}
const define = (steps: Step[], exits: Partial<Definition['exits']> = {}): Definition => ({
  ...plain,
  steps,
  exits: { ...plain.exits, ...exits },
})

/** The steps that a patient passes, with what happens after how many days. */
function walk(steps: Step[], events: { [day: number]: Partial<Happened> } = {}, exits: Partial<Definition['exits']> = {}): string[] {
  const definition = define(steps, exits)
  const map = mapOf(definition)
  let place: Place = { step: map.first, arrivedAt: start }
  let now = start
  const passed: string[] = []
  const happened: Partial<Happened> = {}
  const taken = new Set<BranchEvent>()
  for (let moves = 0; moves < 50; moves++) {
    const days = Math.floor((now.getTime() - start.getTime()) / 86_400_000)
    for (const [day, event] of Object.entries(events)) if (Number(day) <= days) Object.assign(happened, event)
    for (const event of taken) happened[event] = null
    const move = nextMove(definition, map, place, facts(happened), now)
    if (move.kind === 'finish' || move.kind === 'pause') return [...passed, move.kind]
    if (move.kind === 'leave') return [...passed, `leave ${move.reason}`]
    if (move.kind === 'wait') now = new Date(Math.min(now.getTime() + 86_400_000, move.until.getTime()))
    else if (move.kind === 'taken') {
      passed.push(`${move.step} yes`)
      taken.add(move.event)
      place = move.to
    } else if (move.kind === 'skip') {
      passed.push(`${move.step} skipped`)
      place = move.to
    } else if (move.kind === 'pass') {
      passed.push(`${move.step} ${move.outcome}`)
      place = move.to
    } else {
      passed.push(move.step.id)
      place = placeAfter(map, move.step.id, now)
    }
  }
  throw new Error('The walk does not end')
}

const newLead = [
  text('text01'),
  wait('wait01', 1),
  branch('branch', 'reply', [task('task01'), { id: 'leave1', kind: 'leave' }], [task('task02'), wait('wait02', 2)]),
  text('text02'),
]

describe('a patient in a sequence', () => {
  it('passes its steps in order, and those after a branch on both ways (issue 28)', () => {
    expect(walk(newLead)).toEqual(['text01', 'wait01 waited', 'branch no', 'task02', 'wait02 waited', 'text02', 'finish'])
    expect(walk([branch('branch', 'booking', [], [task('task01')]), text('text01')])).toEqual(['branch no', 'task01', 'text01', 'finish'])
    expect(walk([])).toEqual(['finish'])
  })

  it('takes the way of an opened link, which ends nothing by itself (issue 28)', () => {
    const steps = [text('text01'), wait('wait01', 2), branch('branch', 'link', [task('task01')], [task('task02')])]
    expect(walk(steps, { 0: { link: start } })).toEqual(['text01', 'wait01 waited', 'branch yes', 'task01', 'finish'])
    expect(walk(steps)).toEqual(['text01', 'wait01 waited', 'branch no', 'task02', 'finish'])
    expect(walk([text('text01'), wait('wait01', 2), text('text02')], { 0: { link: start } })).toEqual([
      'text01',
      'wait01 waited',
      'text02',
      'finish',
    ])
  })

  it('takes the way of a reply at once when it comes while waiting for the branch (issue 28)', () => {
    const yes = ['text01', 'wait01 waited', 'branch yes', 'task01', 'leave step']
    expect(walk(newLead, { 0: { reply: start } })).toEqual(['leave reply'])
    expect(walk(newLead, { 1: { reply: start } })).toEqual(yes)
  })

  it('leaves on a reply that no branch ahead asks about, pauses or goes on, as the sequence says (issue 28)', () => {
    const steps = [text('text01'), wait('wait01', 3), text('text02')]
    expect(walk(steps, { 1: { reply: start } })).toEqual(['text01', 'leave reply'])
    expect(walk(steps, { 1: { reply: start } }, { reply: 'pause' })).toEqual(['text01', 'pause'])
    expect(walk(steps, { 1: { reply: start } }, { reply: 'continue' })).toEqual(['text01', 'wait01 waited', 'text02', 'finish'])
  })

  it.each([
    ['booking', { booking: start }],
    ['surgery', { surgery: start }],
    ['opt-out', { optOut: start }],
    ['subject', { subjectEnded: start }],
  ] as const)('leaves before any further step on %s (issue 28)', (reason, event) => {
    expect(walk([text('text01'), wait('wait01', 3), text('text02')], { 2: event })).toEqual(['text01', `leave ${reason}`])
  })

  it('stays on a booking that the sequence does not end by (issue 28)', () => {
    const steps = [text('text01'), wait('wait01', 3), text('text02')]
    expect(walk(steps, { 1: { booking: start } }, { booking: false })).toEqual(['text01', 'wait01 waited', 'text02', 'finish'])
  })

  it('waits for the hours of messages and for the weekly limit, and says which (issue 28)', () => {
    const definition = define([text('text01')])
    const map = mapOf(definition)
    const night = new Date('2026-11-21T03:00:00Z')
    const place: Place = { step: 'text01', arrivedAt: night }
    expect(nextMove(definition, map, place, facts(), night)).toMatchObject({
      kind: 'wait',
      why: 'hours',
      until: new Date('2026-11-21T13:00:00Z'),
    })
    const sent = [1, 2, 3].map((hours) => new Date(start.getTime() - hours * 3_600_000))
    const held = nextMove(definition, map, place, facts({}, { sent }), start)
    expect(held).toMatchObject({ kind: 'wait', why: 'cap', until: new Date('2026-11-27T13:00:00Z') })
  })

  it('finishes if the version that it moved to no longer has its step (issue 28)', () => {
    const definition = define([text('text01')])
    expect(nextMove(definition, mapOf(definition), { step: 'gone01', arrivedAt: start }, facts(), start)).toEqual({ kind: 'finish' })
  })
})

describe('a definition', () => {
  const problems = (given: object) => definitionShape.safeParse({ ...plain, ...given }).error?.issues.map(({ message }) => message)

  it('names what is wrong (issue 28)', () => {
    expect(problems({})).toBeUndefined()
    expect(problems({ steps: [text('text01'), text('text01')] })).toEqual(['Two steps have the same id'])
    expect(problems({ hours: { from: '20:00', to: '08:00' } })).toEqual(['The end must be after the beginning'])
    expect(problems({ filter: 'nonsense' })).toEqual(['This filter cannot be read'])
    expect(problems({ filter: 'owner:me' })).toEqual(['A sequence runs for everyone: choose people by name instead of “Me”'])
    const deep = [1, 2, 3, 4].reduce<Step[]>((inner, level) => [branch(`branch${level}`, 'reply', inner, [])], [])
    expect(problems({ steps: deep })).toEqual(['Put branches at most 3 deep'])
    const many = Array.from({ length: 61 }, (_one, i) => text(`text${100 + i}`))
    expect(problems({ steps: many })).not.toBeUndefined()
  })
})

describe('a run that begins late before surgery', () => {
  const until = (id: string, days: number): Step => ({ id, kind: 'until', from: 'event', days, at: '10:00' })
  const preOp = [task('task14'), until('until7', -7), task('task07'), until('until2', -2), task('task02')]

  /** What happens at the start, for surgery so many days later. */
  function startFor(steps: Step[], daysBefore: number, days = 14, given: Partial<Definition> = {}): string[] {
    const definition = { ...define(steps), trigger: { kind: 'surgery-before', days } as const, ...given }
    const map = mapOf(definition)
    const known = facts({}, { eventAt: new Date(start.getTime() + daysBefore * 86_400_000) })
    let place = firstPlace(definition, map, known)
    const passed: string[] = []
    for (let moves = 0; moves < 50; moves++) {
      const move = nextMove(definition, map, place, known, start)
      if (move.kind === 'act') {
        passed.push(move.step.id)
        place = placeAfter(map, move.step.id, start)
      } else if (move.kind === 'skip') {
        passed.push(`${move.step} skipped`)
        place = move.to
      } else if (move.kind === 'pass') place = move.to
      else return [...passed, move.kind]
    }
    throw new Error('The walk does not end')
  }

  it.each([
    ['on time: all steps, each at its time', 14, ['task14', 'wait']],
    ['less than a day late: the same', 13.1, ['task14', 'wait']],
    ['nine days before: without the first step', 9, ['task14 skipped', 'wait']],
    ['six days and a half before: the step of day seven was due within the last day', 6.5, ['task14 skipped', 'task07', 'wait']],
    ['five days before', 5, ['task14 skipped', 'task07 skipped', 'wait']],
    ['after all of them: the last one only', 0.5, ['task14 skipped', 'task07 skipped', 'task02', 'finish']],
  ])('%s (issue 28)', (_words, daysBefore, expected) => {
    expect(startFor(preOp, daysBefore)).toEqual(expected)
  })

  it('carries out what is its only point, however late (issue 28)', () => {
    expect(startFor([task('task01'), task('task02')], 3)).toEqual(['task01', 'task02', 'finish'])
    expect(startFor([wait('wait01', 1), task('task01')], 3)).toEqual(['task01', 'finish'])
  })

  it('counts the waits after a step that was skipped from when it was due (issue 28)', () => {
    expect(startFor([task('task01'), wait('wait01', 10), task('task02')], 9)).toEqual(['task01 skipped', 'wait'])
    expect(startFor([task('task01'), wait('wait01', 2), task('task02'), until('until1', -1), task('task03')], 9)).toEqual([
      'task01 skipped',
      'task02 skipped',
      'wait',
    ])
    expect(startFor([task('task01'), branch('branch', 'reply', [], [task('task02')]), until('until1', -1), task('task03')], 9)).toEqual([
      'task01 skipped',
      'task02 skipped',
      'wait',
    ])
  })

  it('skips after a day that had passed by any trigger with an appointment or surgery, and no first steps there (issue 28)', () => {
    const booked = { trigger: { kind: 'appointment-booked' } } as const
    expect(startFor(preOp, 5, 14, booked)).toEqual(['task14', 'task07 skipped', 'wait'])
    expect(startFor(preOp, 30, 14, booked)).toEqual(['task14', 'wait'])
  })
})
