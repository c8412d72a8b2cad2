import type pg from 'pg'

const unread = `
  with unread as (
    select messages.id, messages.subject, left(body, 2000) as body, messages.created_at, conversation_id, coalesce(contact_id::text, address) as who
    from messages join conversations on conversations.id = conversation_id where direction = 'inbound' and read_at is null
  ), latest as (
    select distinct on (who) *, count(*) over (partition by who)::int as unread_count from unread order by who, created_at desc, id desc
  )
  select latest.*, count(*) over ()::int as total, first_name, last_name, email from latest left join contacts on contacts.id::text = who order by created_at desc, id desc limit 50`

const threads = `
  select conversations.*, first_name, last_name, last.body, last.direction,
    (select count(*) from messages where conversation_id = conversations.id and direction = 'inbound' and read_at is null) as unread_count,
    exists (select 1 from message_attachments join messages on messages.id = message_id where conversation_id = conversations.id) as has_attachments
  from conversations left join contacts on contacts.id = contact_id
    cross join lateral (
      select left(body, 2000) as body, direction from messages where conversation_id = conversations.id order by created_at desc, id desc limit 1
    ) as last
  where conversations.status = 'active' order by last_message_at desc, conversations.id desc limit 50`

const count = `select count(*)::int as count from messages where direction = 'inbound' and read_at is null`

/** The inbox: unread by patient, the newest conversations, and the badge. */
export async function inbox(pool: pg.Pool, what: string): Promise<unknown> {
  if (what.includes('/count')) return (await pool.query<{ count: number }>({ name: 'count', text: count, values: [] })).rows[0]
  if (!what.includes('/unread')) return { data: (await pool.query<{ id: string }>({ name: 'threads', text: threads, values: [] })).rows }
  const { rows } = await pool.query<{ id: string; total: number }>({ name: 'unread', text: unread, values: [] })
  return { total: rows[0]?.total ?? 0, data: rows }
}
