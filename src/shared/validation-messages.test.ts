import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { labelOf, applyPlainIssues } from './validation-messages.ts'
import { idempotencyKeyShape, personName } from './text-shapes.ts'

describe('plain-language validation messages', () => {
  beforeAll(applyPlainIssues)
  afterAll(() => void z.config({ customError: undefined }))
  const messageOf = (shape: z.ZodType, value?: unknown) =>
    z.object({ dueDate: shape }).safeParse({ dueDate: value }).error?.issues[0]?.message

  it.each([
    [z.string(), undefined, 'Due date is required'],
    [z.string(), null, 'Due date is required'],
    [z.string(), 1, 'Due date must be text'],
    [z.number(), 'x', 'Due date must be a number'],
    [z.number().int(), 1.5, 'Due date must be a whole number'],
    [z.boolean(), 'x', 'Due date must be true or false'],
    [z.uuid(), 'x', 'Due date is not valid'],
    [z.iso.date(), 'x', 'Due date must be a date like 2026-11-24'],
    [z.email(), 'x', 'Due date must be an email address'],
    [z.string().min(1), '', 'Due date is required'],
    [z.string().min(2), 'x', 'Due date must have at least 2 characters'],
    [z.string().max(2), 'xxx', 'Due date must have at most 2 characters'],
    [z.array(z.string()).min(1), [], 'Due date is required'],
    [z.number().max(1_000), 1_001, 'Due date must be 1,000 or less'],
    [z.enum(['low', 'high']), 'x', 'Due date must be one of: low, high'],
    [z.union([z.literal('all'), z.uuid()]), 'x', 'Due date is not valid'],
    [z.string().refine(() => false), 'x', 'Due date is not valid'],
    [z.string('Say when'), undefined, 'Say when'],
  ])('%# %s', (shape, value, message) => expect(messageOf(shape, value)).toBe(message))

  it.each([
    ['lines', undefined, 'Lines are required'],
    ['lineItems', [], 'Line items are required'],
    ['instalments', undefined, 'Instalments are required'],
    ['address', undefined, 'Address is required'],
  ])('for a list %s and %j is: %s', (name, value, message) => {
    const shape = z.object({ [name]: z.array(z.string()).min(1) })
    expect(shape.safeParse({ [name]: value }).error?.issues[0]?.message).toBe(message)
  })

  it('name an unknown field unless its name is unsafe to repeat', () => {
    const messageForField = (name: string) => z.strictObject({}).safeParse({ [name]: 1 }).error?.issues[0]?.message
    expect(messageForField('assignee')).toBe('The field assignee is not known')
    expect(messageForField('<b>x</b>')).toBe('This field is not known')
  })

  it.each([
    [undefined, 'Idempotency key is required'],
    [null, 'Idempotency key is required'],
    ['x', 'Idempotency key must be a UUID, such as 3f2a8c1e-5b7d-4e9f-8a6b-1c2d3e4f5a6b'],
  ])('for an idempotency key %j is: %s', (value, message) => {
    expect(idempotencyKeyShape.safeParse(value).error?.issues[0]?.message).toBe(message)
  })

  it.each([
    [['contactId'], 'Contact'],
    [['lineItems', 0, 'SalesItemLineDetail', 'TaxCodeRef', 'value'], 'Tax code'],
    [['lines', 0, 'unitPriceCents'], 'Unit price'],
    [['first_name'], 'First name'],
    [['constructor'], 'Constructor'],
    [['<b>x</b>'], 'This'],
    [[], 'This'],
  ])('label %j as %s', (path, label) => expect(labelOf(path)).toBe(label))

  it.each(['http://evil.example', 'visit www.evil.example', 'evil.com', 'evil.example/now', 'Ana\nVisit', 'ftp://x'])(
    'refuses %j as a name',
    (name) =>
      expect(personName(80, 'First name').safeParse(name).error?.issues[0]?.message).toBe(
        "First name can't contain a web address or a line break",
      ),
  )

  it.each(['Ana', "O'Brien", 'St. John', 'J.R.', 'Zoë', 'van der Berg', 'Mary-Jane', '李'])('accept %j as a name', (name) =>
    expect(personName(80, 'First name').parse(` ${name} `)).toBe(name),
  )
})
