import { randomUUID } from 'node:crypto'
import type { Scope } from '../../src/kernel/scope.ts'
import { advanceDue } from '../../src/outreach/sequences/advance.ts'
import type { BranchEvent, Definition, Step } from '../../src/outreach/sequences/definition-contract.ts'
import { watchSequences } from '../../src/outreach/sequences/watch.ts'
import { startSequences } from '../../src/outreach/sequences/start.ts'
import type { TestServer } from '../server.ts'

let steps = 0
const newId = () => `step${(steps++).toString().padStart(4, '0')}`

/** Steps of a sequence, each with an id of its own. */
export const step = {
  text: (templateId: string): Step => ({ id: newId(), kind: 'text', templateId }),
  email: (templateId: string): Step => ({ id: newId(), kind: 'email', templateId }),
  wait: (amount: number, unit: 'minutes' | 'hours' | 'days' = 'days'): Step => ({
    id: newId(),
    kind: 'wait',
    amount,
    unit,
    working: false,
    at: null,
  }),
  until: (from: 'start' | 'event', days: number, at = '10:00'): Step => ({ id: newId(), kind: 'until', from, days, at }),
  task: (title = 'Call', people: string[] = []): Step => ({ id: newId(), kind: 'task', title, type: 'Call', hours: 4, people }),
  tag: (tagId: string): Step => ({ id: newId(), kind: 'tag', tagId, on: true }),
  stage: (stageId: string): Step => ({ id: newId(), kind: 'stage', stageId }),
  branch: (on: BranchEvent, yes: Step[], no: Step[], days = 1): Step => ({ id: newId(), kind: 'branch', on, days, yes, no }),
  leave: (): Step => ({ id: newId(), kind: 'leave' }),
}

/** A definition that sends at any time of day. */
export const define = (given: Partial<Definition> & Pick<Definition, 'steps'>): Definition => ({
  trigger: { kind: 'lead', sourceIds: [] },
  filter: '',
  exits: { reply: 'leave', booking: true, surgery: true, stage: false },
  hours: { from: '00:00', to: '23:59' },
  again: null,
  holdOut: 0,
  alertDays: null,
  ...given,
})

/** Creates and publishes a sequence, and turns it on for new events and those of the last days. Returns its id. */
export async function switchOn(server: TestServer, definition: Definition, days = 0): Promise<string> {
  const admin = await server.as('admin')
  const { id } = await admin.sequences.create({ name: randomUUID(), draft: definition })
  await admin.sequences.publish({ id, version: 1, moves: false })
  await admin.sequences.setOn({ id, on: true, days })
  return id
}

/** The jobs of sequences as they would run at a moment. */
export function jobsAt(server: TestServer) {
  const runtime = server.running.runtime as unknown as Scope
  const at = (moment: Date): Scope => ({ ...runtime, actor: null, origin: { requestId: 'test', address: null }, now: () => moment })
  return {
    start: (moment: Date) => startSequences(at(moment)),
    advance: (moment: Date) => advanceDue(at(moment)),
    watch: (moment: Date) => watchSequences.run(at(moment), {}, { last: false }),
  }
}

export const daysFromNow = (days: number, hours = 0): Date => new Date(Date.now() + (days * 24 + hours) * 60 * 60_000)

/** Adds a template, and returns its id. */
export async function insertTemplate(
  server: TestServer,
  given: { category?: string; body?: string; channel?: 'text' | 'email' } = {},
): Promise<string> {
  const { channel = 'email', category = 'lead', body = 'Hello {{first_name}}, which day suits you?' } = given
  const [row] = await server.rows<{ id: string }>(
    `insert into email_templates (name, subject, body, category, channel) values ($1, 'Hello', $2, $3, $4) returning id`,
    [randomUUID(), body, category, channel],
  )
  return row!.id
}
