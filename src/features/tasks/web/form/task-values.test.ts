import { describe, expect, it } from 'vitest'
import { blankTask, checkTask, type TaskValues } from './task-values.ts'

const today = '2026-11-21'
const me = '0199f7c2-0000-7000-8000-000000000001'
const good: TaskValues = { ...blankTask(today, [me], null), title: 'Call back' }
const check = (given: Partial<TaskValues>, situation: { requireContact?: boolean; base?: { dueDate: string } } = {}) =>
  checkTask({ ...good, ...given }, { today, requireContact: false, base: null, ...situation })

describe('spec 5: the task form', () => {
  it.each([
    ['title', { title: ' ' }, 'Title is required'],
    ['dueDate', { dueDate: '' }, 'Due date is required'],
    ['dueDate', { dueDate: '2026-11-20' }, 'Due date cannot be before today'],
    ['dueTimeConstraint', { hasTimeConstraint: true }, 'Time is required when time constraint is enabled'],
    ['assigneeIds', { assigneeIds: [] }, 'At least one assignee is required'],
  ])('%s: %j', (field, given, message) => {
    expect(check(given)).toEqual({ errors: { [field]: message } })
  })

  it('says everything at once', () => {
    const wrong = { title: '', dueDate: '', hasTimeConstraint: true, assigneeIds: [] }
    expect(check(wrong, { requireContact: true })).toEqual({
      errors: {
        title: 'Title is required',
        dueDate: 'Due date is required',
        dueTimeConstraint: 'Time is required when time constraint is enabled',
        assigneeIds: 'At least one assignee is required',
        contactId: 'Contact is required',
      },
    })
  })

  it('lets a day that has passed stay, not another one', () => {
    expect(check({ dueDate: '2026-11-01' }, { base: { dueDate: '2026-11-01' } })).toHaveProperty('ready')
    expect(check({ dueDate: '2026-11-02' }, { base: { dueDate: '2026-11-01' } })).toHaveProperty('errors.dueDate')
  })

  it('clears the time when the time constraint is off, and what is empty is none', () => {
    expect(check({ dueTimeConstraint: '14:00' })).toMatchObject({ ready: { dueTimeConstraint: null, description: null } })
    expect(check({ hasTimeConstraint: true, dueTimeConstraint: '14:00' })).toMatchObject({ ready: { dueTimeConstraint: '14:00' } })
  })
})
