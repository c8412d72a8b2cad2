import type pg from 'pg'
import { findConversations, type Found } from '../../src/messages/inbox/search.ts'
import { isOpen } from '../../src/messages/inbox/threads.ts'
import { prepared } from './database.ts'

const unread = `
  with unread as (
    select messages.id, messages.created_at, coalesce(contact_id::text, 'from ' || address) as who
    from messages join conversations on conversations.id = conversation_id where direction = 'inbound' and read_at is null
  ), latest as (
    select distinct on (who) id, created_at, count(*) over (partition by who)::int as unread_count from unread order by who, created_at desc, id desc
  ), page as (
    select *, count(*) over ()::int as total from latest order by created_at desc, id desc limit 50
  )
  select page.*, messages.subject, left(body, 2000) as body, conversation_id, contact_id, first_name, last_name, email
  from page join messages using (id) join conversations on conversations.id = conversation_id left join contacts on contacts.id = contact_id
  order by page.created_at desc, page.id desc`

const threadsWhere = (where: string) => `
  select conversations.*, first_name, last_name, last.body, last.direction,
    (select count(*) from messages where direction = 'inbound' and read_at is null and conversation_id in (
      select thread.id from conversations as thread
      where coalesce(thread.contact_id::text, 'from ' || thread.address) = coalesce(conversations.contact_id::text, 'from ' || conversations.address)
    )) as unread_count,
    attached.is_there is not null as has_attachments
  from conversations left join contacts on contacts.id = contact_id
    cross join lateral (
      select left(body, 2000) as body, direction from messages where conversation_id = conversations.id order by created_at desc, id desc limit 1
    ) as last
    left join lateral (
      select true as is_there from messages join message_attachments on message_attachments.message_id = messages.id
      where conversation_id = conversations.id limit 1
    ) as attached on true
  where ${where} order by last_message_at desc, conversations.id desc limit 50`

const threads = threadsWhere(prepared(isOpen).text)
const found = threadsWhere('conversations.id = any($1)')

const count = `select count(*)::int as count from messages where direction = 'inbound' and read_at is null`

type Id = { id: string }

/** The inbox: unread messages by patient, the newest conversations, a search in the same steps as ours, and the unread badge. */
export async function inbox(pool: pg.Pool, what: string): Promise<unknown> {
  if (what.includes('/count')) return (await pool.query<{ count: number }>({ name: 'count', text: count, values: [] })).rows[0]
  const search = new URL(what, 'http://bare').searchParams.get('search')
  if (search !== null)
    return {
      data: (await pool.query<Id>({ name: 'found', text: found, values: [(await newestFound(pool, search)).map(({ id }) => id)] })).rows,
    }
  if (!what.includes('/unread')) return { data: (await pool.query<Id>({ name: 'threads', text: threads, values: [] })).rows }
  const { rows } = await pool.query<Id & { total: number }>({ name: 'unread', text: unread, values: [] })
  return { total: rows[0]?.total ?? 0, data: rows }
}

/** Parses the statements each time, as our server does: as named statements they would get one plan for rare and common words. */
const newestFound = (pool: pg.Pool, search: string) =>
  findConversations(
    async (statement) => {
      const { text, values } = prepared(statement)
      return (await pool.query<Found>({ text, values })).rows
    },
    { search, filter: isOpen, needed: 51 },
  )
