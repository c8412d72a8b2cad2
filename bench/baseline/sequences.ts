import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'

/** The kinds of steps that are measured. 'decide' looks whether the patient has replied, and ends. */
export const stepKinds = ['decide', 'tag', 'task', 'email', 'text'] as const
export type StepKind = (typeof stepKinds)[number]

const batchSize = 50

const due = `select id, contact_id, run, number, since, started_at from automation_state where status = 'active' and due_at <= now()
  order by due_at limit ${batchSize} for update skip locked`
/** What a decision needs: a reply, a booking, a stop, and what was sent in the last week. */
const facts = `select run.id,
    (select min(messages.created_at) from conversations join messages on messages.conversation_id = conversations.id
      where conversations.contact_id = run.contact_id and messages.direction = 'inbound' and messages.created_at > run.since) as reply,
    (select min(created_at) from appointments where contact_id = run.contact_id and created_at > run.since) as booking,
    (select min(created_at) from surgeries where contact_id = run.contact_id and created_at > run.since) as surgery,
    (select min(since) from suppressed_addresses where address in (lower(contacts.email), phone_e164(contacts.phone))) as stopped,
    (select count(*) from automation_state as other join sequence_steps as step on step.state_id = other.id
      where other.contact_id = run.contact_id and step.outcome = 'sent' and step.at > now() - interval '7 days') as sent,
    contacts.first_name, contacts.email, contacts.phone, contacts.assigned_sales_rep_id
  from automation_state as run join contacts on contacts.id = run.contact_id where run.id = any($1::uuid[])`
const finish = `update automation_state set step = null, due_at = null, status = 'finished', ended_at = now(), updated_at = now() where id = any($1::uuid[])`
const log = `insert into sequence_steps (state_id, run, number, step, at, outcome, ref_id)
  select id, run, number, 'step0001', now(), $2::text, ref from unnest($1::uuid[], $3::int[], $4::int[], $5::uuid[]) as done(id, run, number, ref)
  union all select id, run, number, 'end', now(), 'ended', null from unnest($1::uuid[], $3::int[], $4::int[], $5::uuid[]) as done(id, run, number, ref)`
const notify = `select pg_notify('change', $1)`
const audit = `insert into audit_log (actor_role, action, kind, contact_ids, after, request_id) values ('system', 'created', $1, array[$2::uuid], $3, 'bench')`
const interaction = `insert into interactions (contact_id, type, description, date, metadata) values ($1, $2, $3, now(), $4)`
const job = `select graphile_worker.add_job($1, $2::json, max_attempts => 12, job_key => $3)`
const suppressed = `select 1 from suppressed_addresses where address = $1`
const conversation = `insert into conversations (contact_id, subject, subject_key, thread_id, address, channel, last_message_at, created_at)
  values ($1, $2, lower($2), $3, $4, $5, now(), now()) returning id`
const message = `insert into messages (conversation_id, direction, from_email, to_email, subject, body, html_body, status, idempotency_key, created_at)
  values ($1, 'outbound', 'clinic@refyne.example', $2, $3, $4, $5, 'queued', $6, now()) returning id`
const task = `insert into tasks (title, type, contact_id, due_date, due_at, remind_at, assigned_to, status, priority, created_at, updated_at)
  values ('Call', 'Call', $1, current_date, now(), now(), $2, 'pending', 'medium', now(), now()) returning id`
const assignee = `insert into task_assignees (task_id, profile_id, position) values ($1, $2, 0)`
const tag = `insert into contact_tags (contact_id, tag_id) values ($1, $2) on conflict do nothing`

type Due = { id: string; contact_id: string; run: number; number: number }
type Fact = Due & { first_name: string; email: string; phone: string; assigned_sales_rep_id: string | null }

interface Given {
  kind: StepKind
  tagId: string
  adminId: string
}

/**
 * Carries out the due steps in SQL alone, with the rows that our server writes: the same batches, what the decision needs read for a batch at once, an
 * effect written patient by patient, places and log for a batch at once.
 */
export async function advanceBare(pool: pg.Pool, given: Given): Promise<void> {
  const client = await pool.connect()
  const run = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[] = []) =>
    (await client.query<Row>({ name, text, values })).rows
  const publish = (topic: string, id: string) => run('notify', notify, [JSON.stringify({ topic, id })])
  try {
    for (;;) {
      await client.query('begin')
      const runs = await run<Due>('due', due)
      if (runs.length === 0) {
        await client.query('commit')
        return
      }
      const known = new Map((await run<Fact>('facts', facts, [runs.map(({ id }) => id)])).map((fact) => [fact.id, fact]))
      const refs: (string | null)[] = []
      for (const { id, contact_id } of runs) {
        refs.push(await carryOut(contact_id, known.get(id)!))
        await publish('contact', contact_id)
      }
      const ids = runs.map(({ id }) => id)
      await run('finish', finish, [ids])
      const outcome = { decide: 'no', tag: 'done', task: 'done', email: 'sent', text: 'sent' }[given.kind]
      await run('log', log, [ids, outcome, runs.map((one) => one.run), runs.map(({ number }) => number), refs])
      await client.query('commit')
    }
  } finally {
    client.release()
  }

  async function carryOut(contactId: string, fact: Fact): Promise<string | null> {
    switch (given.kind) {
      case 'decide':
        return null
      case 'tag':
        await run('tag', tag, [contactId, given.tagId])
        await run('audit', audit, ['contact', contactId, JSON.stringify({ tagId: given.tagId })])
        await run('interaction', interaction, [contactId, 'contact_updated', 'Tag added', null])
        return null
      case 'task': {
        const assignedTo = fact.assigned_sales_rep_id ?? given.adminId
        const [{ id }] = (await run<{ id: string }>('task', task, [contactId, assignedTo])) as [{ id: string }]
        await run('assignee', assignee, [id, assignedTo])
        await run('job', job, ['tasks.assigned', JSON.stringify({ taskId: id }), `task-assigned ${id}`])
        await run('audit', audit, ['task', contactId, JSON.stringify({ id, title: 'Call' })])
        await run('interaction', interaction, [contactId, 'task', 'Task created: Call', JSON.stringify({ taskId: id })])
        await publish('task', id)
        return id
      }
      case 'email':
      case 'text': {
        const isText = given.kind === 'text'
        const address = isText ? fact.phone : fact.email
        const body = `Hello ${fact.first_name}, which day suits you?`
        await run('suppressed', suppressed, [address])
        const subject = isText ? 'Text messages' : 'Hello'
        const thread = [contactId, subject, randomBytes(16).toString('hex'), address, isText ? 'sms' : 'email']
        const [{ id: threadId }] = (await run<{ id: string }>('conversation', conversation, thread)) as [{ id: string }]
        const words = [threadId, address, subject, body, isText ? null : `<p>${body}</p>`, randomUUID()]
        const [{ id }] = (await run<{ id: string }>('message', message, words)) as [{ id: string }]
        await run('interaction', interaction, [contactId, 'email', body, JSON.stringify({ conversationId: threadId, messageId: id })])
        await run('audit', audit, ['message', contactId, JSON.stringify({ id, to: address })])
        await run('job', job, [isText ? 'inbox.text' : 'inbox.send', JSON.stringify({ id }), `message ${id}`])
        await publish('inbox', threadId)
        return id
      }
    }
  }
}
