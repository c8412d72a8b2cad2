import { and, type SQL, sql } from 'drizzle-orm'
import { exactInstant } from '../../kernel/postgres/cursors.ts'
import { partyOf } from './threads.ts'

/** Conversations that are looked at one by one with all their threads, the newest first. Those that say a word often are found there at once. */
const walked = 200
/** More words than these rule out no more. */
const maxWords = 8

type Wanted = {
  /** Which conversations are looked at: one thread of each. */
  filter: SQL
  needed: number
}
type Asked = Wanted & { search: string }
/** `exact`: the instant of its last message to the microsecond. */
export type Found = { id: string; exact: string }

/**
 * The newest conversations that a search finds: all its words in the subject, address and name of one of its threads, or in what is known of the
 * patient, or each at the beginning of a word of one message. An index alone would read every message for a word that each of them has, and a walk alone every
 * conversation for one that none has: so the newest are looked at, and only where they are not enough the indexes are asked.
 * @param ask runs a statement and answers its rows.
 */
export async function findConversations(ask: (statement: SQL) => Promise<Found[]>, asked: Asked): Promise<Found[]> {
  const newest = await ask(walk(asked))
  if (newest.length >= asked.needed) return newest
  const behind = await ask(sql`${among(asked)} offset ${walked} limit 1`)
  return behind.length === 0 ? newest : ask(byIndex(asked))
}

const itsPlace = sql`conversations.id, ${exactInstant(sql`conversations.last_message_at`)} as exact`
const newestFirst = sql`order by conversations.last_message_at desc, conversations.id desc`
const among = ({ filter }: Wanted, what = sql`conversations.*`): SQL =>
  sql`select ${what} from conversations where ${filter} ${newestFirst}`

/** The newest conversations. */
export const newestOf = (wanted: Wanted): SQL => sql`${among(wanted, itsPlace)} limit ${wanted.needed}`

const mentions = (search: string): SQL => sql`messages.words @@ mail_query(${search})`

const walk = (asked: Asked): SQL => sql`
  select ${itsPlace} from (${among(asked)} limit ${walked}) as conversations left join contacts on contacts.id = conversations.contact_id
  where ${names('contacts', asked.search)} or exists (
    select 1 from conversations as thread where ${partyOf('thread')} = ${partyOf()} and (${names('thread', asked.search)}
      or exists (select 1 from messages where messages.conversation_id = thread.id and ${mentions(asked.search)})))
  ${newestFirst} limit ${asked.needed}`

// Put together before they are looked at: else it is tried for each conversation whether it is among them.
const byIndex = ({ search, filter, needed }: Asked): SQL => sql`
  with found as materialized (
    select ${partyOf()} as party from conversations where ${names('conversations', search)}
    union select contacts.id::text from contacts where ${names('contacts', search)}
    union select ${partyOf()} from messages join conversations on conversations.id = conversation_id where ${mentions(search)}
  )
  select ${itsPlace} from found join conversations on ${partyOf()} = found.party where ${filter} ${newestFirst} limit ${needed}`

/** All words of a search within a text that is folded already. */
function names(table: 'conversations' | 'thread' | 'contacts', search: string): SQL {
  const words = search.trim().split(/\s+/).slice(0, maxWords)
  return and(...words.map((word) => sql`${sql.identifier(table)}.search_text like contains_pattern(${word})`))!
}
