import { describe, expect, it } from 'vitest'
import { emptyTask, checkTask, dueHint, type TaskValues } from './task-values.ts'

// A Saturday, 8:00 in Toronto.
const clock = { now: '2026-11-21T13:00:00Z', timeZone: 'America/Toronto' }
const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: '09:00', closes: '17:00' }))
const me = '0199f7c2-0000-7000-8000-000000000001'
const good: TaskValues = { ...emptyTask(clock, weekdays, [me], null), title: 'Call back' }
const check = (given: Partial<TaskValues>, situation: { requireContact?: boolean; base?: TaskValues; clock?: typeof clock } = {}) =>
  checkTask({ ...good, ...given }, { clock, requireContact: false, base: null, ...situation })

describe('task form (spec 5)', () => {
  it.each([
    ['title', { title: ' ' }, 'Title is required'],
    ['dueDate', { dueDate: '' }, 'Due date is required'],
    ['dueDate', { dueDate: '2026-11-20' }, 'Due date cannot be before today'],
    ['dueTimeConstraint', { hasTimeConstraint: true }, 'Time is required when time constraint is enabled'],
    ['assigneeIds', { assigneeIds: [] }, 'At least one assignee is required'],
  ])('%s: %j', (field, given, message) => {
    expect(check(given)).toEqual({ errors: { [field]: message } })
  })

  it('reports all errors at once', () => {
    const invalid = { title: '', dueDate: '', hasTimeConstraint: true, assigneeIds: [] }
    expect(check(invalid, { requireContact: true })).toEqual({
      errors: {
        title: 'Title is required',
        dueDate: 'Due date is required',
        dueTimeConstraint: 'Time is required when time constraint is enabled',
        assigneeIds: 'At least one assignee is required',
        contactId: 'Contact is required',
      },
    })
  })

  it('accepts an existing due date in the past, but not a new one', () => {
    expect(check({ dueDate: '2026-11-01' }, { base: { ...good, dueDate: '2026-11-01' } })).toHaveProperty('ready')
    expect(check({ dueDate: '2026-11-02' }, { base: { ...good, dueDate: '2026-11-01' } })).toHaveProperty('errors.dueDate')
  })

  it('clears the time when the time constraint is off, and reads empty values as null', () => {
    expect(check({ dueTimeConstraint: '14:00' })).toMatchObject({ ready: { dueTimeConstraint: null, description: null } })
    expect(check({ hasTimeConstraint: true, dueTimeConstraint: '14:00' })).toMatchObject({ ready: { dueTimeConstraint: '14:00' } })
  })
})

describe('no task starts out overdue', () => {
  const at = (now: string) => ({ ...clock, now })
  const [afternoon, night] = [at('2026-11-20T20:05:00Z'), at('2026-11-21T04:00:00Z')] // Friday, 15:05 and 23:00
  const friday = { dueDate: '2026-11-20' }

  it('defaults to today before 09:00 and to the next open day after that', () => {
    expect(emptyTask(clock, weekdays, [me], null).dueDate).toBe('2026-11-21')
    for (const late of [afternoon, night]) expect(emptyTask(late, weekdays, [me], null).dueDate).toBe('2026-11-23')
  })

  it('shows when a task without a time is due', () => {
    const hint = (now: typeof clock, base: TaskValues | null = null) => dueHint({ ...good, ...friday }, base, now, weekdays)
    expect(hint(at('2026-11-20T13:00:00Z'))).toBe('Default: 9:00 a.m.')
    expect(hint(afternoon)).toBe('Due at 4:00 p.m., the next full hour')
    expect(hint(night)).toBe('Due Mon, Nov 23, 9:00 a.m.: no full hour is left today')
    expect(hint(afternoon, { ...good, ...friday })).toBe('Default: 9:00 a.m.')
  })

  it('refuses a time today that has passed, unless the task already has it or is done', () => {
    const passed = { ...friday, hasTimeConstraint: true, dueTimeConstraint: '15:00' }
    const errors = { dueTimeConstraint: 'Choose a time in the future' }
    expect(check(passed, { clock: afternoon })).toEqual({ errors })
    expect(check({ ...passed, dueTimeConstraint: '15:06' }, { clock: afternoon })).toHaveProperty('ready')
    expect(check(passed, { clock: afternoon, base: { ...good, ...passed } })).toHaveProperty('ready')
    expect(check({ ...passed, status: 'completed' }, { clock: afternoon })).toHaveProperty('ready')
  })
})
